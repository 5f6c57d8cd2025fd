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

from gunrock_cli.graph import memory
from gunrock_cli.graph.generate.drawing import Drawing
from gunrock_cli.graph.layout import is_large, layout
from gunrock_cli.graph.memory import require_host_memory
from gunrock_cli.graph.model import Csr, offset_dtype
from gunrock_cli.graph.native_library import DrawJob, FileJob, RowsJob, Shape, library

HostArray = np.ndarray[Any, Any]
WORTH_IT = 1 << 20
"""Edges from which on compiled code is called: below, NumPy and SciPy need no time to speak of."""
_PARTS_A_THREAD = 4
_KINDS: dict[Any, int] = {None: 0, np.dtype(np.int32): 1, np.dtype(np.float32): 2}
"""Weights as the compiled code numbers them."""
_RECIPES = ("Rmat", "Bipartite", "SmallWorld")
"""As the compiled code numbers them."""
_LOOK = 0.1  # seconds
_COMFORT = 0.8
"""Of the memory that is free: what may be taken to spare passes over a file."""
_BLOCK = 1 << 16


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
    job = _Job(n, len(src), both_directions, keep_self_loops, keep_duplicates,
               None if given is None else given.dtype)
    edges = (_at(src), _at(dst))
    keys = code.gr_count_arrays(*job.arguments, *edges, len(src))
    return job.sort(lambda: code.gr_sort_arrays(
        *job.arguments, *edges, _at(given), len(src), kind), keys)


def draws(drawing: Drawing) -> bool:
    """Whether ``rows_from_drawing`` is there for such a recipe."""
    return drawing.edges >= WORTH_IT and library() is not None


