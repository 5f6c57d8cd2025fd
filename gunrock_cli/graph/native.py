"""Rows made by compiled code (``cpp/``), on all cores, where there is a C++ compiler.

The same rows as the NumPy path of ``build`` gives, in less time and memory.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from gunrock_cli.graph.memory import require_host_memory
from gunrock_cli.graph.model import Csr, offset_dtype
from gunrock_cli.graph.native_library import FileJob, RowsJob, Shape, library

HostArray = np.ndarray[Any, Any]
WORTH_IT = 1 << 20
"""Edges from which on compiled code is called: below, NumPy and SciPy need no time to speak of."""
_KEYS_PER_BUCKET = 1 << 16
_MOST_BUCKETS = 1 << 10
_MOST_SMALL_BUCKETS = 1 << 14
"""As many buckets as are worth it to have keys of 32 bits."""
_PARTS_A_THREAD = 4
_KINDS: dict[Any, int] = {None: 0, np.dtype(np.int32): 1, np.dtype(np.float32): 2}
"""Weights as the compiled code numbers them."""
_LOOK = 0.1  # seconds


def rows_from_arrays(
    n: int, src: HostArray, dst: HostArray, weights: HostArray | None, *,
    both_directions: bool, keep_self_loops: bool, keep_duplicates: bool,
) -> Csr | None:
    """None where this path cannot be taken, and where an edge ends outside of 0 .. n - 1.

    ``src`` and ``dst`` are integers, ``weights`` int32, float32 or None.
    """
    kind = _KINDS.get(None if weights is None else weights.dtype)
    code = library() if len(src) >= WORTH_IT and kind is not None else None
    if code is None or kind is None:
        return None
    src, dst = (np.ascontiguousarray(ends, dtype=np.int32) for ends in (src, dst))
    given = None if weights is None else np.ascontiguousarray(weights)
    job = _Job(n, len(src), both_directions, keep_self_loops, keep_duplicates)
    edges = (_at(src), _at(dst))
    keys = code.gr_count_arrays(*job.arguments, *edges, len(src))
    if keys < 0:
        return None
    job.make_room(keys, None if given is None else given.dtype)
    m = code.gr_sort_arrays(*job.arguments, *edges, _at(given), len(src), kind)
    return None if m < 0 else job.rows(m)


def reads_market(entries: int) -> bool:
    """Whether ``rows_from_market`` is there for a file of so many entries."""
    return entries >= WORTH_IT and library() is not None


def rows_from_market(
    path: str, n: int, entries: int, body: int, values: np.dtype[Any] | None, *,
    both_directions: bool, keep_self_loops: bool, keep_duplicates: bool,
    report: Callable[[float], None],
) -> Csr | None:
    """The rows of a plain Matrix Market file whose entries begin at byte ``body``.

    ``values`` is what its values are read as: int32, float32, or None if it has none. Returns None
    where this path cannot be taken, and where an entry is not as simple as most writers write it, or
    wrong. ``report`` is called with the fraction read.
    """
    code = library() if entries >= WORTH_IT else None
    if code is None:
        return None
    job = _Job(n, entries, both_directions, keep_self_loops, keep_duplicates)
    with open(path, "rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        file = FileJob(begin=body, end=size, count=entries, descriptor=stream.fileno())
        arguments = (*job.arguments, ctypes.byref(file), _KINDS[values])

        def watched(call: Callable[..., int]) -> int:
            return _watched(lambda: call(*arguments), file, report, 2 * (size - body))

        keys = watched(code.gr_count_market)
        if keys < 0:
            return None
        job.make_room(keys, values)
        m = watched(code.gr_sort_market)
    return None if m < 0 else job.rows(m)


def _watched(call: Callable[[], int], file: FileJob, report: Callable[[float], None],
             total: int) -> int:
    """The call's result; Ctrl-C makes the reading stop at its next block."""
    with ThreadPoolExecutor(1) as pool:
        result = pool.submit(call)
        try:
            while not wait([result], _LOOK).done:
                report(min(1.0, file.done / max(1, total)))
        except BaseException:
            file.stop = 1
            raise
    return result.result()


class _Job:
    """Rows in the making: what ``cpp/rows.hpp`` is told, and the arrays it fills."""

    def __init__(self, n: int, edges: int, both: bool, loops: bool, duplicates: bool) -> None:
        from gunrock_cli.toolchain.threads import default_threads

        bits, threads = max(1, (n - 1).bit_length()), default_threads()
        shift, buckets = _buckets(n, edges * (2 if both else 1), bits)
        self._n = n
        self._key = np.dtype(np.uint32 if bits + shift <= 32 else np.uint64)
        parts = threads * _PARTS_A_THREAD
        self._shape = Shape(buckets, n, shift, bits, threads, parts, self._key.itemsize, both, loops,
                            duplicates)
        self._places = np.empty(parts * buckets, np.int64)
        self._starts = np.empty(buckets + 1, np.int64)
        self._offsets = np.zeros(n + 1, np.int64)
        self._keys = self._values = np.empty(0, self._key)
        self._rows = RowsJob(None, None, _at(self._places), _at(self._starts),
                             _at(self._offsets[1:]))
        self.arguments = (ctypes.byref(self._shape), ctypes.byref(self._rows))

    def make_room(self, keys: int, weights: np.dtype[Any] | None) -> None:
        """For so many keys, and weights where they are wanted; OutOfMemory where there is none."""
        size = self._key.itemsize + (weights.itemsize if weights else 0)
        require_host_memory(keys * size + self._offsets.nbytes,
                            f"{self._n} vertices and {keys} directed edges")
        self._keys = np.empty(keys, self._key)
        self._rows.keys = _at(self._keys)
        if weights:
            self._values = np.empty(keys, weights)
            self._rows.weights = _at(self._values)

    def rows(self, m: int) -> Csr:
        """What was made of the keys, its offsets as wide as need be."""
        np.cumsum(self._offsets, out=self._offsets)
        return Csr(self._offsets.astype(offset_dtype(np, m), copy=False),
                   _first(self._keys.view(np.int32), m),
                   _first(self._values, m) if self._rows.weights else None)


def _first(array: HostArray, count: int) -> HostArray:
    """The first entries, without the rest of the memory if that is much."""
    part = array[:count]
    return part if 10 * count >= 9 * len(array) else part.copy()


def _buckets(n: int, keys: int, bits: int) -> tuple[int, int]:
    """Rows of a bucket as a power of two, and how many buckets there are."""
    last = max(n, 1) - 1
    wanted = min(_MOST_BUCKETS, max(1, keys // _KEYS_PER_BUCKET))
    shift = 0
    while last >> shift >= wanted:
        shift += 1
    narrow = 32 - bits  # rows that leave keys 32 bits wide
    if narrow < shift and narrow >= 0 and last >> narrow < _MOST_SMALL_BUCKETS:
        shift = narrow
    return shift, (last >> shift) + 1


def _at(array: HostArray | None) -> ctypes.c_void_p:
    return ctypes.c_void_p(None if array is None else array.ctypes.data)
