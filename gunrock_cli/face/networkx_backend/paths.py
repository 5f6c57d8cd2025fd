"""Shortest paths with NetworkX's arguments; of equally short paths, one."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gunrock_cli.face.networkx_backend.functions import (
    single_source_dijkstra_path_length,
    single_source_shortest_path_length,
)
from gunrock_cli.face.networkx_backend.graph import GunrockGraph
from gunrock_cli.face.networkx_backend.lengths import check_lengths, within
from gunrock_cli.face.networkx_backend.runs import prepared, ran
from gunrock_cli.graph.model.graph import to_numpy

Paths = dict[Hashable, list[Hashable]]


def single_source_shortest_path(G: GunrockGraph, source: Hashable, cutoff: float | None = None) -> Paths:
    """A path of fewest hops to every reachable node, nearest first. NodeNotFound for an unknown
    source."""
    tree = _tree(G, source, None)
    return tree.paths(within(G, tree.lengths, cutoff))


def single_source_dijkstra_path(
    G: GunrockGraph, source: Hashable, cutoff: float | None = None, weight: Any = "weight"
) -> Paths:
    """A shortest path to every reachable node, nearest first: shortest for whole weights, otherwise in
    single precision. NodeNotFound for an unknown source."""
    _check_name(weight)
    tree = _tree(G, source, weight)
    return tree.paths(within(G, tree.lengths, cutoff))


def shortest_path(
    G: GunrockGraph, source: Any = None, target: Any = None, weight: Any = None, method: str = "dijkstra"
) -> Paths | list[Hashable]:
    """The path to one node or, without a target, to all. NodeNotFound for unknown nodes, NetworkXNoPath
    for an unreachable target."""
    _check_one_source(source, weight, method)
    if target is None:
        tree = _tree(G, source, weight)
        return tree.paths(tree.reached())
    end = _end(G, source, target)
    return _tree(G, source, weight).path(end)


def shortest_path_length(
    G: GunrockGraph, source: Any = None, target: Any = None, weight: Any = None, method: str = "dijkstra"
) -> dict[Hashable, Any] | float:
    """The length of the path to one node or, without a target, to all; errors are those of
    ``shortest_path``."""
    _check_one_source(source, weight, method)
    end = None if target is None else _end(G, source, target)
    found = (
        single_source_shortest_path_length(G, source)
        if weight is None
        else single_source_dijkstra_path_length(G, source, weight=weight)
    )
    if end is None:
        return found
    if target not in found:
        raise _no_path(source, target)
    length: float = found[target]
    return length


@dataclass(frozen=True)
class _Tree:
    """The predecessor of every vertex on its path from ``start``, and that path's length."""

    nodes: list[Hashable]
    start: int
    lengths: np.ndarray[Any, Any]
    predecessors: list[int]

    def path(self, end: int) -> list[Hashable]:
        """The path to a vertex."""
        if not self.reached()[end]:
            raise _no_path(self.nodes[self.start], self.nodes[end])
        found = [end]
        while found[-1] != self.start:
            found.append(self.predecessors[found[-1]])
        return [self.nodes[v] for v in reversed(found)]

    def paths(self, wanted: np.ndarray[Any, Any]) -> Paths:
        """The paths to those vertices, nearest first."""
        vertices = np.flatnonzero(wanted)
        order = vertices[np.argsort(self.lengths[vertices], kind="stable")].tolist()
        known: dict[int, list[Hashable]] = {self.start: [self.nodes[self.start]]}
        for v in order:
            steps = []  # a predecessor over an edge of weight 0 may come later
            while v not in known:
                steps.append(v)
                v = self.predecessors[v]
            for w in reversed(steps):
                known[w] = [*known[v], self.nodes[w]]
                v = w
        return {self.nodes[v]: known[v] for v in order}

    def reached(self) -> np.ndarray[Any, Any]:
        """True for each vertex that a path leads to."""
        return (self.lengths >= 0) & np.isfinite(self.lengths)


def _tree(G: GunrockGraph, source: Hashable, weight: str | None) -> _Tree:
    import networkx as nx

    start = G.vertex(source)
    if start is None:
        raise nx.NodeNotFound(f"Source {source} not in G")
    found = ran(prepared("bfs" if weight is None else "sssp", G, mark_pred=True), start)
    lengths = found.labels if weight is None else found.distances
    check_lengths(G, lengths)
    return _Tree(G.nodes, start, to_numpy(lengths), to_numpy(found.predecessors).tolist())


def _end(G: GunrockGraph, source: Hashable, target: Hashable) -> int:
    import networkx as nx

    if G.vertex(source) is None:
        raise nx.NodeNotFound(f"Source {source} is not in G")
    end = G.vertex(target)
    if end is None:
        raise nx.NodeNotFound(f"Target {target} is not in G")
    return end


def _no_path(source: Hashable, target: Hashable) -> Exception:
    import networkx as nx

    error: Exception = nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return error


def _check_one_source(source: Any, weight: Any, method: str) -> None:
    if source is None or method != "dijkstra":
        raise NotImplementedError("gunrock: paths from one source, by method dijkstra")
    if weight is not None:
        _check_name(weight)


def _check_name(weight: Any) -> None:
    if not isinstance(weight, str):
        raise NotImplementedError("gunrock: a weight is the name of an attribute")
