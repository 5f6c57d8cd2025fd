"""The graph as every layer above sees it: compressed sparse rows, and their reverse.

Arrays are NumPy or CuPy (``Graph.xp`` says which); vertices count from 0 and are int32; row offsets are
int32 while the edges fit and int64 beyond; m counts directed edges.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import ModuleType
from typing import Any, TypedDict

import numpy as np

from gunrock_cli.graph.model.changes import Changes
from gunrock_cli.graph.model.changes import Tally as Tally
from gunrock_cli.graph.model.chunks import chunks
from gunrock_cli.jsontypes import Json

Array = Any
"""A NumPy or a CuPy array."""
MAX_VERTICES = 2**31 - 1
MOST_STRIDE = 2**20
"""The most edges by which threads that walk a list in strides pass its end. At 2^31 a 32-bit index would
wrap around."""
_WORTH_LOCKING = 1 << 24  # bytes
SMALL = 1 << 20
"""Arrays with fewer entries are sooner copied to the host than examined on a GPU: a new process first has
CuPy find and load a kernel for each kind of question. (An operator between a CuPy array and a number, as
in ``lengths > 4``, goes through NumPy to CuPy's ``__array_ufunc__``, which imports all of SciPy: 0.3 s.
Functions such as ``xp.greater`` do not, so code that every run executes calls these.)"""


def array_module(array: Array) -> ModuleType:
    """The module (numpy or cupy) that an array belongs to, without importing CuPy if NumPy will do."""
    if isinstance(array, np.ndarray):
        return np
    import cupy

    module: ModuleType = cupy
    return module


def moved(array: Array, xp: ModuleType) -> Array:
    """Move the array to the memory of ``xp`` (numpy or cupy); return the array itself if it is already
    there."""
    on_host = is_host_module(xp)
    if array_module(array) is (np if on_host else xp):
        return array
    return to_numpy(array) if on_host else to_device(array)


def is_host_module(xp: ModuleType) -> bool:
    """True if a module's arrays are in host memory: NumPy's, and arrays that only claim to be on a GPU
    (``graph/model/on_gpu.py``)."""
    return getattr(xp, "__name__", "") in ("numpy", "on_gpu")


def to_device(array: np.ndarray[Any, Any]) -> Array:
    """Copy an array to the GPU, straight from where it is.

    ``cupy.asarray`` would first copy it to page-locked memory allocated for that purpose, which costs
    several times the transfer to the device.
    """
    import cupy

    array = np.ascontiguousarray(array)
    out = cupy.empty(array.shape, array.dtype)
    with _page_locked(array):
        out.set(array)
        cupy.cuda.get_current_stream().synchronize()  # the array may be freed, or change
    return out


def offset_dtype(xp: ModuleType, m: int) -> Any:
    """int32 if m and a stride beyond it fit, otherwise int64."""
    return xp.int32 if m < 2**31 - MOST_STRIDE else xp.int64


@contextmanager
def _page_locked(array: np.ndarray[Any, Any]) -> Iterator[None]:
    """Page-lock the array's own memory for the block, if that is worth it and the system allows it."""
    from cupy.cuda import runtime

    locked = False
    if array.nbytes >= _WORTH_LOCKING:
        with suppress(runtime.CUDARuntimeError):
            runtime.hostRegister(array.ctypes.data, array.nbytes, 0)
            locked = True
    try:
        yield
    finally:
        if locked:
            runtime.hostUnregister(array.ctypes.data)


def to_numpy(array: Array) -> np.ndarray[Any, Any]:
    """A host copy of a device array; a host array itself."""
    return array if isinstance(array, np.ndarray) else array.get()


def fill_minus_one(array: Array) -> None:
    """Set every entry of an integer array to -1. On a GPU this sets bytes, which takes no kernel; CuPy's
    ``fill`` launches one for every value but 0."""
    if isinstance(array, np.ndarray):
        array.fill(-1)
    elif array.nbytes:
        array.data.memset_async(0xFF, array.nbytes)


