"""Measures a CPU's ceilings on all cores that the process may use, with compiled code
(``cpp/bandwidth.cpp``)."""

from __future__ import annotations

import ctypes
import os
import platform
from contextlib import suppress
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any

import psutil

from gunrock_cli.bench.ceilings.rates import Ceilings
from gunrock_cli.errors import OutOfMemory
from gunrock_cli.jsontypes import Json
from gunrock_cli.toolchain.code import text_key
from gunrock_cli.toolchain.host_code import HostSource
from gunrock_cli.toolchain.processor import processor_name

TABLES_MIB = (1, 8, 32, 128)
LEAST_MEMORY = 1 << 27
"""The fewest bytes that all threads together stream to see the memory's rate."""
TIMES_THE_CACHE = 4
SLICE = 1 << 22
"""Bytes of memory that a thread reads or writes between two barriers: about half a millisecond."""
ROUNDS = 4
"""Passes through an array that does not fit the cache; the fastest slice counts."""
CACHED_SLICES = 48
"""Passes over the same slice when it should stay in the cache."""
CACHED_BYTES = 1 << 23
"""The total bytes that a thread then moves between two barriers."""
GATHERS = 1 << 16
"""Accesses of a thread between two barriers."""
_SYSTEM = Path("/sys/devices/system/cpu")


class Kind(IntEnum):
    """``Kind`` of ``bandwidth.cpp``."""

    READ = 0
    WRITE = 1
    COPY = 2
    GATHER = 3


class _Job(ctypes.Structure):
    """``Job`` of ``bandwidth.cpp``."""

    _fields_ = (
        ("kind", ctypes.c_int),
        ("threads", ctypes.c_int),
        ("slices", ctypes.c_int),
        ("bytes", ctypes.c_int64),
        ("slice", ctypes.c_int64),
        ("repeats", ctypes.c_int64),
    )


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0))


def identity() -> dict[str, Json]:
    """The properties that ceilings depend on."""
    return {
        "name": processor_name(),
        "machine": platform.machine(),
        "cores": cores(),
        "clock_khz": highest_clock(),
        "cache_bytes": cache_bytes(),
        "code": host_source().code().identity,
    }


def memory_limit() -> float | None:
    """None, as a system does not report its memory's rated speed."""
    return None


def highest_clock(system: Path = _SYSTEM) -> int | None:
    """The highest clock of a core, in kHz; None if the system does not report it."""
    found = []
    for core in os.sched_getaffinity(0):
        with suppress(OSError, ValueError):
            found.append(int((system / f"cpu{core}/cpufreq/scaling_max_freq").read_text()))
    return max(found, default=None)


def cache_bytes(system: Path = _SYSTEM) -> int:
    """The size of the caches, or if the system does not report it, of the memory: the cache's rates then
    apply to everything."""
    return reported_cache_bytes(system) or psutil.virtual_memory().total


def reported_cache_bytes(system: Path = _SYSTEM) -> int:
    """The size of all data caches of these cores, each counted once, as no core need hold what another
    holds; 0 if the system does not report it."""
    caches: dict[tuple[str, str], int] = {}
    for core in os.sched_getaffinity(0):
        for folder in (system / f"cpu{core}/cache").glob("index*"):
            with suppress(OSError, ValueError):
                if (folder / "type").read_text().strip() == "Instruction":
                    continue
                sharing = (folder / "shared_cpu_list").read_text().strip()
                level = (folder / "level").read_text().strip()
                kilobytes = (folder / "size").read_text().strip().removesuffix("K")
                caches[level, sharing] = int(kilobytes) << 10
    return sum(caches.values())


def measure() -> Ceilings:
    """The best of many short measurements of each kind."""
    threads, cache_size = cores(), cache_bytes()
    # arrays several times the size of the caches, if there is room
    room = psutil.virtual_memory().available // 8
    memory = min(max(LEAST_MEMORY, TIMES_THE_CACHE * cache_size), max(LEAST_MEMORY, room))
    resident = [
        size
        for size in (1 << 14, 1 << 17, 1 << 19, cache_size // (2 * threads))
        if size * threads <= memory
    ]
    read, write, copy = (
        _from_memory(kind, memory, threads) for kind in (Kind.READ, Kind.WRITE, Kind.COPY)
    )
    cache_read, cache_write = (
        max(_from_cache(kind, size, threads) for size in resident) for kind in (Kind.READ, Kind.WRITE)
    )
    return Ceilings(
        memory_read=read,
        memory_write=write,
        cache_read=max(cache_read, read),
        cache_write=max(cache_write, write),
        cache_bytes=cache_size,
        copy=2 * copy,
        gathers={mib << 20: _gathers(mib << 20, threads) for mib in TABLES_MIB},
    )


def _from_memory(kind: Kind, size: int, threads: int) -> float:
    """Bytes/s when all threads together go over ``size`` bytes."""
    slices = max(1, size // threads // SLICE)
    job = _Job(kind, threads, ROUNDS * slices, slices * SLICE, SLICE, 1)
    return SLICE * threads / _fastest(job)


def _from_cache(kind: Kind, size: int, threads: int) -> float:
    """Bytes/s when each thread passes repeatedly over its own ``size`` bytes."""
    whole = max(256, size // 256 * 256)
    repeats = max(1, CACHED_BYTES // whole)
    return whole * repeats * threads / _fastest(_Job(kind, threads, CACHED_SLICES, whole, whole, repeats))


def _gathers(table: int, threads: int) -> float:
    """Accesses/s to a table that all threads share."""
    return GATHERS * threads / _fastest(_Job(Kind.GATHER, threads, CACHED_SLICES, table, table, GATHERS))


def _fastest(job: _Job) -> float:
    """Seconds of the fastest slice."""
    seconds = float(_library().gr_fastest_slice(ctypes.byref(job)))
    if seconds < 0:
        raise OutOfMemory(f"out of memory: {job.bytes * job.threads} bytes to measure this machine")
    return seconds


@cache
def _library() -> Any:
    found = host_source().code().load(lambda path: ctypes.CDLL(str(path))).code
    found.gr_fastest_slice.restype = ctypes.c_double
    return found


def host_source() -> HostSource:
    """What is compiled to measure."""
    main = Path(__file__).with_name("cpp") / "bandwidth.cpp"
    key = text_key("bandwidth", main.read_text("utf-8"))
    return HostSource("what measures memory", key, f'#include "{main}"\n', main)
