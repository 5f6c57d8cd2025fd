"""Prepare the input of ``cpp/rows.hpp`` and the memory that it fills with rows."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Csr, Tally, offset_dtype
from gunrock_cli.graph.model.memory import require_host_memory
from gunrock_cli.graph.rows.drawing import Window
from gunrock_cli.graph.rows.layout import layout
from gunrock_cli.graph.rows.native_library import RowsJob, Shape

HostArray = np.ndarray[Any, Any]
_PARTS_A_THREAD = 4
_BLOCK = 1 << 16


class Job:
    """Make the rows of n vertices from at most ``edges`` edges; ``arguments`` are the first ones of each
    call.

    ``frugal``: in as many passes as keep memory low (``layout``); ``expected`` is the number of columns
    left, if known. ``name`` names the graph in an OutOfMemory. ``window``: the edges that become rows, if
    not all.
    """

    def __init__(
        self,
        n: int,
        edges: int,
        both: bool,
        loops: bool,
        duplicates: bool,
        weights: np.dtype[Any] | None = None,
        frugal: bool = False,
        expected: int | None = None,
        name: str = "graph",
        window: Window | None = None,
        heaviest: bool = False,
    ) -> None:
        from gunrock_cli.toolchain.threads import default_threads

        window = window or Window(0, n, 0, n)
        self._rows_made, self._weights, self._name = window.rows, weights, name
        threads = default_threads()
        parts = threads * _PARTS_A_THREAD
        how = layout(
            window.rows,
            edges * (2 if both else 1),
            weights.itemsize if weights else 0,
            frugal,
            expected,
            columns=n,
        )
        self._layout = how
        bits = max(1, (n - 1).bit_length())
        self._offset = np.dtype(offset_dtype(np, edges * (2 if both else 1)))  # until m is known
        self._shape = Shape(
            how.buckets,
            n,
            window.first,
            window.rows,
            window.low,
            window.high - window.low,
            how.shift,
            bits,
            threads,
            parts,
            how.key.itemsize,
            both,
            loops,
            duplicates,
            self._offset.itemsize,
            heaviest,
        )
        self._places = np.empty(parts * how.buckets, np.int64)
        self._starts = np.empty(how.buckets + 1, np.int64)
        self._offsets = self._columns = self._values = np.empty(0, how.key)
        self._keys = self._scratch = np.empty(0, how.key)  # of one pass, if they are apart
        self._expected = expected
        self._edges, self._kept = edges, (loops, duplicates)
        self.rounds = how.rounds
        self._rows = RowsJob(places=address(self._places), starts=address(self._starts))
        self.arguments = (ctypes.byref(self._shape), ctypes.byref(self._rows))

    def sort(self, call: Callable[[], int], keys: int) -> Csr | None:
        """The rows, if ``call`` sorts ``keys`` keys over all passes; None if it fails."""
        if keys < 0:
            return None
        self.make_room(keys)
        m = 0
        for first, last in self._layout.passes(self._starts):
            self._rows.first, self._rows.last, self._rows.m = first, last, m
            if not self._layout.apart:  # the keys begin where their columns will be
                self._rows.keys = address(self._columns, m)
                self._rows.weights = address(self._values, m) if self._weights else None
            m = call()
            if m < 0:
                return None
        return replace(self._made(m), made_of=Tally(self._edges, keys, *self._kept))

    def make_room(self, keys: int) -> None:
        """Make room for ``keys`` keys; OutOfMemory if there is none."""
        how = self._layout
        weight_bytes = self._weights.itemsize if self._weights else 0
        apart = (
            max(int(self._starts[last] - self._starts[first]) for first, last in how.passes(self._starts))
            if how.apart
            else 0
        )
        inner = np.dtype(np.int32) if how.apart else how.key
        columns = keys if self._expected is None else min(keys, self._expected)
        require_host_memory(
            columns * (inner.itemsize + weight_bytes)
            + apart * (how.key.itemsize + weight_bytes)
            + self._offset.itemsize * (self._rows_made + 1),
            f"{self._name}: {self._rows_made} vertices and {columns} directed edges",
        )
        self._offsets = np.zeros(self._rows_made + 1, self._offset)
        self._rows.degrees = address(self._offsets, 1)
        self._columns = np.empty(keys, inner)  # memory that is never touched is never allocated
        self._keys = np.empty(apart, how.key)
        self._rows.columns, self._rows.keys = address(self._columns), address(self._keys)
        if self._weights:
            self._values, self._scratch = (np.empty(count, self._weights) for count in (keys, apart))
            self._rows.values, self._rows.weights = address(self._values), address(self._scratch)

    def _made(self, m: int) -> Csr:
        """Rows in exactly the memory that the columns need, with offsets no wider than necessary."""
        self._keys = self._scratch = np.empty(0, self._layout.key)
        np.cumsum(self._offsets, out=self._offsets, dtype=self._offset)
        width = self._columns.itemsize
        self._columns.resize((4 * m + width - 1) // width, refcheck=False)  # also frees untouched memory
        if self._weights:
            self._values.resize(m, refcheck=False)
        return Csr(
            _as_narrow_as(self._offsets, m),
            self._columns.view(np.int32)[:m],
            self._values if self._weights else None,
        )


def _as_narrow_as(offsets: HostArray, m: int) -> HostArray:
    """Narrow the offsets of m edges, in the same memory, to the type that fits them."""
    if offsets.dtype == offset_dtype(np, m):
        return offsets
    narrow = offsets.view(np.int32)
    for first in range(0, len(offsets), _BLOCK):  # overwrites only offsets already read
        last = min(first + _BLOCK, len(offsets))
        narrow[first:last] = offsets[first:last]
    del narrow
    count = len(offsets)
    offsets.resize((count + 1) // 2, refcheck=False)
    return offsets.view(np.int32)[:count]


def address(array: HostArray | None, first: int = 0) -> ctypes.c_void_p:
    """The address of an array, or of one of its entries."""
    return ctypes.c_void_p(None if array is None else array.ctypes.data + first * array.itemsize)
