"""NetworkX's functions on our primitives, with its arguments, results and exceptions.

NotImplementedError for arguments that a primitive does not support."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from gunrock_cli.face.networkx_backend.graph import GunrockGraph
from gunrock_cli.face.networkx_backend.lengths import check_lengths, within
from gunrock_cli.face.networkx_backend.runs import are_numbers, prepared, ran, without
from gunrock_cli.graph.model.graph import Array, array_module, to_numpy
from gunrock_cli.primitives.all_sources import ALL_SOURCES, fits_blocks
from gunrock_cli.primitives.base import Work

FEW = np.iinfo(np.uint16).max


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
        raise NotImplementedError("gunrock's PageRank knows no weights and no parallel edges")
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


def betweenness_centrality(
    G: GunrockGraph,
    k: int | None = None,
    normalized: bool = True,
    weight: Any = None,
    endpoints: bool = False,
    seed: Any = None,
) -> dict[Hashable, float]:
    """Betweenness (Brandes 2001) over paths of fewest hops from all nodes, in float64."""
    without(weight=weight)
    if k not in (None, len(G)) or endpoints:
        raise NotImplementedError("gunrock: betweenness from all sources, without endpoints")
    n = len(G)
    if n < 3:
        return dict.fromkeys(G.nodes, 0.0)
    scores = to_numpy(_summed_scores(G))
    if normalized:
        scores /= (n - 1) * (n - 2)
    elif not G.is_directed():
        scores /= 2  # each pair of nodes was counted from both ends
    return dict(zip(G.nodes, scores.tolist(), strict=True))


def _summed_scores(G: GunrockGraph) -> Array:
    """The sum of all sources' scores, float64 of shape (n,): in one run if a block may search on its
    own."""
    if fits_blocks(G.graph):
        return ran(prepared(ALL_SOURCES, G)).scores
    ready = prepared("bc", G)
    scores = G.graph.xp.zeros(len(G))
    for source in range(len(G)):
        scores += ran(ready, source).scores
    return scores


def single_source_shortest_path_length(
    G: GunrockGraph, source: Hashable, cutoff: float | None = None
) -> dict[Hashable, int]:
    """The hops to every reachable node, nearest first. NodeNotFound for an unknown source."""
    hops = _hops(G, source, "Source {} is not in G")
    return _nearest_first(G, within(G, hops, cutoff), hops)


def single_source_dijkstra_path_length(
    G: GunrockGraph, source: Hashable, cutoff: float | None = None, weight: Any = "weight"
) -> dict[Hashable, float]:
    """Lengths of shortest paths, nearest first: exact for whole weights, otherwise in single precision
    (NotImplementedError for a cutoff that cannot be told from a length). NodeNotFound for an unknown
    source."""
    import networkx as nx

    if not isinstance(weight, str):
        raise NotImplementedError("gunrock: a weight is the name of an attribute")
    start = G.vertex(source)
    if start is None:
        raise nx.NodeNotFound(f"Node {source} not found in graph")
    distances = ran(prepared("sssp", G), start).distances
    check_lengths(G, distances)
    reached = within(G, distances, cutoff)
    return _nearest_first(G, reached, distances if G.edges is None else distances.astype(np.float64))


def descendants_at_distance(G: GunrockGraph, source: Hashable, distance: int) -> set[Hashable]:
    """The nodes at a distance of that many hops. NetworkXError for an unknown source."""
    hops = _hops(G, source, "The node {} is not in the graph.", "NetworkXError")
    return set(G.named((hops == distance).nonzero()[0])) if distance >= 0 else set()


def descendants(G: GunrockGraph, source: Hashable) -> set[Hashable]:
    """The reachable nodes, without the source. NetworkXError for an unknown source."""
    hops = _hops(G, source, "The node {} is not in the digraph.", "NetworkXError")
    return set(G.named((hops > 0).nonzero()[0]))


def has_path(G: GunrockGraph, source: Hashable, target: Hashable) -> bool:
    """True if the target can be reached. NodeNotFound for unknown nodes."""
    import networkx as nx

    end = G.vertex(target)
    hops = _hops(G, source, "Source {} is not in G")
    if end is None:
        raise nx.NodeNotFound(f"Target {target} is not in G")
    return bool(hops[end] >= 0)


def connected_components(G: GunrockGraph) -> Iterator[set[Hashable]]:
    """The components' sets of nodes, in the order of their first nodes."""
    return iter(_components(G, directed=False))