def row_ids(row_offsets: Array, first: int, last: int) -> Array:
    """The row of each edge first .. last - 1: int32, shape (last - first,)."""
    xp = array_module(row_offsets)
    if xp is np:
        low = np.searchsorted(row_offsets, first, side="right") - 1
        high = np.searchsorted(row_offsets, last)
        within = np.diff(np.clip(row_offsets[low : high + 1], first, last))
        return np.repeat(np.arange(low, high, dtype=np.int32), within)
    edges = xp.arange(first, last, dtype=row_offsets.dtype)  # cupy.repeat accepts no array of counts
    return xp.subtract(xp.searchsorted(row_offsets, edges, side="right"), 1).astype(np.int32)


@dataclass(frozen=True)
class Csr:
    """Rows of neighbours: v's are ``column_indices[row_offsets[v]:row_offsets[v + 1]]``, ascending.
    ``values`` (int32 or float32, or None) are edge weights in the same order. ``first`` is the vertex of
    the first row, if a part of a graph does not begin with 0. ``made_of`` is set only if the rows have
    just been made from edges."""

    row_offsets: Array
    column_indices: Array
    values: Array | None = None
    first: int = 0
    made_of: Tally | None = None

    @property
    def n(self) -> int:
        return len(self.row_offsets) - 1

    @property
    def m(self) -> int:
        return len(self.column_indices)

    def degrees(self) -> Array:
        """Row lengths, shape (n,), in the dtype of the row offsets."""
        return self.row_offsets[1:] - self.row_offsets[:-1]

    def sample(self) -> Csr:
        """Rows in the current memory that are representative of all: all rows, unless they are in
        parts."""
        return self

    @cached_property
    def longest(self) -> int:
        """The number of entries in the longest row, 0 without rows; counted once."""
        if not self.n:
            return 0
        return int(self._lengths().max())

    def longer_than(self, length: int) -> int:
        """Count the rows with more entries than ``length``, once; 0 counts the rows that have any."""
        if length not in self._longer:
            lengths = self._lengths()
            self._longer[length] = int(array_module(lengths).greater(lengths, length).sum())
        return self._longer[length]

    @cached_property
    def _longer(self) -> dict[int, int]:
        return {}

    def _lengths(self) -> Array:
        """The lengths of all rows, on the host if they are few."""
        offsets = to_numpy(self.row_offsets) if self.n <= SMALL else self.row_offsets
        return offsets[1:] - offsets[:-1]

    def edges_of(self, chosen: Array) -> int:
        """Count the edges that begin at the vertices for which ``chosen`` (bool, shape (n,)) is true."""
        return int((self.degrees() * chosen).sum(dtype=np.int64))

    def sources(self) -> Array:
        """The vertex where each edge begins, as ``column_indices`` says where it ends: int32, shape (m,).
        Each call makes the array again, for callers that walk edges without their rows (a frontier of
        edges, an edge list)."""
        return row_ids(self.row_offsets, 0, self.m)

    def loops(self) -> int:
        """The number of entries that lead back to their own row."""
        xp, found = array_module(self.row_offsets), 0
        for begin, count in chunks(xp, self.m):
            rows = row_ids(self.row_offsets, begin, begin + count) + self.first
            found += int(xp.equal(rows, self.column_indices[begin : begin + count]).sum())
        return found

    @cached_property
    def repeats(self) -> bool:
        """True if a row has an entry twice; found once."""
        xp = array_module(self.row_offsets)
        for begin, count in chunks(xp, self.m - 1):
            entries = self.column_indices[begin : begin + count + 1]
            places = xp.add(xp.flatnonzero(xp.equal(entries[1:], entries[:-1])), begin + 1)
            at_or_before = xp.searchsorted(self.row_offsets, places, side="right")
            before = xp.searchsorted(self.row_offsets, places, side="left")
            if bool(xp.equal(at_or_before, before).any()):  # no row begins here
                return True
        return False

    def changes(self, both: bool, made_undirected: bool, made_of: Tally | None = None) -> Changes:
        """The changes to the edges that the rows were made of: each is stored in ``both`` directions, or
        in one."""
        tally = made_of or self.made_of
        return (
            Changes(self.m)
            if tally is None
            else Changes.of(tally, self.m, self.loops, both, made_undirected)
        )

    def for_counting(self) -> Csr:
        """The rows in the memory where questions about all of them are answered fastest: the host's if
        they are few."""
        return self.to(np) if self.n + self.m <= SMALL else self

    def to(self, xp: ModuleType) -> Csr:
        """The same rows in another array module, copied if memory must move."""
        if array_module(self.row_offsets) is xp:
            return self
        values = None if self.values is None else moved(self.values, xp)
        return Csr(moved(self.row_offsets, xp), moved(self.column_indices, xp), values, self.first)


