"""Draw generated graphs in parts: every device draws the rows that it owns, in passes like a single
device that draws all of them, and no memory ever holds the whole.

The owners are decided first: one device draws all edges once, to count them by bucket of rows. Then every
device draws every edge in each pass, and keeps the edges that begin in its rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from types import ModuleType
from typing import Any

import numpy as np

from gunrock_cli.errors import GunrockError, OutOfMemory
from gunrock_cli.graph.load import graph_name, load_graph, origin_of
from gunrock_cli.graph.model.graph import Array, Csr, Graph, Tally, offset_dtype, to_numpy
from gunrock_cli.graph.model.hashing import recipe_hash
from gunrock_cli.graph.model.memory import require_memory
from gunrock_cli.graph.parts.parted import GraphInParts, Places, RowsInParts, on_each
from gunrock_cli.graph.parts.partition import Partition, bounds_at
from gunrock_cli.graph.rows import native_library
from gunrock_cli.graph.rows.drawing import Drawing, Piece, Window, bucket_shift
from gunrock_cli.graph.sources.generate import GENERATORS, complete_params, drawing_of
from gunrock_cli.graph.sources.progress import Progress, silent
from gunrock_cli.graph.spec import GraphSpec

_BESIDE = 0.05
"""The least memory that drawing takes besides the rows, as a share of theirs."""


@dataclass(frozen=True)
class Outline(Csr):
    """Rows not drawn yet: their number, and about how many edges they have."""

    vertices: int = 0
    edges: int = 0

    @property
    def n(self) -> int:
        return self.vertices

    @property
    def m(self) -> int:
        return self.edges

    @cached_property
    def longest(self) -> int:
        """The most that a row could have: runs on graphs with hubs take more memory."""
        return self.edges


@dataclass(frozen=True)
class Undrawn(Graph):
    """A generated graph before anything is drawn: enough to decide which devices will hold it. It counts
    as being on the host."""

    spec: GraphSpec = field(default_factory=lambda: GraphSpec("rmat"))

    def to(self, xp: ModuleType) -> Graph:
        """Draw the whole graph as one piece."""
        return load_graph(self.spec, xp)

    def in_parts(self, places: Places, progress: Progress = silent) -> GraphInParts:
        """Draw the graph in parts, one on each of several devices."""
        return drawn_in_parts(self.spec, places, progress)


def undrawn(spec: GraphSpec, xp: ModuleType) -> Undrawn | None:
    """The graph if it can be drawn in parts in the memory of ``xp``; None for files, for generators whose
    edges are not each a function of their number, and for weights."""
    drawing = _drawing(spec)
    if drawing is None or (xp is np and native_library.library() is None):
        return None
    both = spec.undirected or drawing.symmetric
    edges = drawing.expected(both, spec.keep_self_loops, spec.keep_duplicates)
    rows = Outline(
        np.empty(0, offset_dtype(np, edges)), np.empty(0, np.int32), vertices=drawing.n, edges=edges
    )
    return Undrawn(
        graph_name(spec),
        rows,
        rows if both or spec.reverse else None,
        both,
        origin=origin_of(spec),
        spec=spec,
    )


def _drawing(spec: GraphSpec) -> Drawing | None:
    plain = spec.kind in GENERATORS and spec.weights in (None, "none") and spec.vertex_names is None
    return drawing_of(spec.kind, complete_params(spec.kind, spec.params)) if plain else None


def drawn_in_parts(spec: GraphSpec, places: Places, progress: Progress = silent) -> GraphInParts:
    """Draw the graph of a spec that ``undrawn`` accepts: ``load_graph``'s graph, in ranges of vertices
    from which about equally many edges are drawn."""
    drawing = _drawing(spec)
    if drawing is None:
        raise GunrockError(f"{graph_name(spec)} is not drawn in parts")
    drawer = _Drawer(spec, drawing, places, progress)
    try:
        return drawer.graph()
    except MemoryError as error:  # NumPy's or CuPy's
        raise OutOfMemory(f"not enough memory for a part of {drawer.name}: {error}") from error


def _tools(xp: ModuleType) -> Any:
    """The module that draws in the memory of ``xp``."""
    if xp is np:
        from gunrock_cli.graph.rows import native

        return native
    from gunrock_cli.graph.rows import device_rows

    return device_rows


class _Drawer:
    """Draws one graph on several devices."""

    def __init__(self, spec: GraphSpec, drawing: Drawing, places: Places, progress: Progress) -> None:
        self.name = graph_name(spec)
        self._spec, self._drawing, self._places, self._progress = spec, drawing, places, progress
        self._both = spec.undirected or drawing.symmetric
        self._cleaning = {"both_directions": self._both, "keep_self_loops": spec.keep_self_loops}

    def graph(self) -> GraphInParts:
        self._progress(f"counting the edges of {self.name}", None)
        before = self._keys_before(turned=False)
        partition = self._partition(before)
        outward = self._keys_of_parts(before, partition)
        inward = outward if self._both else self._keys_of_parts(self._keys_before(turned=True), partition)
        csr = self._rows(partition, outward, turned=False)
        reverse = (
            csr
            if self._both
            else self._rows(partition, inward, turned=True)
            if self._spec.reverse
            else None
        )
        origin = origin_of(self._spec)
        made_of = Tally(
            self._drawing.edges, sum(outward), self._spec.keep_self_loops, self._spec.keep_duplicates
        )
        added = self._spec.undirected and not self._drawing.symmetric
        changes = csr.changes(self._both, added, made_of).of_drawn()

        def ends_within(place: int) -> Csr:
            low, high = partition.bounds[place : place + 2]
            return self._draw(
                place, Piece(Window(0, self._drawing.n, low, high), inward[place]), turned=False
            )

        said = {**origin, "weights": "none", "weight_type": None}
        return GraphInParts(
            self.name,
            csr,
            reverse,
            self._both,
            hash=recipe_hash(origin, csr.n, csr.m),
            origin=said,
            partition=partition,
            places=self._places,
            ends_within=ends_within,
            changes=changes,
        )

    @property
    def _shift(self) -> int:
        return bucket_shift(self._drawing.n)

    def _keys_before(self, turned: bool) -> np.ndarray[Any, Any]:
        """The number of directed edges drawn in the rows before each bucket, and in all rows."""
        with self._places.at(0):
            counts = to_numpy(
                _tools(self._places.xp).tally_of_drawing(
                    self._drawing, self._drawing.whole, self._shift, turned=turned, **self._cleaning
                )
            )
        return np.concatenate(([0], np.cumsum(counts)))

    def _keys_of_parts(self, before: np.ndarray[Any, Any], partition: Partition) -> list[int]:
        """The number of directed edges drawn in each part; parts begin where buckets do."""
        at = [int(before[-(-bound >> self._shift)]) for bound in partition.bounds]
        return [last - first for first, last in pairwise(at)]

    def _partition(self, before: np.ndarray[Any, Any]) -> Partition:
        parts, n = len(self._places), self._drawing.n
        found = np.searchsorted(before, np.arange(1, parts) * (int(before[-1]) / parts))
        inner = [min(int(bucket), n >> self._shift) << self._shift for bucket in found]
        return Partition("contiguous", bounds_at(inner, n))

    def _rows(self, partition: Partition, keys: list[int], turned: bool) -> RowsInParts:
        def of(place: int) -> Csr:
            first, last = partition.bounds[place : place + 2]
            piece = Piece(Window(first, last, 0, self._drawing.n), keys[place])
            return replace(self._draw(place, piece, turned), first=first)

        return RowsInParts.of(on_each(self._places, of), self._places)

    def _draw(self, place: int, piece: Piece, turned: bool) -> Csr:
        spec, xp = self._spec, self._places.xp
        what = f"generating {self.name} in {len(self._places)} parts"
        kept = self._drawing.expected_of(
            piece.keys, self._both, spec.keep_self_loops, spec.keep_duplicates
        )
        size = 8 * (piece.window.rows + 1) + 4 * kept
        with self._places.at(place):
            require_memory(
                xp,
                size + int(_BESIDE * size),
                f"part {place} of {self.name}: {piece.window.rows} rows and up to {kept} directed edges",
            )
            rows: Csr | None = _tools(xp).rows_from_drawing(
                self._drawing,
                **self._cleaning,
                keep_duplicates=spec.keep_duplicates,
                turned=turned,
                name=f"part {place} of {self.name}",
                piece=piece,
                report=lambda fraction: self._progress(what, (place + fraction) / len(self._places)),
            )
        if rows is None:
            raise GunrockError(f"part {place} of {self.name} could not be drawn; is there a compiler?")
        return rows


def raw_degrees(spec: GraphSpec, places: Places, bounds: tuple[int, ...]) -> list[Array]:
    """Count a generator's edges by the vertex where they begin, with loops and repetitions and without
    added reverses: each device counts for its own vertices, by ``bounds``."""
    drawing = _drawing(spec)
    assert drawing is not None
    tally = _tools(places.xp).tally_of_drawing

    def of(place: int) -> Array:
        first, last = bounds[place : place + 2]
        with places.at(place):
            return tally(
                drawing,
                Window(first, last, 0, drawing.n),
                0,
                both_directions=False,
                keep_self_loops=True,
                turned=False,
            )

    return on_each(places, of)
