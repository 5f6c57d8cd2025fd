"""Refuse work that does not fit in memory before it begins (on the host the system would kill the
process), and give back memory that the GPU no longer needs."""

from __future__ import annotations

import resource
from pathlib import Path
from types import ModuleType

from gunrock_cli.errors import OutOfMemory
from gunrock_cli.graph.model.graph import is_host_module

WORTH_ASKING = 1 << 24
"""Vertices and edges together; smaller graphs always have room."""
_GIB, _MIB = 2**30, 2**20
_OWN_GROUP, _GROUPS = Path("/proc/self/cgroup"), Path("/sys/fs/cgroup")


def available_bytes() -> int:
    """Host memory that can be allocated now without swapping, within the limits of the process (``ulimit
    -v``) and of its control group (a container's, a batch system's)."""
    import psutil  # takes 10 ms, and runs on a GPU do not ask

    limits = (int(psutil.virtual_memory().available), _left_of_address_space(), _left_of_group())
    return max(0, min(limit for limit in limits if limit is not None))


def available_device_bytes() -> int:
    """Memory in bytes that CuPy can allocate on the current GPU."""
    import cupy

    pool = cupy.get_default_memory_pool()
    free = int(cupy.cuda.runtime.memGetInfo()[0]) + int(pool.free_bytes())
    limit = int(pool.get_limit())
    return min(free, limit - int(pool.used_bytes())) if limit else free


def require_host_memory(needed: int, what: str) -> None:
    """Raise OutOfMemory, with both sizes, if ``needed`` bytes are more than available."""
    available = available_bytes()
    if needed > available:
        raise OutOfMemory(
            f"not enough memory for {what}: it needs about {readable_size(needed)}, and "
            f"{readable_size(available)} are free"
        )


def require_memory(xp: ModuleType, needed: int, what: str) -> None:
    """Raise OutOfMemory if ``needed`` bytes are more than the memory of ``xp`` (numpy or cupy) has
    left."""
    if is_host_module(xp):
        return require_host_memory(needed, what)
    available = available_device_bytes()
    if needed > available:
        raise OutOfMemory(
            f"not enough memory on the GPU for {what}: it needs about {readable_size(needed)}, "
            f"and {readable_size(available)} are free"
        )
    return None


def release_unused(xp: ModuleType) -> None:
    """Give temporaries on the GPU back to the driver, as primitives measure peak memory."""
    if not is_host_module(xp):
        xp.get_default_memory_pool().free_all_blocks()


def readable_size(count: int) -> str:
    """A number of bytes, for humans."""
    return f"{count / _GIB:.1f} GiB" if count >= _GIB else f"{count / _MIB:.1f} MiB"


def _left_of_address_space() -> int | None:
    import psutil

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else limit - int(psutil.Process().memory_info().vms)


def _left_of_group() -> int | None:
    """Bytes that control groups (version 2) leave: the minimum over the process's group and the groups
    above it. Pages of files that it has read count as free."""
    try:
        place = _OWN_GROUP.read_text().rpartition("0::")[2].split("\n")[0]
    except OSError:
        return None
    group = _GROUPS / place.lstrip("/")
    return min(filter(None, map(_left_of, [group, *group.parents])), default=None)


def _left_of(group: Path) -> int | None:
    try:
        limit = (group / "memory.max").read_text().strip()
        if limit == "max":
            return None
        stat = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
        used = int((group / "memory.current").read_text()) - int(stat.get("inactive_file", 0))
        return max(1, int(limit) - used)
    except (OSError, ValueError):
        return None
