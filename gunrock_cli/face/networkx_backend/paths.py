"""Shortest paths with NetworkX's arguments; of equally short paths, one."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from gunrock_cli.face.networkx_backend.all_pairs import (
    all_pairs_dijkstra_path,
    all_pairs_dijkstra_path_length,
    all_pairs_shortest_path,
    all_pairs_shortest_path_length,
)
from gunrock_cli.face.networkx_backend.bellman_ford import any_lengths, any_paths
from gunrock_cli.face.networkx_backend.dijkstra import check_named
from gunrock_cli.face.networkx_backend.graph import GunrockGraph
from gunrock_cli.face.networkx_backend.runs import needs_version
from gunrock_cli.face.networkx_backend.searches import (
    as_theirs,
    check_weight,
    lengths_from,
    nearest_first,
    reached_by,
    start_of,
)
from gunrock_cli.face.networkx_backend.trees import Paths, tree_from

METHODS = ("dijkstra", "bellman-ford")
"""NetworkX's; without negative weights both give the same lengths."""
Pairs = Iterator[tuple[Hashable, Any]]


def single_source_shortest_path_length(
    G: GunrockGraph, source: Hashable, cutoff: float | None = None
) -> dict[Hashable, int]:
    """The hops to every reachable node, nearest first. NodeNotFound for an unknown source."""
    hops = lengths_from(G, start_of(G, source, "Source {} is not in G"), None)
    return nearest_first(G, reached_by(G, hops, cutoff, None), hops)


def single_target_shortest_path_length(
    G: GunrockGraph, target: Hashable, cutoff: float | None = None
) -> dict[Hashable, int]:
    """The hops from every node that reaches the target, nearest first."""
    needs_version(3, 5)  # those before give an iterator
    hops = lengths_from(G.reversed(), start_of(G, target, "Target {} is not in G"), None)
    return nearest_first(G, reached_by(G, hops, cutoff, None), hops)


def single_source_shortest_path(G: GunrockGraph, source: Hashable, cutoff: float | None = None) -> Paths:
    """A path of fewest hops to every reachable node, nearest first. NodeNotFound for an unknown
    source."""
    tree = tree_from(G, start_of(G, source, "Source {} not in G"), None)
    return tree.paths(tree.reached(cutoff))


def single_target_shortest_path(G: GunrockGraph, target: Hashable, cutoff: float | None = None) -> Paths:
    """A path of fewest hops from every node that reaches the target."""
    tree = tree_from(G.reversed(), start_of(G, target, "Target {} not in G"), None)
    return _backwards(tree.paths(tree.reached(cutoff)))


def bidirectional_shortest_path(G: GunrockGraph, source: Hashable, target: Hashable) -> list[Hashable]:
    """A path of fewest hops between two nodes, searched from the source alone."""
    return _between(G, source, target, None)[1]


def bidirectional_dijkstra(
    G: GunrockGraph, source: Hashable, target: Hashable, weight: Any = "weight"
) -> tuple[Any, list[Hashable]]:
    """The length and a shortest path between two nodes, searched from the source alone."""
    check_named(weight)
    return _between(G, source, target, weight)


def shortest_path(
    G: GunrockGraph, source: Any = None, target: Any = None, weight: Any = None, method: str = "dijkstra"
) -> Paths | list[Hashable] | Pairs:
    """The path between two nodes; without a target to all, without a source from all, without both
    between all pairs."""
    _check_method(weight, method)
    if source is None and target is None:
        needs_version(3, 5)  # those before give a dictionary
    if weight is not None and method == "bellman-ford":
        found: Paths | list[Hashable] | Pairs = any_paths(G, source, target, weight)
        return found
    if source is None and target is None:
        return all_pairs_shortest_path(G) if weight is None else all_pairs_dijkstra_path(G, weight=weight)
    if source is None:
        tree = tree_from(G.reversed(), start_of(G, target, "Node {} not in G"), weight)
        return _backwards(tree.paths(tree.reached()))
    if target is None:
        tree = tree_from(G, start_of(G, source, "Source {} not in G"), weight)
        return tree.paths(tree.reached())
    return _between(G, source, target, weight)[1]


def shortest_path_length(
    G: GunrockGraph, source: Any = None, target: Any = None, weight: Any = None, method: str = "dijkstra"
) -> dict[Hashable, Any] | float | Pairs:
    """The length of the path, or of the paths, of ``shortest_path``; with the same errors."""
    import networkx as nx

    _check_method(weight, method)
    if weight is not None and method == "bellman-ford":
        found: dict[Hashable, Any] | float | Pairs = any_lengths(G, source, target, weight)
        return found
    if source is None and target is None:
        if weight is None:
            return all_pairs_shortest_path_length(G)
        return all_pairs_dijkstra_path_length(G, weight=weight)
    begin = source if source is not None else target
    start = start_of(G, begin, "Node {} is not in G")
    end = None if source is None or target is None else start_of(G, target, "Target {} is not in G")
    lengths = lengths_from(G.reversed() if source is None else G, start, weight)
    reached = reached_by(G, lengths, None, weight)
    if end is None:
        return nearest_first(G, reached, as_theirs(G, lengths, weight))
    if not reached[end]:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    length: float = as_theirs(G, lengths[end : end + 1], weight)[0].item()
    return length


def has_path(G: GunrockGraph, source: Hashable, target: Hashable) -> bool:
    """True if the target can be reached. NodeNotFound for unknown nodes."""
    start = start_of(G, source, "Source {} is not in G")
    end = start_of(G, target, "Target {} is not in G")
    return bool(lengths_from(G, start, None)[end] >= 0)


def descendants_at_distance(G: GunrockGraph, source: Hashable, distance: int) -> set[Hashable]:
    """The nodes at a distance of that many hops. NetworkXError for an unknown source."""
    hops = lengths_from(G, start_of(G, source, "The node {} is not in the graph.", "NetworkXError"), None)
    return set(G.named((hops == distance).nonzero()[0])) if distance >= 0 else set()


def descendants(G: GunrockGraph, source: Hashable) -> set[Hashable]:
    """The reachable nodes, without the source. NetworkXError for an unknown source."""
    hops = lengths_from(
        G, start_of(G, source, "The node {} is not in the digraph.", "NetworkXError"), None
    )
    return set(G.named((hops > 0).nonzero()[0]))


def ancestors(G: GunrockGraph, source: Hashable) -> set[Hashable]:
    """The nodes that reach the source, without the source itself."""
    return descendants(G.reversed(), source)


def _between(
    G: GunrockGraph, source: Hashable, target: Hashable, weight: Any
) -> tuple[Any, list[Hashable]]:
    import networkx as nx

    start = start_of(G, source, "Source {} is not in G")
    end = start_of(G, target, "Target {} is not in G")
    if end == start:
        return 0, [source]
    tree = tree_from(G, start, weight)
    if not tree.reached()[end]:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return tree.length(end), tree.path(end)


def _backwards(paths: Paths) -> Paths:
    return {node: path[::-1] for node, path in paths.items()}


def _check_method(weight: Any, method: str) -> None:
    if method not in METHODS:
        raise ValueError(f"method not supported: {method}")
    check_weight(weight)
