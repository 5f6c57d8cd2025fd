"""Bellman-Ford's functions with NetworkX's arguments: Dijkstra's answers where no weight is negative, and
otherwise those of rounds on the host. NetworkXUnbounded for a negative cycle that a source reaches."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from gunrock_cli.face.networkx_backend.all_pairs import (
    Lengths,
    all_pairs_dijkstra_path,
    all_pairs_dijkstra_path_length,
)
from gunrock_cli.face.networkx_backend.dijkstra import (
    dijkstra_path_length,
    single_source,
    single_source_dijkstra_path_length,
)
from gunrock_cli.face.networkx_backend.graph import GunrockGraph
from gunrock_cli.face.networkx_backend.searches import start_of
from gunrock_cli.face.networkx_backend.signed_trees import SignedTree, has_negative, rows_of, signed_tree
from gunrock_cli.face.networkx_backend.trees import Paths, Tree, tree_from


def single_source_bellman_ford_path_length(
    G: GunrockGraph, source: Hashable, weight: Any = "weight"
) -> dict[Hashable, float]:
    """Like ``single_source_dijkstra_path_length``, of negative weights too. NetworkXUnbounded for a
    negative cycle that is reached."""
    if not has_negative(G, weight):
        return single_source_dijkstra_path_length(G, source, weight=weight)
    tree = _tree(G, start_of(G, source, "Source {} not in G"), weight)
    return tree.distances(tree.reached())


def single_source_bellman_ford(
    G: GunrockGraph, source: Hashable, target: Hashable | None = None, weight: Any = "weight"
) -> tuple[Any, Any]:
    """Like ``single_source_dijkstra``, of negative weights too. NetworkXUnbounded for a negative cycle
    that is reached."""
    return single_source(_tree, G, source, target, weight)


def single_source_bellman_ford_path(G: GunrockGraph, source: Hashable, weight: Any = "weight") -> Paths:
    """The paths of ``single_source_bellman_ford``."""
    paths: Paths = single_source_bellman_ford(G, source, weight=weight)[1]
    return paths


def bellman_ford_path(
    G: GunrockGraph, source: Hashable, target: Hashable, weight: Any = "weight"
) -> list[Hashable]:
    """Like ``dijkstra_path``, of negative weights too."""
    if target is None:
        raise NotImplementedError("gunrock: no target")
    path: list[Hashable] = single_source_bellman_ford(G, source, target, weight)[1]
    return path


def bellman_ford_path_length(
    G: GunrockGraph, source: Hashable, target: Hashable, weight: Any = "weight"
) -> float:
    """Like ``dijkstra_path_length``, of negative weights too."""
    if target is None or not has_negative(G, weight):
        return dijkstra_path_length(G, source, target, weight)
    length: float = single_source_bellman_ford(G, source, target, weight)[0]
    return length


def all_pairs_bellman_ford_path_length(G: GunrockGraph, weight: Any = "weight") -> Lengths:
    """Like Dijkstra's, of the same name; where a weight is negative, of any weights."""
    if not has_negative(G, weight):
        return all_pairs_dijkstra_path_length(G, weight=weight)
    return ((node, tree.distances(tree.reached())) for node, tree in _signed_trees(G))


def all_pairs_bellman_ford_path(
    G: GunrockGraph, weight: Any = "weight"
) -> Iterator[tuple[Hashable, Paths]]:
    """Like Dijkstra's, of the same name; where a weight is negative, of any weights."""
    if not has_negative(G, weight):
        return all_pairs_dijkstra_path(G, weight=weight)
    return ((node, tree.paths(tree.reached())) for node, tree in _signed_trees(G))


def any_paths(G: GunrockGraph, source: Any, target: Any, weight: str) -> Any:
    """What ``shortest_path`` gives by this method: each end may be None, which means all."""
    if source is None and target is None:
        return all_pairs_bellman_ford_path(G, weight)
    if source is None:
        found = single_source_bellman_ford_path(G.reversed(), target, weight)
        return {node: path[::-1] for node, path in found.items()}
    if target is None:
        return single_source_bellman_ford_path(G, source, weight)
    return bellman_ford_path(G, source, target, weight)


def any_lengths(G: GunrockGraph, source: Any, target: Any, weight: str) -> Any:
    """What ``shortest_path_length`` gives by this method."""
    if source is None and target is None:
        return all_pairs_bellman_ford_path_length(G, weight)
    if source is None:
        return single_source_bellman_ford_path_length(G.reversed(), target, weight)
    if target is None:
        return single_source_bellman_ford_path_length(G, source, weight)
    return bellman_ford_path_length(G, source, target, weight)


def _tree(G: GunrockGraph, start: int, weight: Any) -> Tree:
    return signed_tree(G, rows_of(G), start) if has_negative(G, weight) else tree_from(G, start, weight)


def _signed_trees(G: GunrockGraph) -> Iterator[tuple[Hashable, SignedTree]]:
    rows = rows_of(G)  # refuses now, not in the middle
    return ((node, signed_tree(G, rows, v)) for v, node in enumerate(G.nodes))