def rows_from_drawing(
    drawing: Drawing, *, both_directions: bool, keep_self_loops: bool, keep_duplicates: bool,
    turned: bool, report: Callable[[float], None],
) -> Csr | None:
    """The rows of edges that are drawn in each pass anew; None where this path cannot be taken.
    ``turned``: of the edges from v to u."""
    if not draws(drawing):
        return None
    code = library()
    keys = drawing.directed(both_directions)
    job = _Job(drawing.n, drawing.edges, both_directions, keep_self_loops, keep_duplicates,
               frugal=is_large(keys))
    job.expected = drawing.expected(both_directions, keep_self_loops, keep_duplicates)
    drawn = DrawJob(count=drawing.edges, turned=turned)
    arguments = (*job.arguments, _RECIPES.index(drawing.struct), _at(drawing.recipe),
                 ctypes.byref(drawn))
    total = drawing.edges * (1 + job.rounds(keys))

    def watched(call: Callable[..., int]) -> int:
        return _watched(lambda: call(*arguments), drawn, report, total)

    return job.sort(lambda: watched(code.gr_sort_drawn), watched(code.gr_count_drawn))


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
    most = entries * (2 if both_directions else 1)
    job = _Job(n, entries, both_directions, keep_self_loops, keep_duplicates, values,
               frugal=_is_short(n, most, values))
    with open(path, "rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        file = FileJob(begin=body, end=size, count=entries, descriptor=stream.fileno())
        arguments = (*job.arguments, ctypes.byref(file), _KINDS[values])
        total = (size - body) * (1 + job.rounds(most))

        def watched(call: Callable[..., int]) -> int:
            return _watched(lambda: call(*arguments), file, report, total)

        return job.sort(lambda: watched(code.gr_sort_market), watched(code.gr_count_market))


def _is_short(n: int, keys: int, weights: np.dtype[Any] | None) -> bool:
    """Whether there is too little memory to sort so many keys at a time."""
    weight = weights.itemsize if weights else 0
    width = layout(n, keys, weight).key.itemsize + weight
    return keys * width + 8 * n > _COMFORT * memory.available_bytes()


def _watched(call: Callable[[], int], file: FileJob | DrawJob, report: Callable[[float], None],
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

    def __init__(self, n: int, edges: int, both: bool, loops: bool, duplicates: bool,
                 weights: np.dtype[Any] | None = None, frugal: bool = False) -> None:
        from gunrock_cli.toolchain.threads import default_threads

        self._n, self._weights = n, weights
        threads = default_threads()
        parts = threads * _PARTS_A_THREAD
        how = layout(n, edges * (2 if both else 1), weights.itemsize if weights else 0, frugal)
        self._layout = how
        bits = max(1, (n - 1).bit_length())
        self._shape = Shape(how.buckets, n, how.shift, bits, threads, parts, how.key.itemsize, both,
                            loops, duplicates)
        self._places = np.empty(parts * how.buckets, np.int64)
        self._starts = np.empty(how.buckets + 1, np.int64)
        self._offsets = np.zeros(n + 1, np.int64)
        self._columns = self._values = np.empty(0, how.key)
        self._keys = self._scratch = np.empty(0, how.key)  # of a pass, where they lie apart
        self.expected: int | None = None  # columns, where that is known better than by counting keys
        self.rounds = how.rounds
        self._rows = RowsJob(places=_at(self._places), starts=_at(self._starts),
                             degrees=_at(self._offsets[1:]))
        self.arguments = (ctypes.byref(self._shape), ctypes.byref(self._rows))

    def sort(self, call: Callable[[], int], keys: int) -> Csr | None:
        """The rows, of what ``call`` sorts of so many keys in each pass; None where it fails."""
        if keys < 0:
            return None
        self.make_room(keys)
        m = 0
        for first, last in self._layout.passes(self._starts):
            self._rows.first, self._rows.last, self._rows.m = first, last, m
            if not self._layout.apart:  # the keys begin where their columns will
                self._rows.keys = _at(self._columns, m)
                self._rows.weights = _at(self._values, m) if self._weights else None
            m = call()
            if m < 0:
                return None
        return self._made(m)

    def make_room(self, keys: int) -> None:
        """For so many keys; OutOfMemory where there is none."""
        how = self._layout
        weight_bytes = self._weights.itemsize if self._weights else 0
        apart = max(int(self._starts[last] - self._starts[first])
                    for first, last in how.passes(self._starts)) if how.apart else 0
        inner = np.dtype(np.int32) if how.apart else how.key
        columns = keys if self.expected is None else min(keys, self.expected)
        require_host_memory(
            columns * (inner.itemsize + weight_bytes) + apart * (how.key.itemsize + weight_bytes)
            + self._offsets.nbytes, f"{self._n} vertices and {columns} directed edges")
        self._columns = np.empty(keys, inner)  # memory that is never touched is never taken
        self._keys = np.empty(apart, how.key)
        self._rows.columns, self._rows.keys = _at(self._columns), _at(self._keys)
        if self._weights:
            self._values, self._scratch = (np.empty(count, self._weights) for count in (keys, apart))
            self._rows.values, self._rows.weights = _at(self._values), _at(self._scratch)

    def _made(self, m: int) -> Csr:
        """Exactly the memory of the columns that there are, offsets as wide as need be."""
        self._keys = self._scratch = np.empty(0, self._layout.key)
        np.cumsum(self._offsets, out=self._offsets)
        width = self._columns.itemsize
        self._columns.resize((4 * m + width - 1) // width, refcheck=False)  # what was never touched, too
        if self._weights:
            self._values.resize(m, refcheck=False)
        return Csr(_as_narrow_as(self._offsets, m), self._columns.view(np.int32)[:m],
                   self._values if self._weights else None)


def _as_narrow_as(offsets: HostArray, m: int) -> HostArray:
    """Offsets of m edges, in the same memory."""
    if np.dtype(offset_dtype(np, m)).itemsize == 8:
        return offsets
    narrow = offsets.view(np.int32)
    for first in range(0, len(offsets), _BLOCK):  # what is written has been read
        last = min(first + _BLOCK, len(offsets))
        narrow[first:last] = offsets[first:last]
    del narrow
    count = len(offsets)
    offsets.resize((count + 1) // 2, refcheck=False)
    return offsets.view(np.int32)[:count]


def _at(array: HostArray | None, first: int = 0) -> ctypes.c_void_p:
    """The address of an array, or of one of its entries."""
    return ctypes.c_void_p(None if array is None else array.ctypes.data + first * array.itemsize)
