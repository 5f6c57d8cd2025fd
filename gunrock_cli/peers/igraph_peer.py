"""igraph: a C library under Python, single-threaded."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.peers.base import Peer, PeerResult, one_direction, timed
from gunrock_cli.peers.hits import HitsSettings
from gunrock_cli.peers.pagerank import PageRankSettings
from gunrock_cli.peers.personalized import set_by_set
from gunrock_cli.primitives.ppr.check import restart_of
from gunrock_cli.primitives.ppr.options import PprOptions
from gunrock_cli.primitives.references import smallest_vertices


class IGraph(Peer):
    name = "igraph"
    title = "python-igraph"
    primitives = (
        "bfs",
        "sssp",
        "bc",
        "cc",
        "scc",
        "pagerank",
        "mst",
        "color",
        "louvain",
        "leiden",
        "hits",
        "ppr",
        "kcore",
        "eccentricity",
    )
    more_work = MappingProxyType({"bfs": "predecessors"})
    times = "one call of the library, which includes making Python lists of the answer"
    module = distribution = "igraph"

    def bfs(self, graph: Graph, source: int, runs: int) -> PeerResult:
        own, _ = _convert(graph)
        times, (order, starts, _) = timed(lambda: own.bfs(source, mode="out"), runs)
        labels = np.full(graph.n, -1, np.int32)
        for depth in range(len(starts) - 1):
            labels[order[starts[depth] : starts[depth + 1]]] = depth
        return PeerResult(times, {"labels": labels})

    def sssp(self, graph: Graph, source: int, runs: int) -> PeerResult:
        own, weights = _convert(graph)
        if weights is None:
            raise UsageError("sssp needs edge weights")
        own.es["weight"] = weights
        times, found = timed(
            lambda: own.distances(source, weights="weight", mode="out", algorithm="dijkstra"), runs
        )
        return PeerResult(times, {"distances": np.asarray(found[0], dtype=np.float64)})

    def bc(self, graph: Graph, source: int, runs: int) -> PeerResult:
        own, _ = _convert(graph)
        times, found = timed(
            lambda: own.betweenness(sources=[source], directed=not graph.undirected), runs
        )
        # igraph counts an unordered pair once: half of the source's dependencies
        scores = np.asarray(found) * (2 if graph.undirected else 1)
        return PeerResult(times, {"scores": scores})

    def cc(self, graph: Graph, runs: int) -> PeerResult:
        own, _ = _convert(graph)
        times, found = timed(lambda: own.connected_components(mode="weak"), runs)
        return PeerResult(times, {"components": smallest_vertices(np.asarray(found.membership))})

    def scc(self, graph: Graph, runs: int) -> PeerResult:
        own, _ = _convert(graph)
        times, found = timed(lambda: own.connected_components(mode="strong"), runs)
        return PeerResult(times, {"components": smallest_vertices(np.asarray(found.membership))})

    def pagerank(self, graph: Graph, options: Mapping[str, Any], runs: int) -> PeerResult:
        settings = PageRankSettings.of(options)
        settings.need_convergence(self.title, graph)  # igraph solves, and takes neither limit
        own, _ = _convert(graph)
        times, found = timed(
            lambda: own.pagerank(damping=settings.damping, implementation="prpack"), runs
        )
        return PeerResult(times, {"ranks": np.asarray(found)})

    def color(self, graph: Graph, runs: int) -> PeerResult:
        own, _ = _convert(graph)
        times, found = timed(own.vertex_coloring_greedy, runs)
        return PeerResult(times, {"colors": np.array(found, np.int32)})

    def mst(self, graph: Graph, runs: int) -> PeerResult:
        own, weights = _convert(graph)
        times, chosen = timed(lambda: own.spanning_tree(weights=weights, return_tree=False), runs)
        return PeerResult(times, {"weights": np.asarray(weights)[np.asarray(chosen, np.int64)]})

    def kcore(self, graph: Graph, runs: int) -> PeerResult:
        own, _ = _convert(graph)
        own.simplify(multiple=False)  # a loop would count twice
        times, found = timed(own.coreness, runs)
        return PeerResult(times, {"cores": np.array(found, np.int32)})

    def eccentricity(self, graph: Graph, runs: int) -> PeerResult:
        own, _ = _convert(graph)
        times, found = timed(lambda: own.eccentricity(mode="out"), runs)
        return PeerResult(times, {"eccentricities": np.array(found, np.int32)})

    def louvain(self, graph: Graph, options: Mapping[str, Any], runs: int) -> PeerResult:
        own, weights = _convert(graph)
        times, found = timed(
            lambda: own.community_multilevel(weights=weights, resolution=options["resolution"]), runs
        )
        return PeerResult(times, {"communities": np.asarray(found.membership)})

    def leiden(self, graph: Graph, options: Mapping[str, Any], runs: int) -> PeerResult:
        own, weights = _convert(graph)
        times, found = timed(
            lambda: own.community_leiden(
                objective_function="modularity",
                weights=weights,
                resolution=options["resolution"],
                n_iterations=1,
            ),
            runs,
        )
        return PeerResult(times, {"communities": np.asarray(found.membership)})

    def hits(self, graph: Graph, options: Mapping[str, Any], runs: int) -> PeerResult:
        settings = HitsSettings.of(options)
        settings.need_convergence(self.title, graph)  # igraph solves, and takes neither limit
        own, _ = _convert(graph)
        with warnings.catch_warnings():  # about answers that may mean little; they are checked
            warnings.simplefilter("ignore", RuntimeWarning)
            times, (hubs, authorities) = timed(lambda: (own.hub_score(), own.authority_score()), runs)
        return PeerResult(
            times, {"hubs": settings.normalized(hubs), "authorities": settings.normalized(authorities)}
        )

    def ppr(self, graph: Graph, source: int | None, options: Mapping[str, Any], runs: int) -> PeerResult:
        settings = PageRankSettings.of(options)
        settings.need_convergence(self.title, graph, restart_of(graph, PprOptions.of(options), source))
        own, _ = _convert(graph)
        return set_by_set(
            lambda seeds: np.asarray(
                own.personalized_pagerank(
                    damping=settings.damping, reset_vertices=list(seeds), implementation="prpack"
                )
            ),
            options,
            source,
            runs,
        )


def _convert(graph: Graph) -> tuple[Any, list[float] | None]:
    import igraph

    sources, targets, weights = one_direction(graph)
    own = igraph.Graph(
        n=graph.n, edges=np.column_stack([sources, targets]), directed=not graph.undirected
    )
    return own, None if weights is None else weights.astype(float).tolist()


PEER = IGraph()
