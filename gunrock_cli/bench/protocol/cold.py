"""Cold runs: all that the device's caches hold is replaced before each timed run.

A buffer several times as large as the caches is overwritten, by every core that may run, or by each
device that shares the run. That leaves the caches full of changed lines, which must be written back
before they take others: a cold run pays for this, too."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from gunrock_cli.bench.ceilings import bandwidth_host
from gunrock_cli.engine.backend import cache_bytes
from gunrock_cli.errors import UsageError

TIMES_THE_CACHE = 4
"""How much larger the buffer is: caches do not always replace what was used longest ago."""


def flushing(backend: str, devices: Sequence[int] = ()) -> Callable[[], None]:
    """Return a function that flushes the caches of the ``devices`` (of the current one if none are
    named), or on the cpu backend of all cores. UsageError if their size is unknown."""
    return _of_cores() if backend == "cpu" else _of_devices(devices)


def _of_cores() -> Callable[[], None]:
    size = bandwidth_host.reported_cache_bytes()
    if not size:
        raise UsageError("--cold: this system does not report the size of its caches; leave it out")
    cores = sorted(os.sched_getaffinity(0))
    parts = np.array_split(np.empty(TIMES_THE_CACHE * size, np.uint8), len(cores))
    threads = ThreadPoolExecutor(len(cores))

    def overwrite(core: int, part: np.ndarray[Any, Any]) -> None:
        os.sched_setaffinity(0, {core})  # of this thread: each core has caches of its own
        part.fill(1)

    def flush() -> None:
        list(threads.map(overwrite, cores, parts))

    return flush


def _of_devices(devices: Sequence[int]) -> Callable[[], None]:
    import cupy

    buffers = []
    for number in devices or (int(cupy.cuda.Device().id),):
        with cupy.cuda.Device(number):
            size = TIMES_THE_CACHE * cache_bytes()
            try:  # outside CuPy's pool, whose peak a record notes
                buffers.append((number, cupy.cuda.Memory(size)))
            except cupy.cuda.runtime.CUDARuntimeError as error:
                raise MemoryError(f"{size:,} bytes to flush its cache (--cold)") from error

    def flush() -> None:
        for number, buffer in buffers:
            with cupy.cuda.Device(number):
                stream = cupy.cuda.get_current_stream().ptr
                cupy.cuda.runtime.memsetAsync(buffer.ptr, 1, buffer.size, stream)

    return flush
