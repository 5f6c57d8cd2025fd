"""Measures that take a search from every node: eccentricities, centers, averages, closeness."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Iterator
from typing import Any

import numpy as np

from gunrock_cli.analysis.stats import exact_diameter
from gunrock_cli.face.networkx_backend.components import check_directions, number_of_components
from gunrock_cli.face.networkx_backend.graph import GunrockGraph
from gunrock_cli.face.networkx_backend.lengths import check_exact
from gunrock_cli.face.networkx_backend.runs import prepared, ran, without
from gunrock_cli.face.networkx_backend.searches import as_theirs, check_weight, lengths_from, start_of
from gunrock_cli.graph.model.graph import to_numpy

Lengths = np.ndarray[Any, Any]
BY_SEARCHES = (None, "unweighted", "dijkstra", "bellman-ford")
"""Of the methods of ``average_shortest_path_length`` those that search from each node."""


def eccentricity(G: GunrockGraph, v: Any = None, sp: Any = None, weight: Any = None) -> Any:
    """The length of the longest of the shortest paths from each node, from one, or from some."""
    without(sp=sp)
    check_weight(weight)
    if v is None and weight is None and len(G):
        return dict(zip(G.nodes, _most_hops(G), strict=True))
    single = None if v is None else G.vertex(v)
    if single is not None:
        return _longest(G, single, weight)
    chosen = range(len(G)) if v is None else _vertices(G, v)
    return {G.nodes[vertex]: _longest(G, vertex, weight) for vertex in chosen}


def diameter(G: GunrockGraph, e: Any = None, usebounds: bool = False, weight: Any = None) -> Any:
    """The largest eccentricity: of an undirected graph by searches that bound those of all nodes."""
    if not (G.is_directed() or e or usebounds or weight) and len(G):
        found, bounds = exact_diameter(G.graph)
        _check_all_reached(G, found["largest_component"])
        return bounds.lower
    return max(_eccentricities(G, e, usebounds, weight).values())


def radius(G: GunrockGraph, e: Any = None, usebounds: bool = False, weight: Any = None) -> Any:
    """The smallest eccentricity."""
    return min(_eccentricities(G, e, usebounds, weight).values())


def periphery(
    G: GunrockGraph, e: Any = None, usebounds: bool = False, weight: Any = None
) -> list[Hashable]:
    """The nodes of the largest eccentricity."""
    found = _eccentricities(G, e, usebounds, weight)
    largest = max(found.values())
    return [node for node, each in found.items() if each == largest]


def center(G: GunrockGraph, e: Any = None, usebounds: bool = False, weight: Any = None) -> list[Hashable]:
    """The nodes of the smallest eccentricity."""
    _check_no_tree(G, weight)
    found = _eccentricities(G, e, usebounds, weight)
    smallest = min(found.values())
    return [node for node, each in found.items() if each == smallest]


def barycenter(G: GunrockGraph, weight: Any = None, attr: Any = None, sp: Any = None) -> list[Hashable]:
    """The nodes with the smallest sum of lengths to all others."""
    import networkx as nx

    without(attr=attr, sp=sp)
    check_weight(weight)
    _check_no_tree(G, weight)
    sums = []
    for reached, total in _sums(G, weight):
        if reached < len(G):
            raise nx.NetworkXNoPath(
                "Input graph is disconnected, so every induced subgraph has infinite barycentricity."
            )
        sums.append(total)
    return [node for node, each in zip(G.nodes, sums, strict=True) if each == min(sums)]


def average_shortest_path_length(G: GunrockGraph, weight: Any = None, method: Any = None) -> float:
    """The mean length over all pairs of nodes."""
    import networkx as nx

    n = len(G)
    check_weight(weight)
    if method not in BY_SEARCHES:
        raise NotImplementedError(f"gunrock: method {method}, which does not search from each node")
    if not n:
        raise nx.NetworkXPointlessConcept(
            "the null graph has no paths, thus there is no average shortest path length"
        )
    if n == 1:
        return 0
    total = 0
    for reached, each in _sums(G, None if method == "unweighted" else weight):
        if reached < n:
            strongly = "strongly " if G.is_directed() else ""
            raise nx.NetworkXError(f"Graph is not {strongly}connected.")
        total += each
    return total / (n * (n - 1))


def wiener_index(G: GunrockGraph, weight: Any = None) -> float:
    """The sum of the lengths between all pairs."""
    import networkx as nx

    check_weight(weight)
    if not len(G):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    total = 0
    for reached, each in _sums(G, weight):
        if reached < len(G):
            return math.inf
        total += each
    return total if G.is_directed() else total / 2


def efficiency(G: GunrockGraph, u: Hashable, v: Hashable) -> float:
    """One over the hops between two nodes; 0 where there is no path."""
    check_directions(G, directed=False)
    start, end = start_of(G, u, "Source {} is not in G"), start_of(G, v, "Target {} is not in G")
    hops = int(lengths_from(G, start, None)[end])
    return 1 / hops if hops >= 0 else 0


def global_efficiency(G: GunrockGraph) -> float:
    """The mean efficiency of all pairs, added up in NetworkX's order."""
    check_directions(G, directed=False)
    n, total = len(G), 0.0
    if n < 2:
        return 0
    for hops in _from_each(G, range(n), None):
        total = float(np.cumsum(np.concatenate(([total], 1 / hops[hops > 0])))[-1])
    return total / (n * (n - 1))