def number_connected_components(G: GunrockGraph) -> int:
    """The number of components."""
    return _number_of_components(G, directed=False)


def node_connected_component(G: GunrockGraph, n: Hashable) -> set[Hashable]:
    """The nodes of the component of a node. KeyError for an unknown node."""
    _check_directions(G, directed=False)
    start = G.vertex(n)
    if start is None:
        raise KeyError(n)
    return set(G.named((ran(prepared("bfs", G), start).labels >= 0).nonzero()[0]))


def is_connected(G: GunrockGraph) -> bool:
    """True if there is one component. NetworkXPointlessConcept for an empty graph."""
    return _is_one(G, directed=False)


def weakly_connected_components(G: GunrockGraph) -> Iterator[set[Hashable]]:
    """The weak components' sets of nodes, in the order of their first nodes."""
    return iter(_components(G, directed=True))


def number_weakly_connected_components(G: GunrockGraph) -> int:
    """The number of weak components."""
    return _number_of_components(G, directed=True)


def is_weakly_connected(G: GunrockGraph) -> bool:
    """True if there is one weak component. NetworkXPointlessConcept for an empty graph."""
    return _is_one(G, directed=True)


def _is_one(G: GunrockGraph, directed: bool) -> bool:
    import networkx as nx

    _check_directions(G, directed)
    if not len(G):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return _number_of_components(G, directed) == 1


def _components(G: GunrockGraph, directed: bool) -> list[set[Hashable]]:
    _check_directions(G, directed)
    return G.parts(to_numpy(ran(prepared("cc", G)).components)) if len(G) else []


def _number_of_components(G: GunrockGraph, directed: bool) -> int:
    """The number of components, counted where the labels are: a component's label is its smallest vertex,
    which therefore has its own number."""
    _check_directions(G, directed)
    if not len(G):
        return 0
    labels = ran(prepared("cc", G)).components
    return int((labels == G.graph.xp.arange(len(G), dtype=labels.dtype)).sum())


def _check_directions(G: GunrockGraph, directed: bool) -> None:
    """Raise NetworkXNotImplemented for the wrong kind of graph: some versions of NetworkX only check
    after they call a backend."""
    import networkx as nx

    if G.is_directed() != directed:
        raise nx.NetworkXNotImplemented(f"not implemented for {'un' if directed else ''}directed type")


def _hops(G: GunrockGraph, source: Hashable, refusal: str, kind: str = "NodeNotFound") -> Array:
    """The hops from a node, int32 of shape (n,), -1 if unreached, in the memory of the run."""
    import networkx as nx

    start = G.vertex(source)
    if start is None:
        raise getattr(nx, kind)(refusal.format(source))
    return ran(prepared("bfs", G), start).labels


def _nearest_first(G: GunrockGraph, reached: Array, distances: Array) -> dict[Hashable, Any]:
    """A dictionary of the reached nodes, sorted in the distances' memory."""
    vertices = reached.nonzero()[0]
    found = distances[vertices]
    order = _order_of(found)
    return dict(zip(G.named(vertices[order]), to_numpy(found[order]).tolist(), strict=True))


def _order_of(distances: Array) -> Array:
    """The order of rising distances; equal ones keep their order."""
    module = array_module(distances)
    if module is np and distances.dtype.kind == "i" and distances.max(initial=0) <= FEW:
        distances = distances.astype(np.uint16)  # a radix sort, in a third of the time
    return module.argsort(distances, kind="stable")
