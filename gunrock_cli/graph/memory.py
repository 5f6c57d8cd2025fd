"""Refusing what the host cannot hold, before the system kills the process for it; giving back what the
GPU no longer needs."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import psutil

from gunrock_cli.errors import OutOfMemory

_GIB = 2**30


def available_bytes() -> int:
    """Host memory that can be taken now without swapping."""
    return int(psutil.virtual_memory().available)


def require_host_memory(needed: int, what: str) -> None:
    """OutOfMemory, with both sizes, where ``needed`` bytes are more than there are."""
    available = available_bytes()
    if needed > available:
        raise OutOfMemory(f"not enough memory for {what}: it needs about {needed / _GIB:.1f} GiB, and "
                          f"{available / _GIB:.1f} GiB are free")


def release_unused(xp: ModuleType) -> None:
    """Give temporaries on the GPU back to the driver: primitives measure peak memory."""
    if xp is not np:
        xp.get_default_memory_pool().free_all_blocks()
