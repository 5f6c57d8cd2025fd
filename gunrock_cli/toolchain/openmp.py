"""OpenMP's runtime, which starts the threads of the cpu backend."""

from __future__ import annotations

import ctypes
import os
from functools import cache

_GNU = "libgomp.so.1"


def wait_briefly() -> None:
    """Let OpenMP's idle threads sleep after some 20 us, unless the user has said how they wait.

    By default GNU's hold their cores for milliseconds. Other programs then lack these, and the scheduler
    makes up for it in the middle of the next run [D-team-2]. OpenMP reads the setting when it is loaded.
    """
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ.setdefault("GOMP_SPINCOUNT", "1000")


@cache
def has_openmp() -> bool:
    """True if this machine has GNU's runtime, which comes with g++ and is often installed without it."""
    wait_briefly()
    try:
        ctypes.CDLL(_GNU)
    except OSError:
        return False
    return True
