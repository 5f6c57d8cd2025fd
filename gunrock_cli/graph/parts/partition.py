"""Cut a graph into parts, one for each of several devices: the vertices that each owns, and their rows.

The vertices of a part are numbered consecutively, so that their values are a contiguous piece of an array
of all vertices. If they are scattered in the loaded graph (``layered``, ``striped``, ``random``), all
vertices are renumbered, and answers are mapped back.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gunrock_cli.errors import OutOfMemory
from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.graph import Array, Csr, Graph, array_module, offset_dtype, row_ids
from gunrock_cli.graph.parts.layered import MOST_EDGES, edges_searched, layered_order
from gunrock_cli.graph.rows.build import csr_from_edges

ALIGNMENT = 128
"""Parts begin at multiples of this, so that each word and each 16 bytes of a bitmap belong to one
part."""
DEALT = 32
"""Consecutive numbers that are dealt out together: with float32, a line of memory."""
SHORT_BORDER = 0.01
"""The share of a mesh's edges that contiguous parts may cut before layers are tried [D-layers-1]."""
LESS_CUT = 4
"""The factor by which layers must shorten the border: on a random graph they cut nearly as many edges."""
_STREAM = 3000
_EDGES_AT_A_TIME = 1 << 26


@dataclass(frozen=True)
class Partition:
    """Part ``k`` owns the numbers ``bounds[k]`` to ``bounds[k + 1] - 1``; ``order[number]`` is the
    graph's vertex with that number (None: every vertex keeps its own)."""

    kind: str
    bounds: tuple[int, ...]
    order: Array | None = None
    numbers: Array | None = None  # by vertex: the inverse of order

    @property
    def parts(self) -> int:
        return len(self.bounds) - 1

    def number(self, vertex: int) -> int:
        """The number of a vertex (in a graph without vertices, the vertex as given)."""
        return vertex if self.numbers is None or not len(self.numbers) else int(self.numbers[vertex])

    def owners(self, xp: Any) -> Array:
        """The part of every vertex of the graph."""
        inner = xp.asarray(self.bounds[1:-1], dtype=np.int64)
        numbers = xp.arange(self.bounds[-1]) if self.numbers is None else self.numbers
        return xp.searchsorted(inner, numbers, side="right").astype(np.int8)

    def in_graph_order(self, values: Array) -> Array:
        """Values by number, reordered by vertex."""
        return values if self.numbers is None else values[self.numbers]

    def vertices(self, numbers: Array) -> Array:
        """The graph's vertices with these numbers; negative ones stay as they are."""
        if self.order is None:
            return numbers
        xp = array_module(numbers)
        return xp.where(numbers < 0, numbers, self.order[xp.maximum(numbers, 0)])


@dataclass(frozen=True)
class Part(Graph):
    """One device's part of a graph. ``reverse`` has the in-edges of its own vertices (rows that count
    from ``first``); ``csr`` has the same edges by source, in rows of all vertices, or the out-edges of
    its own vertices; if neither was asked for, ``csr`` is ``reverse``. Ends of edges are numbers of the
    whole graph. n and m are also the whole graph's, or the part's own (``counted_from_zero``). With
    ``crossing``, rows hold only the edges within the part, and both ends count from ``first``
    (``cut_within``)."""

    whole_n: int = 0
    whole_m: int = 0
    whole: bool = True
    directed: bool = False
    bounds: tuple[int, ...] = ()  # of all parts
    first: int = 0
    last: int = 0
    degrees: Array = field(default=None)  # out-degrees of its own vertices, in the whole graph
    crossing: Array = field(default=None)
    """Edges to other parts' vertices, each once, as 64-bit words: the own end, from ``first``, above the
    lesser of both ends, in numbers of the whole graph, by which both owners know the edge."""

    @classmethod
    def of(
        cls, graph: Graph, partition: Partition, part: int, csr: Csr, reverse: Csr | None, degrees: Array
    ) -> Part:
        """The part of this number, with these rows and these out-degrees of its own vertices."""
        first, last = partition.bounds[part : part + 2]
        return cls(
            graph.name,
            csr,
            reverse,
            undirected=False,
            hash=graph.hash,
            origin=graph.origin,
            whole_n=graph.n,
            whole_m=graph.m,
            directed=not graph.undirected,
            bounds=partition.bounds,
            first=first,
            last=last,
            degrees=degrees,
        )

    @property
    def n(self) -> int:
        return self.whole_n if self.whole else self.last - self.first

    @property
    def m(self) -> int:
        return self.whole_m if self.whole else self.csr.m

    def border(self, either_way: bool = False) -> Array:
        """The part's vertices with edges to other parts, or, with ``either_way``, also with edges from
        them. This needs rows by source, or with ``either_way`` also by target."""
        within = (
            self.csr.row_offsets[self.first + 1 : self.last + 1]
            - self.csr.row_offsets[self.first : self.last]
        )
        inside = within == self.degrees
        if either_way:
            assert self.reverse is not None
            inside[_leaving(self.reverse, self.first, self.last)[1]] = False
        return (self.xp.flatnonzero(~inside) + self.first).astype(np.int32)

    def counted_from_zero(self) -> Part:
        """The part with rows of its own vertices only; the first of them is row 0."""
        assert self.reverse is not None
        rows = replace(self.reverse, first=0)
        return replace(self, csr=rows, reverse=rows, whole=False)


