"""Rankings of unweighted graphs, in NetworkX's form."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from gunrock_cli.face.networkx_backend.graph import GunrockGraph
from gunrock_cli.face.networkx_backend.runs import are_numbers, prepared, ran, without
from gunrock_cli.graph.model.graph import to_numpy
from gunrock_cli.primitives.base import Work


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
    """Ranks of unweighted graphs, in float64, that sum to 1, with NetworkX's stopping rule: an L1 change
    below ``tol`` times the number of nodes. ``personalization`` names some nodes, all with equal values.
    PowerIterationFailedConvergence after ``max_iter`` iterations."""
    import networkx as nx

    without(nstart=nstart, dangling=dangling)
    G = G.unweighted() if weight is None else G
    if G.weighted or G.is_multigraph():
        raise NotImplementedError(
            "gunrock's PageRank knows no weights (weight=None ignores them) and no parallel edges"
        )
    if not (0 <= alpha < 1 and max_iter > 0 and tol > 0):
        raise NotImplementedError("gunrock: alpha below 1, max_iter and tol above 0")
    if not len(G):
        return {}
    how: dict[str, Any] = {
        "damping": float(alpha),
        "tolerance": float(tol) * len(G),
        "max_iterations": max_iter + 1,
        "precision": "float64",
    }
    seeds = () if personalization is None else _begins(G, personalization)
    if len(seeds) > 1:
        how["seeds"] = seeds
    ready = prepared("ppr" if seeds else "pagerank", G, **how)
    answer = ran(ready, seeds[0] if len(seeds) == 1 else None)
    work = ready.primitive.finish_work(Work(), ready.options, answer.steps, answer.ms)
    if work.iterations is None or work.iterations > max_iter:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return dict(zip(G.nodes, to_numpy(answer.ranks).tolist(), strict=True))


def _begins(G: GunrockGraph, personalization: Any) -> tuple[int, ...]:
    """The vertices at which the walk restarts; all named nodes must have an equal share, or none."""
    are_numbers(*personalization.values())
    shares = {G.vertex(node): float(share) for node, share in personalization.items() if share}
    if not shares:
        raise ZeroDivisionError
    if None in shares or len(set(shares.values())) > 1 or min(shares.values()) < 0:
        raise NotImplementedError("gunrock: a personalization of nodes that have the same share")
    return tuple(sorted(v for v in shares if v is not None))


def hits(
    G: GunrockGraph, max_iter: int = 100, tol: float = 1e-8, nstart: Any = None, normalized: bool = True
) -> tuple[dict[Hashable, float], dict[Hashable, float]]:
    """Hubs and authorities (Kleinberg 1999) of unweighted graphs, in float64, each summing to 1, by power
    iteration. NotImplementedError if it does not settle in ``max_iter`` iterations, so that NetworkX's
    own method may be tried."""
    without(nstart=nstart)
    if G.weighted or G.is_multigraph() or not normalized or not (max_iter > 0 and tol > 0):
        raise NotImplementedError("gunrock's HITS is normalized, and knows no weights")
    if not len(G):
        return {}, {}
    ready = prepared("hits", G, tolerance=float(tol), max_iterations=max_iter, precision="float64")
    answer = ran(ready)
    work = ready.primitive.finish_work(Work(), ready.options, answer.steps, answer.ms)
    if not G.graph.m or work.iterations is None or work.iterations >= max_iter:
        raise NotImplementedError(f"gunrock's HITS did not settle in {max_iter} iterations")
    hubs, authorities = (
        dict(zip(G.nodes, to_numpy(scores).tolist(), strict=True))
        for scores in (answer.hubs, answer.authorities)
    )
    return hubs, authorities
