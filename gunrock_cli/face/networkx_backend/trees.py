"""Trees of shortest paths."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gunrock_cli.face.networkx_backend.graph import GunrockGraph
from gunrock_cli.face.networkx_backend.lengths import check_lengths
from gunrock_cli.face.networkx_backend.runs import prepared, ran
from gunrock_cli.face.networkx_backend.searches import as_theirs, check_weight, nearest_first, reached_by
from gunrock_cli.graph.arrays import graph_of_csr
from gunrock_cli.graph.model.graph import Array, to_numpy

Paths = dict[Hashable, list[Hashable]]


@dataclass(frozen=True)
class Tree:
    """The predecessor of every vertex on its path from one of the ``starts``, and that path's length."""

    G: GunrockGraph
    starts: frozenset[int]
    lengths: np.ndarray[Any, Any]
    predecessors: list[int]
    weight: Any

    def reached(self, cutoff: float | None = None) -> np.ndarray[Any, Any]:
        """True for each vertex to which a path leads that is no longer than the cutoff."""
        found: np.ndarray[Any, Any] = reached_by(self.G, self.lengths, cutoff, self.weight)
        return found

    def length(self, end: int) -> Any:
        """The length of the path to a vertex."""
        return as_theirs(self.G, self.lengths, self.weight)[end].item()

    def distances(self, wanted: np.ndarray[Any, Any]) -> dict[Hashable, Any]:
        """The lengths of the paths to those vertices, nearest first."""
        return nearest_first(self.G, wanted, as_theirs(self.G, self.lengths, self.weight))

    def path(self, end: int) -> list[Hashable]:
        """The path to a vertex that is reached."""
        found = [end]
        while found[-1] not in self.starts:
            found.append(self.predecessors[found[-1]])
        return [self.G.nodes[v] for v in reversed(found)]

    def paths(self, wanted: np.ndarray[Any, Any]) -> Paths:
        """The paths to those vertices, nearest first."""
        vertices, nodes = np.flatnonzero(wanted), self.G.nodes
        order = vertices[np.argsort(self.lengths[vertices], kind="stable")].tolist()
        known: dict[int, list[Hashable]] = {start: [nodes[start]] for start in self.starts}
        for v in order:
            steps = []  # a predecessor over an edge of weight 0 may come later
            while v not in known:
                steps.append(v)
                v = self.predecessors[v]
            for w in reversed(steps):
                known[w] = [*known[v], nodes[w]]
                v = w
        return {nodes[v]: known[v] for v in order}


def tree_from(G: GunrockGraph, start: int, weight: Any) -> Tree:
    """The tree of a single source, by hops if there is no weight."""
    check_weight(weight)
    found = ran(prepared("bfs" if weight is None else "sssp", G, mark_pred=True), start)
    lengths = found.labels if weight is None else found.distances
    check_lengths(G, lengths)
    predecessors = to_numpy(found.predecessors).tolist()
    return Tree(G, frozenset({start}), to_numpy(lengths), predecessors, weight)


def tree_from_any(G: GunrockGraph, starts: Iterable[int], weight: str) -> Tree:
    """The tree of several sources: that of one more vertex, with edges of weight 0 to them."""
    check_weight(weight)
    wider, n, sources = _with_root(G, sorted(set(starts))), len(G), frozenset(starts)
    found = ran(prepared("sssp", wider, mark_pred=True), n)
    check_lengths(wider, found.distances)
    lengths, predecessors = (to_numpy(each)[:n] for each in (found.distances, found.predecessors))
    return Tree(G, sources, lengths, predecessors.tolist(), weight)


def _with_root(G: GunrockGraph, starts: list[int]) -> GunrockGraph:
    csr, xp = G.graph.csr, G.graph.xp
    values = xp.ones(csr.m, np.int32) if csr.values is None else csr.values

    def longer(array: Array, more: list[int]) -> Array:
        return xp.concatenate((array, xp.asarray(more, array.dtype)))

    wider = graph_of_csr(
        longer(csr.row_offsets, [csr.m + len(starts)]),
        longer(csr.column_indices, starts),
        longer(values, [0] * len(starts)),
        name="networkx",
        xp=xp,
    )
    return GunrockGraph(wider, [*G.nodes, object()], True, G.is_multigraph(), True, G.edges)