class Described(TypedDict):
    """A record's fields on a graph's size and origin, and on the changes to its input."""

    vertices: int
    edges: int
    origin: Mapping[str, Json]
    changes: Mapping[str, int | bool] | None


@dataclass(frozen=True, repr=False)
class Graph:
    """A graph with its name and history.

    ``reverse`` holds in-edges; for an undirected graph it is ``csr`` itself, for a directed one None if
    nobody asked for it (``GraphSpec.reverse``). ``origin`` says where the graph came from (``{"kind":
    "market", "path": ...}``, ``{"kind": "rmat", "scale": ...}``) with every load or generator option, so
    that a record can name it exactly. ``hash`` is the XXH3-128 of n and the CSR arrays (hex, see
    ``content_hash``). ``names``: the user's names of the vertices (a pandas.Index), or None if they are
    numbers. ``vertex_weights``: int32, shape (n,), or (n, k) if each vertex has k of them; None if the
    file had none. ``changes``: what was done to the edges that were given (a ``changes.Changes``), or
    None if unknown.
    """

    name: str
    csr: Csr
    reverse: Csr | None
    undirected: bool
    hash: str = ""
    origin: Mapping[str, Json] = field(default_factory=dict)
    names: Any = None
    vertex_weights: Array | None = None
    changes: Changes | None = None

    def __repr__(self) -> str:
        kind = "undirected" if self.undirected else "directed"
        weighs = ", weighted" if self.weighted else ""
        return f"<{self.name}: {self.n:,} vertices, {self.m:,} directed edges, {kind}{weighs}>"

    @property
    def n(self) -> int:
        return self.csr.n

    @property
    def m(self) -> int:
        """The number of directed edges."""
        return self.csr.m

    @property
    def xp(self) -> ModuleType:
        return array_module(self.csr.row_offsets)

    @property
    def weighted(self) -> bool:
        return self.csr.values is not None

    def described(self) -> Described:
        """A record's fields on the graph's origin and the changes to its input."""
        return {
            "vertices": self.n,
            "edges": self.m,
            "origin": self.origin,
            "changes": None if self.changes is None else self.changes.to_dict(),
        }

    def to(self, xp: ModuleType) -> Graph:
        """The same graph with its arrays in ``xp`` (numpy or cupy)."""
        csr = self.csr.to(xp)
        weights = None if self.vertex_weights is None else moved(self.vertex_weights, xp)
        if self.reverse is None:
            return replace(self, csr=csr, vertex_weights=weights)
        reverse = csr if self.reverse is self.csr else self.reverse.to(xp)
        return replace(self, csr=csr, reverse=reverse, vertex_weights=weights)

    def for_counting(self) -> Graph:
        """The graph in the memory where questions about all of its rows are answered fastest."""
        return self.to(np) if self.n + self.m <= SMALL else self

    def without_reverse(self) -> Graph:
        """The graph without a directed graph's in-edges, which take as much memory as the rest."""
        return self if self.undirected else replace(self, reverse=None)
