"""Trussness of edges: the greatest k such that an edge belongs to a subgraph in which every edge is in at
least k - 2 triangles.

``trussness[e]`` is that of entry e of the graph's rows, from ``sources[e]`` to ``targets[e]``: the same
for both directions of an edge and for its repetitions, which do not count, at least 2, but 0 for loops.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.graph.model.ranges import ranges, shares
from gunrock_cli.operators.launch_shapes import NEXT_TO
from gunrock_cli.primitives.base import Primitive, Traffic, Validation, Work
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs, Shown
from gunrock_cli.primitives.variant import Macros, Member, Problem, Queues, Variant

LATER = 2**31 - 1
"""The kernel's round for edges that are not removed yet."""
_PATHS_AT_ONCE = 1 << 22
"""The most paths of two edges that the reference holds."""
_Numbers = np.ndarray[Any, Any]


class Peeling(Variant[Options]):
    """Edges of fewest triangles are removed, round by round."""

    kernel = "ktruss"

    @property
    def launch(self) -> Tuning:
        return NEXT_TO

    @property
    def defines(self) -> Macros:
        return {"GR_EDGE_FRONTIER": 1}

    @property
    def constants(self) -> Mapping[str, int]:
        return {"LATER": LATER}

    @property
    def queues(self) -> Queues:
        return Queues((self.graph.m // 2, self.graph.m // 2), lists=False)

    def members(self) -> Mapping[str, Member]:
        m, entry = self.graph.m, self.graph.csr.row_offsets.dtype
        return {
            "twins": Room(m, entry),
            "left": Room(m, np.int32, filled=0),
            "rounds": Room(m, np.int32, filled=LATER),
            "trussness": Room(m, np.int32, filled=0),
            "lists": Room(m // 2 * 2, entry),
            "most": m // 2,
            "least": Room(3, np.int32, filled=LATER),
        }

    def outputs(self, problem: Problem) -> dict[str, Array]:
        csr = self.graph.csr
        return {
            "trussness": problem["trussness"],
            "sources": csr.sources(),
            "targets": csr.column_indices,
        }


class KTruss(Primitive):
    name = "ktruss"
    summary = (
        "Trussness: the densest part of an undirected graph that each edge belongs to, by triangles."
    )
    variant = Peeling
    source = None
    needs = Needs(undirected=True)
    shows = Shown(
        vertices=("sources", "targets"),
        rows=MappingProxyType({"source": "sources", "target": "targets", "trussness": "trussness"}),
    )
    frontier = Frontier(advance_under=None)

    def work(self, graph: Graph, options: Options, outputs: dict[str, Array]) -> Work:
        """The greatest trussness, and the number of its edges."""
        trussness = outputs["trussness"]
        greatest = int(trussness.max()) if graph.m else 0
        if not greatest:
            return Work(metrics={"trussness": 0, "innermost": 0})
        entries = graph.xp.flatnonzero(trussness == greatest)
        tails, heads = graph.csr.sources()[entries], graph.csr.column_indices[entries]
        ends = tails.astype(np.int64) * graph.n + heads
        innermost = len(graph.xp.unique(ends[tails < heads]))
        return Work(metrics={"trussness": greatest, "innermost": innermost})

    def traffic(self, graph: Graph, options: Options, work: Work) -> Traffic:
        """One direction of every edge is read, and a number is written for it."""
        return Traffic(read=2 * graph.m, written=2 * graph.m)

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        return Validation.of_each(
            "numpy", "trussness", outputs["trussness"], trussness_of(graph), "entry"
        )


def trussness_of(graph: Graph) -> _Numbers:
    """Trussness of every entry by removing all edges of a level at once from a list of all triangles:
    int32, shape (m,)."""
    tails, heads = graph.csr.sources().astype(np.int64), graph.csr.column_indices
    codes = np.minimum(tails, heads) * graph.n + np.maximum(tails, heads)
    apart = tails != heads
    edges = np.unique(codes[apart])
    found = np.zeros(graph.m, np.int32)
    found[apart] = _peeled(len(edges), _triangles(graph.n, edges))[np.searchsorted(edges, codes[apart])]
    return found


def _peeled(count: int, triangles: _Numbers) -> _Numbers:
    """Trussness of edges 0 to count - 1 from the three edges of each triangle."""
    of_edges = np.argsort(triangles.ravel()) // 3  # the triangles of edge 0, those of edge 1, ...
    left = lengths = np.bincount(triangles.ravel(), minlength=count)
    starts = np.cumsum(lengths) - lengths
    found, there = np.full(count, 2, np.int32), np.ones(count, bool)
    whole = np.ones(len(triangles), bool)
    k = 0
    while there.any():
        k = max(k, int(left[there].min()))
        while len(leaving := np.flatnonzero(there & (left <= k))):
            found[leaving], there[leaving] = k + 2, False
            broken = np.unique(of_edges[ranges(starts[leaving], lengths[leaving])])
            broken = broken[whole[broken]]
            whole[broken] = False
            left = left - np.bincount(triangles[broken].ravel(), minlength=count)
    return found


def _triangles(n: int, edges: _Numbers) -> _Numbers:
    """The three edges of each triangle, shape (triangles, 3). ``edges``: sorted, smaller end * n + larger
    end."""
    found = [np.empty((0, 3), np.int64)]
    for first, second in _paths(n, edges):
        closing = edges[first] // n * n + edges[second] % n
        third = np.minimum(np.searchsorted(edges, closing), len(edges) - 1)
        closed = edges[third] == closing
        found.append(np.column_stack((first, second, third))[closed])
    return np.concatenate(found)


def _paths(n: int, edges: _Numbers) -> Iterator[tuple[_Numbers, _Numbers]]:
    """Every two edges of which the second begins where the first ends, a bounded number at a time."""
    heads = edges % n
    starts = np.searchsorted(edges, heads * n)
    lengths = np.searchsorted(edges, heads * n + n) - starts
    for first, last in shares(lengths, _PATHS_AT_ONCE):
        each = lengths[first:last]
        yield np.repeat(np.arange(first, last), each), ranges(starts[first:last], each)


PRIMITIVE = KTruss()
