"""Dijkstra's functions with NetworkX's arguments; of equally short paths, one."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from gunrock_cli.face.networkx_backend.graph import GunrockGraph
from gunrock_cli.face.networkx_backend.searches import (
    as_theirs,
    check_weight,
    lengths_from,
    nearest_first,
    reached_by,
    start_of,
)
from gunrock_cli.face.networkx_backend.trees import Paths, Tree, tree_from

TreeOf = Callable[[GunrockGraph, int, Any], Tree]


def single_source_dijkstra_path_length(
    G: GunrockGraph, source: Hashable, cutoff: float | None = None, weight: Any = "weight"
) -> dict[Hashable, float]:
    """Lengths of shortest paths, nearest first: exact for whole weights, otherwise in single precision
    (NotImplementedError for a cutoff that cannot be told from a length). NodeNotFound for an unknown
    source."""
    check_named(weight)
    lengths = lengths_from(G, start_of(G, source, "Node {} not found in graph"), weight)
    return nearest_first(G, reached_by(G, lengths, cutoff, weight), as_theirs(G, lengths, weight))


def single_source_dijkstra(
    G: GunrockGraph,
    source: Hashable,
    target: Hashable | None = None,
    cutoff: float | None = None,
    weight: Any = "weight",
) -> tuple[Any, Any]:
    """Lengths and paths to all nodes, or to the target."""
    return single_source(tree_from, G, source, target, weight, cutoff)


def single_source_dijkstra_path(
    G: GunrockGraph, source: Hashable, cutoff: float | None = None, weight: Any = "weight"
) -> Paths:
    """A shortest path to every reachable node, nearest first: shortest for whole weights, otherwise in
    single precision. NodeNotFound for an unknown source."""
    paths: Paths = single_source_dijkstra(G, source, cutoff=cutoff, weight=weight)[1]
    return paths


def dijkstra_path(
    G: GunrockGraph, source: Hashable, target: Hashable, weight: Any = "weight"
) -> list[Hashable]:
    """A shortest path between two nodes."""
    if target is None:
        raise NotImplementedError("gunrock: no target")
    path: list[Hashable] = single_source_dijkstra(G, source, target, weight=weight)[1]
    return path


def dijkstra_path_length(
    G: GunrockGraph, source: Hashable, target: Hashable, weight: Any = "weight"
) -> float:
    """The length of a shortest path between two nodes."""
    import networkx as nx

    check_named(weight)
    start, end = start_of(G, source, "Node {} not found in graph"), G.vertex(target)
    if end == start:
        return 0
    lengths = lengths_from(G, start, weight)
    if end is None or not reached_by(G, lengths, None, weight)[end]:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    length: float = as_theirs(G, lengths[end : end + 1], weight)[0].item()
    return length


def single_source(
    tree_of: TreeOf,
    G: GunrockGraph,
    source: Hashable,
    target: Hashable | None,
    weight: Any,
    cutoff: float | None = None,
) -> tuple[Any, Any]:
    """Lengths and paths of the tree that ``tree_of`` makes, to all nodes, or to the target."""
    import networkx as nx

    check_named(weight)
    start = start_of(G, source, "Node {} not found in graph")
    if target == source:
        return 0, [target]
    tree = tree_of(G, start, weight)
    reached = tree.reached(cutoff)
    if target is None:
        return tree.distances(reached), tree.paths(reached)
    end = G.vertex(target)
    if end is None or not reached[end]:
        raise nx.NetworkXNoPath(f"No path to {target}.")
    return tree.length(end), tree.path(end)


def check_named(weight: Any) -> None:
    """Refuse weights without a name, which mean hops in some functions only."""
    if weight is None:
        raise NotImplementedError("gunrock: a weight is the name of an attribute")
    check_weight(weight)
