"""Betweenness centrality, in NetworkX's form."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from gunrock_cli.face.networkx_backend.graph import GunrockGraph
from gunrock_cli.face.networkx_backend.lengths import check_weights_are_kept
from gunrock_cli.face.networkx_backend.runs import needs_version, prepared, ran
from gunrock_cli.face.networkx_backend.searches import check_weight
from gunrock_cli.graph.model.graph import Array, to_numpy
from gunrock_cli.primitives.all_sources import ALL_SOURCES, fits_blocks


def betweenness_centrality(
    G: GunrockGraph,
    k: int | None = None,
    normalized: bool = True,
    weight: Any = None,
    endpoints: bool = False,
    seed: Any = None,
) -> dict[Hashable, float]:
    """Betweenness (Brandes 2001) over paths of fewest hops, or of least weight, from all nodes or from a
    sample of ``k``, the same that NetworkX draws for a seed."""
    import networkx as nx

    check_weight(weight)
    if weight is None:
        G = G.unweighted()
    elif G.weighted:
        check_weights_are_kept(G)
    n = len(G)
    drawn = None
    if k not in (None, n):
        needs_version(3, 6)  # those before scale samples otherwise
        if not 1 < k < n:
            raise NotImplementedError("gunrock: a sample of 2 nodes or more")
        drawn = nx.utils.create_py_random_state(seed).sample(range(n), k)
    pairs = n - 1 if endpoints else n - 2
    if pairs < 1:
        return dict.fromkeys(G.nodes, 0.0)
    scores = to_numpy(_of_all(G) if drawn is None and not endpoints else _summed(G, drawn, endpoints))
    sources = np.full(n, pairs + 1.0 if drawn is None else len(drawn))
    if drawn is not None and not endpoints:
        sources[drawn] -= 1  # a node is no end of a path that it lies within
    if normalized:
        scores = scores / (sources * pairs)
    else:  # as if from all; undirected, each pair counts from both ends
        scores = scores * (pairs + 1) / (sources * (1 if G.is_directed() else 2))
    return dict(zip(G.nodes, scores.tolist(), strict=True))


def _of_all(G: GunrockGraph) -> Array:
    """The sum of all sources' scores, float64 of shape (n,): in one run if a block may search on its
    own."""
    if G.weighted or not fits_blocks(G.graph):
        return _summed(G, None, False)
    return ran(prepared(ALL_SOURCES, G)).scores


def _summed(G: GunrockGraph, drawn: list[int] | None, endpoints: bool) -> Array:
    """The sum of the scores of all sources, or of those drawn, one after the other."""
    ready, scores = prepared("bc", G, weighted=G.weighted), G.graph.xp.zeros(len(G))
    for source in range(len(G)) if drawn is None else drawn:
        found = ran(ready, source)
        scores += found.scores
        if endpoints:
            reached = G.graph.xp.isfinite(found.distances) if G.weighted else found.labels >= 0
            scores += reached
            scores[source] += int(reached.sum()) - 2
    return scores
