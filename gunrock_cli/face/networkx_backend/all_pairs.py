"""Shortest paths between all pairs: a search from each node, made when its answer is asked for."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from gunrock_cli.face.networkx_backend.graph import GunrockGraph
from gunrock_cli.face.networkx_backend.runs import prepared
from gunrock_cli.face.networkx_backend.searches import (
    as_theirs,
    check_weight,
    lengths_from,
    nearest_first,
    reached_by,
)
from gunrock_cli.face.networkx_backend.trees import Paths, tree_from

Lengths = Iterator[tuple[Hashable, dict[Hashable, Any]]]


def all_pairs_shortest_path_length(G: GunrockGraph, cutoff: float | None = None) -> Lengths:
    """Each node with the hops to its reachable nodes."""
    return _lengths(G, cutoff, None)


def all_pairs_dijkstra_path_length(
    G: GunrockGraph, cutoff: float | None = None, weight: Any = "weight"
) -> Lengths:
    """Each node with the lengths of shortest paths to its reachable nodes, by whole weights."""
    _check_whole(G, cutoff, weight)
    return _lengths(G, cutoff, weight)


def all_pairs_shortest_path(
    G: GunrockGraph, cutoff: float | None = None
) -> Iterator[tuple[Hashable, Paths]]:
    """Each node with a path of fewest hops to its reachable nodes."""
    return _paths(G, cutoff, None)


def all_pairs_dijkstra_path(
    G: GunrockGraph, cutoff: float | None = None, weight: Any = "weight"
) -> Iterator[tuple[Hashable, Paths]]:
    """Each node with a shortest path to its reachable nodes, by whole weights."""
    _check_whole(G, cutoff, weight)
    return _paths(G, cutoff, weight)


def all_pairs_dijkstra(
    G: GunrockGraph, cutoff: float | None = None, weight: Any = "weight"
) -> Iterator[tuple[Hashable, tuple[dict[Hashable, Any], Paths]]]:
    """Each node with the lengths and the paths to its reachable nodes."""
    _check_whole(G, cutoff, weight)
    return (
        (node, (tree.distances(reached), tree.paths(reached)))
        for node, tree in ((node, tree_from(G, v, weight)) for v, node in enumerate(G.nodes))
        for reached in (tree.reached(cutoff),)
    )


def _lengths(G: GunrockGraph, cutoff: float | None, weight: Any) -> Lengths:
    if len(G):
        prepared("bfs" if weight is None else "sssp", G)  # refuses now, not in the middle
    return (
        (node, nearest_first(G, reached_by(G, found, cutoff, weight), as_theirs(G, found, weight)))
        for node, found in ((node, lengths_from(G, v, weight)) for v, node in enumerate(G.nodes))
    )


def _paths(G: GunrockGraph, cutoff: float | None, weight: Any) -> Iterator[tuple[Hashable, Paths]]:
    if len(G):
        prepared("bfs" if weight is None else "sssp", G, mark_pred=True)
    return (
        (node, tree.paths(tree.reached(cutoff)))
        for node, tree in ((node, tree_from(G, v, weight)) for v, node in enumerate(G.nodes))
    )


def _check_whole(G: GunrockGraph, cutoff: float | None, weight: Any) -> None:
    """Refuse weights whose sums may not fit: that would show after some pairs were given."""
    check_weight(weight)
    values = G.graph.csr.values
    if weight is None or (cutoff is not None and cutoff < 0):
        raise NotImplementedError("gunrock: a weight is the name of an attribute, no cutoff below 0")
    if values is not None and G.graph.m:
        sums = values.dtype.kind == "i" and int(values.max()) * len(G) < 2**31 and int(values.min()) >= 0
        if not sums:
            raise NotImplementedError("gunrock: all pairs by whole weights whose sums fit in 32 bits")
