"""Matchings, independent sets, spanning forests and communities, in NetworkX's form."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from gunrock_cli.face.networkx_backend.graph import GunrockGraph
from gunrock_cli.face.networkx_backend.runs import are_numbers, prepared, ran, without, without_seed
from gunrock_cli.graph.model.graph import to_numpy

SPANNING = ("kruskal", "prim", "boruvka")
"""NetworkX's algorithms; each gives a minimum forest."""
MOST_LEVELS = 1000
MOST_TURNS = 1000
"""Iterations in which labels must settle."""


def maximal_matching(G: GunrockGraph) -> set[tuple[Hashable, Hashable]]:
    """Edges of which no two meet, and to which none can be added: a greedy matching in a random order.
    Always the same."""
    mates = to_numpy(ran(prepared("matching", G, by="random")).mates) if G.graph.m else np.empty(0, int)
    return {(G.nodes[u], G.nodes[v]) for u, v in enumerate(mates.tolist()) if u < v}


def maximal_independent_set(G: GunrockGraph, nodes: Any = None, seed: Any = None) -> list[Hashable]:
    """The nodes that a walk through all nodes in a random order takes: each without a neighbor taken
    before. NotImplementedError for a ``seed``, for ``nodes``, and for a graph without nodes."""
    without(nodes=nodes or None)
    without_seed(seed)
    if not len(G):
        raise NotImplementedError("gunrock: a graph without nodes")
    chosen = prepared("mis", G, priority="random", priority_seed=random.getrandbits(32))
    return [G.nodes[v] for v in np.flatnonzero(to_numpy(ran(chosen).members))]


def minimum_spanning_edges(
    G: GunrockGraph,
    algorithm: str = "kruskal",
    weight: Any = "weight",
    keys: bool = True,
    data: bool = True,
    ignore_nan: bool = False,
) -> Iterator[tuple[Hashable, Hashable]]:
    """A minimum forest's edges without their data, lightest first; weights are compared exactly.
    NotImplementedError with ``data``, and for multigraphs."""
    if data or algorithm not in SPANNING or G.is_multigraph():
        raise NotImplementedError("gunrock gives spanning edges with data=False only, of no multigraph")
    if not G.graph.m:
        return iter(())
    found = ran(prepared("mst", G.unweighted() if weight is None else G.ranked()))
    tails, heads, weights = (to_numpy(each) for each in (found.sources, found.targets, found.weights))
    order = np.argsort(weights, kind="stable")
    return iter(
        [
            (G.nodes[u], G.nodes[v])
            for u, v in zip(tails[order].tolist(), heads[order].tolist(), strict=True)
        ]
    )


def asyn_lpa_communities(
    G: GunrockGraph, weight: Any = None, seed: Any = None
) -> Iterator[set[Hashable]]:
    """Communities in which every node has one of the labels that most of its neighbors have, in the order
    of their first nodes (Raghavan et al. 2007). The same for any ``seed``; NotImplementedError with
    ``weight``, for directed graphs, and where labels do not settle."""
    without(weight=weight)
    if G.is_directed():
        raise NotImplementedError("gunrock's labels spread in both directions of an edge")
    if not len(G):
        return iter([])
    found = ran(prepared("cdlp", G, asynchronous=True, max_iterations=MOST_TURNS))
    if int(found.done[0]) == MOST_TURNS:
        raise NotImplementedError(f"gunrock: labels have not settled after {MOST_TURNS} iterations")
    return iter(G.parts(to_numpy(found.communities)))


def louvain_communities(
    G: GunrockGraph,
    weight: Any = "weight",
    resolution: float = 1,
    threshold: float = 1e-7,
    max_level: int | None = None,
    seed: Any = None,
) -> list[set[Hashable]]:
    """Communities of an undirected graph by Louvain's method (Blondel et al. 2008), in the order of their
    first nodes. The same for any ``seed``; NotImplementedError for directed and multigraphs."""
    are_numbers(resolution, threshold)
    return _communities(G, "louvain", weight, resolution, max_level, threshold=float(threshold))


def leiden_communities(
    G: GunrockGraph,
    weight: Any = "weight",
    resolution: float = 1,
    max_level: int | None = None,
    seed: Any = None,
) -> list[set[Hashable]]:
    """Connected communities of an undirected graph by Leiden's method (Traag et al. 2019), in the order
    of their first nodes. The same for any ``seed``; NotImplementedError for directed and multigraphs."""
    are_numbers(resolution)
    return _communities(G, "leiden", weight, resolution, max_level)


def _communities(
    G: GunrockGraph,
    primitive: str,
    weight: Any,
    resolution: float,
    max_level: int | None,
    **options: float,
) -> list[set[Hashable]]:
    if G.is_directed() or G.is_multigraph():
        raise NotImplementedError("gunrock's communities are of undirected graphs without parallel edges")
    if not G.graph.m:
        return [{node} for node in G.nodes]
    ready = prepared(
        primitive,
        G.unweighted() if weight is None else G,
        resolution=float(resolution),
        max_levels=MOST_LEVELS if max_level is None else max_level,
        **options,
    )
    return G.parts(to_numpy(ran(ready).communities))
