"""Rankings of graphs, in NetworkX's form."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from gunrock_cli.face.networkx_backend.graph import GunrockGraph
from gunrock_cli.face.networkx_backend.runs import are_numbers, prepared, ran, without
from gunrock_cli.graph.model.graph import to_numpy
from gunrock_cli.primitives.base import Work
from gunrock_cli.primitives.restarts import Restarts, Walk


def pagerank(
    G: GunrockGraph,
    alpha: float = 0.85,
    personalization: Any = None,
    max_iter: int = 100,
    tol: float = 1e-6,
    nstart: Any = None,
    weight: Any = "weight",
    dangling: Any = None,
) -> dict[Hashable, float]:
    """Ranks in float64 that sum to 1, with NetworkX's stopping rule: an L1 change below ``tol`` times the
    number of nodes. PowerIterationFailedConvergence after ``max_iter`` iterations."""
    import networkx as nx

    G = G.unweighted() if weight is None else G
    if G.is_multigraph():
        raise NotImplementedError("gunrock's PageRank knows no parallel edges")
    if not (0 <= alpha < 1 and max_iter > 0 and tol > 0):
        raise NotImplementedError("gunrock: alpha below 1, max_iter and tol above 0")
    if not len(G):
        return {}
    how: dict[str, Any] = {
        "damping": float(alpha),
        "tolerance": float(tol) * len(G),
        "max_iterations": max_iter + 1,
        "precision": "float64",
        "weighted": G.weighted,
    }
    if personalization is None and nstart is None and dangling is None:
        ready = prepared("pagerank", G, **how)
    else:
        ready = prepared(Restarts(_walk(G, nstart, personalization, dangling)), G, once=True, **how)
    answer = ran(ready)
    work = ready.primitive.finish_work(Work(), ready.options, answer.steps, answer.ms)
    if work.iterations is None or work.iterations > max_iter:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return dict(zip(G.nodes, to_numpy(answer.ranks).tolist(), strict=True))


def _walk(G: GunrockGraph, nstart: Any, personalization: Any, dangling: Any) -> Walk:
    """The walk of these arguments: it begins anywhere, unless ``nstart`` says where, and a dangling node
    leads to where it would begin again, unless ``dangling`` says where."""
    if personalization is not None:
        are_numbers(*personalization.values())
        if not sum(personalization.get(node, 0) for node in G.nodes):
            raise ZeroDivisionError
    even = np.full(len(G), 1 / len(G))
    again = even if personalization is None else _distribution(G, personalization)
    return Walk(
        even if nstart is None else _distribution(G, nstart),
        again,
        again if dangling is None else _distribution(G, dangling),
    )


def _distribution(G: GunrockGraph, given: Any) -> np.ndarray[Any, Any]:
    """The shares of the vertices by a dictionary of nodes; others have none."""
    are_numbers(*given.values())
    shares = np.zeros(len(G))
    for node, share in given.items():
        vertex = G.vertex(node)
        if vertex is not None:
            shares[vertex] = float(share)
    total = shares.sum()
    if not 0 < total < np.inf or shares.min() < 0:
        raise NotImplementedError("gunrock: finite shares of nodes, none negative and not all 0")
    return shares / total


def hits(
    G: GunrockGraph, max_iter: int = 100, tol: float = 1e-8, nstart: Any = None, normalized: bool = True
) -> tuple[dict[Hashable, float], dict[Hashable, float]]:
    """Hubs and authorities (Kleinberg 1999), in float64, each summing to 1, by power iteration.
    NotImplementedError if it does not settle in ``max_iter`` iterations, so that NetworkX's
    own method may be tried."""
    without(nstart=nstart)
    if G.is_multigraph() or not normalized or not (max_iter > 0 and tol > 0):
        raise NotImplementedError("gunrock's HITS is normalized, and knows no parallel edges")
    if not len(G):
        return {}, {}
    how: dict[str, Any] = {"precision": "float64", "weighted": G.weighted}
    ready = prepared("hits", G, tolerance=float(tol), max_iterations=max_iter, **how)
    answer = ran(ready)
    work = ready.primitive.finish_work(Work(), ready.options, answer.steps, answer.ms)
    if not answer.hubs.any() or work.iterations is None or work.iterations >= max_iter:
        raise NotImplementedError(f"gunrock's HITS did not settle in {max_iter} iterations")
    hubs, authorities = (
        dict(zip(G.nodes, to_numpy(scores).tolist(), strict=True))
        for scores in (answer.hubs, answer.authorities)
    )
    return hubs, authorities