@dataclass(frozen=True)
class Parted:
    """A graph in parts. ``renumber_ms``: the time taken to renumber its vertices; None if they keep
    theirs."""

    partition: Partition
    parts: list[Part]
    renumber_ms: float | None = None


def partition_of(
    graph: Graph, parts: int, kind: str = "auto", seed: int = 0, mesh: bool = False
) -> Partition:
    """Cut a graph's vertices. ``contiguous``: ranges with about equally many edges; ``layered``: such
    ranges in the order of a search (``layered``); ``striped``: dealt out in turn; ``random``: shuffled,
    equally many vertices each. ``auto`` is contiguous; on a ``mesh``, whose long paths cross a long
    border again and again, it is layered if that shortens the border much."""
    if kind == "auto":
        return _auto(graph, parts, mesh)
    xp, n = graph.xp, graph.n
    if kind == "contiguous":
        return Partition(kind, _even_edges(graph.csr.row_offsets, parts, n))
    if kind == "layered":
        order = xp.asarray(layered_order(graph))
        edges = xp.zeros(n + 1, np.int64)
        edges[1:] = xp.cumsum(graph.csr.degrees()[order], dtype=np.int64)
        return _in_order(kind, _even_edges(edges, parts, n), order)
    even = bounds_at([n * k // parts for k in range(1, parts)], n)
    if kind == "striped":
        return _in_order(
            kind, even, xp.concatenate([xp.arange(k, n, parts, dtype=np.int32) for k in range(parts)])
        )
    return _in_order(kind, even, xp.argsort(rng.words(xp, 0, n, seed, _STREAM)).astype(np.int32))


def _auto(graph: Graph, parts: int, mesh: bool) -> Partition:
    """Choose contiguous or layered parts [D-layers-1]."""
    contiguous = partition_of(graph, parts, "contiguous")
    if not mesh or edges_searched(graph) > MOST_EDGES:
        return contiguous
    crossing = edges_cut(graph, contiguous)
    if crossing <= SHORT_BORDER * graph.m:
        return contiguous
    try:
        layered = partition_of(graph, parts, "layered")
    except OutOfMemory:  # on the host; auto does without layers
        return contiguous
    return layered if LESS_CUT * edges_cut(graph, layered) <= crossing else contiguous


def _even_edges(offsets: Array, parts: int, n: int) -> tuple[int, ...]:
    """Bounds of ranges with equally many edges; ``offsets`` counts the edges before each vertex."""
    wanted = np.arange(1, parts) * (int(offsets[-1]) / parts)
    xp = array_module(offsets)
    found = xp.searchsorted(offsets, xp.asarray(wanted.astype(offsets.dtype)))
    return bounds_at([int(bound) for bound in found], n)


def _in_order(kind: str, bounds: tuple[int, ...], order: Array) -> Partition:
    xp = array_module(order)
    numbers = xp.empty(len(order), np.int32)
    numbers[order] = xp.arange(len(order), dtype=np.int32)
    return Partition(kind, bounds, order, numbers)


def edges_cut(graph: Graph, partition: Partition) -> int:
    """The number of directed edges that lead from part to part."""
    owner, rows, count = partition.owners(graph.xp), graph.csr, 0
    for begin in range(0, graph.m, _EDGES_AT_A_TIME):
        end = min(graph.m, begin + _EDGES_AT_A_TIME)
        heads = owner[row_ids(rows.row_offsets, begin, end)]
        count += int((heads != owner[rows.column_indices[begin:end]]).sum())
    return count


def dealt(order: Array, parts: int) -> Partition:
    """Deal out vertices given in order of falling weight, so that every part gets the same mix of
    weights. The partition's numbers go part by part."""
    xp, n = array_module(order), len(order)
    mine = [dealt_numbers(xp, n, part, parts) for part in range(parts)]
    bounds = np.cumsum([0, *map(len, mine)]).tolist()
    return _in_order("dealt", tuple(bounds), order[xp.concatenate(mine)])


def dealt_numbers(xp: Any, n: int, part: int, parts: int) -> Array:
    """The numbers below n that are dealt to a part, ascending: ``DEALT`` to each in turn, back and forth
    (``dealt_place`` of kernels/operators/exchange.cuh)."""
    rounds = xp.arange(-(-n // (DEALT * parts)), dtype=np.int64)
    groups = rounds * parts + xp.where(rounds % 2, parts - 1 - part, part)
    numbers = (groups[:, None] * DEALT + xp.arange(DEALT)).ravel()
    return numbers[numbers < n].astype(np.int32)


def bounds_at(inner: list[int], n: int) -> tuple[int, ...]:
    """The bounds of parts of n vertices, near ``inner``, the wanted ends of all but the last."""
    last = n // ALIGNMENT * ALIGNMENT  # a part without vertices also begins at a multiple
    aligned = [min(last, round(bound / ALIGNMENT) * ALIGNMENT) for bound in inner]
    return (0, *aligned, n)


def renumbered(graph: Graph, partition: Partition) -> Graph:
    """The graph with the partition's numbers for vertices; the graph itself if they are the same."""
    numbers = partition.numbers
    if numbers is None:
        return graph

    def moved(csr: Csr) -> Csr:
        return csr_from_edges(
            graph.xp,
            graph.n,
            numbers[csr.sources()],
            numbers[csr.column_indices],
            csr.values,
            both_directions=False,
            keep_self_loops=True,
            keep_duplicates=True,
            name=graph.name,
        )

    csr = moved(graph.csr)
    if graph.reverse is None:
        return replace(graph, csr=csr)
    return replace(graph, csr=csr, reverse=csr if graph.reverse is graph.csr else moved(graph.reverse))


def cut(
    graph: Graph,
    partition: Partition,
    part: int,
    by_source: bool,
    by_target: bool,
    outward: bool = False,
    both: bool = False,
) -> Part:
    """One part of a graph that has the partition's numbers, in the graph's memory. ``by_source`` and
    ``by_target`` say which rows are wanted (see ``Part``), at least one; ``outward``: the out-edges of
    its own vertices in place of rows by source; ``both``: these as well, as further rows after those by
    source."""
    first, last = partition.bounds[part : part + 2]
    own = _slice(graph.reverse, first, last) if by_target and graph.reverse is not None else None
    csr = (
        _slice(graph.csr, first, last)
        if outward
        else ends_within(graph.csr, first, last)
        if by_source
        else own
    )
    assert csr is not None
    if both:
        csr = _stacked(csr, _slice(graph.csr, first, last))
    degrees = graph.csr.row_offsets[first + 1 : last + 1] - graph.csr.row_offsets[first:last]
    return Part.of(graph, partition, part, csr, own, degrees)


def with_everything(graph: Graph, partition: Partition, part: int, reverse: bool) -> Part:
    """One part of a graph that has the partition's numbers, with the whole graph's rows, if ``reverse``
    also those of in-edges."""
    first, last = partition.bounds[part : part + 2]
    degrees = graph.csr.row_offsets[first + 1 : last + 1] - graph.csr.row_offsets[first:last]
    in_edges = graph.csr if graph.undirected else graph.reverse
    return Part.of(graph, partition, part, graph.csr, in_edges if reverse else None, degrees)


def cut_within(graph: Graph, partition: Partition, part: int) -> Part:
    """One part of a graph, with the edges between its own vertices separate from those to other parts.
    Both directions of a crossing edge count as one."""
    first, last = partition.bounds[part : part + 2]
    sides = [_slice(graph.csr, first, last)]
    if not graph.undirected and graph.reverse is not None:
        sides.append(_slice(graph.reverse, first, last))
    return part_within(graph, sides, partition, part)


def part_within(graph: Graph, sides: list[Csr], partition: Partition, part: int) -> Part:
    """The part of ``cut_within``, from the rows of its own vertices: out-edges, for directed graphs also
    in-edges."""
    first, last = partition.bounds[part : part + 2]
    xp = array_module(sides[0].row_offsets)
    crossing = xp.unique(xp.concatenate([_crossing(side, first, last) for side in sides]))
    rows = []
    for side in sides:
        inside = ends_within(side, first, last)
        rows.append(replace(inside, column_indices=inside.column_indices - np.int32(first)))
    made = Part.of(graph, partition, part, rows[0], rows[-1], sides[0].degrees())
    return replace(made, whole=False, crossing=crossing)


def _crossing(rows: Csr, first: int, last: int) -> Array:
    """The words of ``Part.crossing`` for these rows of its vertices."""
    edges, own = _leaving(rows, first, last)
    others = rows.column_indices[edges].astype(np.int64)
    lesser = array_module(others).minimum(own + first, others)
    return (own.astype(np.int64) << 32 | lesser).astype(np.uint64)


def _leaving(rows: Csr, first: int, last: int) -> tuple[Array, Array]:
    """The entries of a part's rows that are other parts' vertices, and their rows, counted from
    ``first``."""
    xp, columns = array_module(rows.row_offsets), rows.column_indices
    edges = xp.flatnonzero((columns < first) | (columns >= last))
    begun = xp.searchsorted(rows.row_offsets, edges.astype(rows.row_offsets.dtype), side="right")
    return edges, begun - 1


def with_offsets(part: Part, dtype: Any) -> Part:
    """The part with row offsets and degrees of one type, which all parts must share."""

    def converted(csr: Csr) -> Csr:
        return replace(csr, row_offsets=csr.row_offsets.astype(dtype, copy=False))

    csr = converted(part.csr)
    reverse = part.reverse and (csr if part.reverse is part.csr else converted(part.reverse))
    return replace(part, csr=csr, reverse=reverse, degrees=part.degrees.astype(dtype, copy=False))


def offsets_for(parts: list[Part]) -> Any:
    """The type of offsets that the largest part needs."""
    return np.dtype(offset_dtype(np, max(part.csr.m for part in parts)))


def _slice(csr: Csr, first: int, last: int) -> Csr:
    """A copy of rows first .. last - 1."""
    offsets = csr.row_offsets[first : last + 1]
    begin, end = int(offsets[0]), int(offsets[-1])
    values = None if csr.values is None else csr.values[begin:end].copy()
    return Csr(offsets - offsets[0], csr.column_indices[begin:end].copy(), values, first)


def _stacked(above: Csr, below: Csr) -> Csr:
    """Rows that join those of both, one after the other."""
    xp = array_module(above.row_offsets)
    offsets = below.row_offsets[1:].astype(np.int64) + above.m
    values = (
        None
        if above.values is None or below.values is None
        else xp.concatenate([above.values, below.values])
    )
    return Csr(
        xp.concatenate([above.row_offsets.astype(np.int64), offsets]),
        xp.concatenate([above.column_indices, below.column_indices]),
        values,
        above.first,
    )


def ends_within(csr: Csr, first: int, last: int) -> Csr:
    """The rows with only the edges that end in first .. last - 1. Edges are taken in pieces, as the
    temporaries for each take more memory than the edge."""
    xp, m = array_module(csr.row_offsets), csr.m
    before = xp.zeros(csr.n + 1, np.int64)  # the number of edges kept in the rows before each row
    columns, values, count = [csr.column_indices[:0]], [], 0
    for begin in range(0, m, _EDGES_AT_A_TIME):
        end = min(m, begin + _EDGES_AT_A_TIME)
        inside = (csr.column_indices[begin:end] >= first) & (csr.column_indices[begin:end] < last)
        running = xp.zeros(end - begin + 1, np.int64)
        running[1:] = xp.cumsum(inside, dtype=np.int64)
        low, high = _rows_begun(csr, begin), _rows_begun(csr, end)
        before[low:high] = count + running[csr.row_offsets[low:high] - begin]
        columns.append(csr.column_indices[begin:end][inside])
        if csr.values is not None:
            values.append(csr.values[begin:end][inside])
        count += int(running[-1])
    return Csr(
        before,
        xp.concatenate(columns),
        xp.concatenate([csr.values[:0], *values]) if csr.values is not None else None,
    )


def _rows_begun(csr: Csr, edge: int) -> int:
    """The number of rows that begin at or before an edge."""
    xp, offsets = array_module(csr.row_offsets), csr.row_offsets
    return int(xp.searchsorted(offsets, xp.asarray([edge], offsets.dtype), side="right")[0])