def closeness_centrality(
    G: GunrockGraph, u: Any = None, distance: Any = None, wf_improved: bool = True
) -> Any:
    """One over the mean length of the paths to a node from all that reach it."""
    check_weight(distance)
    n, found = len(G), []
    chosen = None if u is None else (start_of(G, u, "Source {} is not in G"),)
    for reached, total in _sums(G.reversed(), distance, chosen):
        closeness = 0.0
        if total > 0 and n > 1:
            closeness = (reached - 1.0) / total
            if wf_improved:
                closeness *= (reached - 1.0) / (n - 1)
        found.append(closeness)
    return dict(zip(G.nodes, found, strict=True)) if u is None else found[0]


def harmonic_centrality(
    G: GunrockGraph, nbunch: Any = None, distance: Any = None, sources: Any = None
) -> dict[Hashable, float]:
    """The sum over all nodes of one over the length of the path from there, added up in NetworkX's
    order."""
    check_weight(distance)
    wanted, begins = (  # sets, which NetworkX goes through in the same order
        set(G.nodes if some is None else [G.nodes[v] for v in _vertices(G, some)])
        for some in (nbunch, sources)
    )
    scores = dict.fromkeys(wanted, 0.0)
    if len(wanted) < len(begins):
        among = _mask(G, begins)
        for node in wanted:
            (lengths,) = _lengths(G.reversed(), [_vertex(G, node)], distance)
            scores[node] = _sum_of_inverses(lengths[among])
        return scores
    totals, among = np.zeros(len(G)), _mask(G, wanted)
    for node in begins:
        (lengths,) = _lengths(G, [_vertex(G, node)], distance)
        counts = among & (lengths > 0) & np.isfinite(lengths)
        totals[counts] += 1 / lengths[counts]
    return {node: totals[_vertex(G, node)].item() for node in scores}


def is_tree(G: GunrockGraph) -> bool:
    """True if the graph, directions aside, is connected and has no cycle."""
    return is_forest(G) and number_of_components(G) == 1


def is_forest(G: GunrockGraph) -> bool:
    """True if the graph, directions aside, has no cycle."""
    import networkx as nx

    if not len(G):
        raise nx.exception.NetworkXPointlessConcept("G has no nodes.")
    return len(G) - number_of_components(G) == _number_of_edges(G)


def _number_of_edges(G: GunrockGraph) -> int:
    if G.is_multigraph():
        raise NotImplementedError("gunrock keeps one of parallel edges")
    graph = G.graph
    return graph.m if G.is_directed() else (graph.m + graph.csr.loops()) // 2


