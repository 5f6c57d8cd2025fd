"""What the device can do at most: the copy rate and the rate of random 4-byte gathers by table size.

Measured once a device (half a second) and kept in the cache directory. A primitive's floor is the
larger of its bytes over the copy rate and its random accesses over their rate.
"""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.files import atomic_write
from gunrock_cli.resources import cache_root

_log = logging.getLogger("gunrock")
TABLES_MIB = (1, 8, 32, 128, 1024)


@dataclass(frozen=True)
class Ceilings:
    """``copy`` in bytes/s, read plus written; ``gathers`` in accesses/s by table size in bytes."""

    copy: float
    gathers: dict[int, float]

    def gather_rate(self, table_bytes: int) -> float:
        """The rate of the largest measured table that is not larger (the faster neighbour)."""
        sizes = sorted(self.gathers)
        fitting = [size for size in sizes if size <= table_bytes] or sizes[:1]
        return self.gathers[fitting[-1]]

    def floor_ms(self, moved_bytes: float, gathers: float, table_bytes: int) -> float:
        """The larger of the two times, in milliseconds."""
        return 1e3 * max(moved_bytes / self.copy, gathers / self.gather_rate(table_bytes))


def _cache_file(device: str) -> Path:
    return cache_root() / "ceilings" / f"{hashlib.sha256(device.encode()).hexdigest()[:16]}.json"


def ceilings(device: str, xp: ModuleType) -> Ceilings:
    """The ceilings of the device that ``xp`` computes on; ``device`` names it in the cache."""
    file = _cache_file(device)
    try:
        stored = json.loads(file.read_text())
        return Ceilings(stored["copy"], {int(k): v for k, v in stored["gathers"].items()})
    except (OSError, ValueError, KeyError, TypeError):
        found = measure(xp, TABLES_MIB if xp is not np else TABLES_MIB[:-1])
        try:
            with atomic_write(file) as out:
                out.write(json.dumps({"device": device, **asdict(found)}).encode())
        except InputError as error:
            _log.debug("ceilings not kept: %s", error)
        return found


def measure(xp: ModuleType, tables_mib: tuple[int, ...]) -> Ceilings:
    """Best of five of each, on arrays of random numbers."""
    count = (1 << 28) if xp is not np else (1 << 23)  # 4-byte words
    source = xp.arange(count, dtype=np.int32)
    target = xp.empty_like(source)
    copy = 8 * count / _best(xp, lambda: xp.copyto(target, source))
    gathers = {}
    accesses = count // 4
    for mib in tables_mib:
        words = mib << 18
        table = source[:words]
        # A multiplicative hash scatters the indices without a generator's state.
        index = (xp.arange(accesses, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
                 >> np.uint64(20)) % np.uint64(words)
        index = index.astype(np.int32)
        out = target[:accesses]
        gathers[mib << 20] = accesses / _best(xp, partial(_gather, xp, table, index, out))
    return Ceilings(copy, gathers)


def _gather(xp: ModuleType, table: Any, index: Any, out: Any) -> None:
    if xp is np:
        np.take(table, index, out=out, mode="clip")
    else:
        _gather_kernel(xp)(table, index, out)


def _gather_kernel(xp: ModuleType) -> Callable[..., Any]:
    kernel: Callable[..., Any] = xp.ElementwiseKernel(
        "raw int32 table, int32 index", "int32 out", "out = table[index]", "gunrock_gather"
    )
    return kernel


def _best(xp: ModuleType, work: Callable[[], Any], times: int = 5) -> float:
    """Seconds of the fastest of several runs, after one that warms up."""
    work()
    best = float("inf")
    for _ in range(times):
        if xp is np:
            begin = time.perf_counter()
            work()
            best = min(best, time.perf_counter() - begin)
        else:
            start, end = xp.cuda.Event(), xp.cuda.Event()
            start.record()
            work()
            end.record()
            end.synchronize()
            best = min(best, xp.cuda.get_elapsed_time(start, end) / 1e3)
    return best
