"""Shortest paths from whichever of several nodes is nearest."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Any

from gunrock_cli.face.networkx_backend.graph import GunrockGraph
from gunrock_cli.face.networkx_backend.searches import start_of
from gunrock_cli.face.networkx_backend.trees import Paths, Tree, tree_from_any


def multi_source_dijkstra(
    G: GunrockGraph,
    sources: Collection[Hashable],
    target: Hashable | None = None,
    cutoff: float | None = None,
    weight: Any = "weight",
) -> tuple[Any, Any]:
    """Lengths and paths to all nodes, or to the target."""
    import networkx as nx

    starts = _starts(G, sources)
    end = G.vertex(target)
    if end in starts:
        return 0, [target]
    tree = _tree(G, starts, weight)
    reached = tree.reached(cutoff)
    if target is None:
        return tree.distances(reached), tree.paths(reached)
    if end is None or not reached[end]:
        raise nx.NetworkXNoPath(f"No path to {target}.")
    return tree.length(end), tree.path(end)


def multi_source_dijkstra_path(
    G: GunrockGraph, sources: Collection[Hashable], cutoff: float | None = None, weight: Any = "weight"
) -> Paths:
    """A shortest path to every reachable node."""
    paths: Paths = multi_source_dijkstra(G, sources, cutoff=cutoff, weight=weight)[1]
    return paths


def multi_source_dijkstra_path_length(
    G: GunrockGraph, sources: Collection[Hashable], cutoff: float | None = None, weight: Any = "weight"
) -> dict[Hashable, Any]:
    """The length of a shortest path to every reachable node."""
    tree = _tree(G, _starts(G, sources), weight)
    return tree.distances(tree.reached(cutoff))


def _tree(G: GunrockGraph, starts: list[int], weight: Any) -> Tree:
    if not isinstance(weight, str):
        raise NotImplementedError("gunrock: a weight is the name of an attribute")
    return tree_from_any(G, starts, weight)


def _starts(G: GunrockGraph, sources: Collection[Hashable]) -> list[int]:
    if not sources:
        raise ValueError("sources must not be empty")
    return [start_of(G, source, "Node {} not found in graph") for source in sources]