def _check_no_tree(G: GunrockGraph, weight: Any) -> None:
    """Refuse trees: NetworkX finds their middle in another way, and in another order."""
    if not len(G) or (weight is None and not G.is_directed() and G.graph.m <= 2 * (len(G) - 1)):
        raise NotImplementedError("gunrock: no center of a tree, which NetworkX finds without searches")


def _eccentricities(G: GunrockGraph, e: Any, usebounds: bool, weight: Any) -> dict[Hashable, Any]:
    without(e=e, usebounds=usebounds or None)
    found: dict[Hashable, Any] = eccentricity(G, weight=weight)
    return found


def _most_hops(G: GunrockGraph) -> list[int]:
    """The hops from each vertex to the farthest one, by searches that share their passes."""
    found = ran(prepared("eccentricity", G))
    _check_all_reached(G, int(found.reached.min()))
    hops: list[int] = to_numpy(found.eccentricities).tolist()
    return hops


def _longest(G: GunrockGraph, vertex: int, weight: Any) -> Any:
    (lengths,) = _from_each(G, (vertex,), weight)
    _check_all_reached(G, len(lengths))
    return lengths.max().item()


def _check_all_reached(G: GunrockGraph, reached: int) -> None:
    """Raise NetworkX's error if a vertex reaches fewer than all."""
    import networkx as nx

    if reached < len(G):
        raise nx.NetworkXError(
            "Found infinite path length because the digraph is not strongly connected"
            if G.is_directed()
            else "Found infinite path length because the graph is not connected"
        )


def _sums(
    G: GunrockGraph, weight: Any, vertices: Iterable[int] | None = None
) -> Iterator[tuple[int, Any]]:
    """How many vertices each vertex, or each of some, reaches, itself included, and the sum of the
    lengths. For hops from all vertices, searches share their passes."""
    if weight is None and vertices is None and len(G):
        found = ran(prepared("closeness", G.reversed()))
        yield from zip((to_numpy(found.reached) + 1).tolist(), to_numpy(found.sums).tolist(), strict=True)
        return
    for lengths in _from_each(G, range(len(G)) if vertices is None else vertices, weight):
        yield len(lengths), _sum(lengths)


def _from_each(G: GunrockGraph, vertices: Iterable[int], weight: Any) -> Iterator[Lengths]:
    """The lengths to all that each vertex reaches, itself included, in ascending order."""
    for lengths in _lengths(G, vertices, weight):
        yield np.sort(lengths[(lengths >= 0) & np.isfinite(lengths)])


def _lengths(G: GunrockGraph, vertices: Iterable[int], weight: Any) -> Iterator[Lengths]:
    for vertex in vertices:
        lengths = lengths_from(G, vertex, weight)
        if weight is not None:
            check_exact(G, lengths)
        yield to_numpy(as_theirs(G, lengths, weight))


def _sum(lengths: Lengths) -> Any:
    return int(lengths.sum(dtype=np.int64)) if lengths.dtype.kind == "i" else sum(lengths.tolist())


def _sum_of_inverses(lengths: Lengths) -> float:
    """One after the other, the nearest first."""
    some = np.sort(lengths[(lengths > 0) & np.isfinite(lengths)])
    return float(np.cumsum(1 / some)[-1]) if len(some) else 0.0


def _vertices(G: GunrockGraph, some: Any) -> list[int]:
    """The vertices of one node, or of some."""
    single = G.vertex(some)
    if single is not None:
        return [single]
    found = [G.vertex(node) for node in some] if isinstance(some, Collection) else [None]
    known = [vertex for vertex in found if vertex is not None]
    if len(known) < len(found):
        raise NotImplementedError("gunrock: nodes of the graph, in a list or a set")
    return list(dict.fromkeys(known))


def _vertex(G: GunrockGraph, node: Hashable) -> int:
    return start_of(G, node, "Node {} is not in G")


def _mask(G: GunrockGraph, nodes: set[Hashable]) -> np.ndarray[Any, Any]:
    found = np.zeros(len(G), bool)
    found[[_vertex(G, node) for node in nodes]] = True
    return found
