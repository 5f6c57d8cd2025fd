"""NetworKit: C++ with OpenMP under Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.peers.base import Peer, PeerResult, has_dangling, one_direction, timed
from gunrock_cli.peers.pagerank import PageRankSettings
from gunrock_cli.primitives.many_sources import turned
from gunrock_cli.primitives.mst import lightest_pairs
from gunrock_cli.primitives.references import smallest_vertices


class NetworKit(Peer):
    name = "networkit"
    title = "NetworKit"
    primitives = ("bfs", "sssp", "cc", "pagerank", "mst", "matching", "louvain", "kcore", "closeness")
    times = (
        "the algorithm's run(), with all threads where it has a parallel version (cc, pagerank, louvain, "
        "closeness)"
    )
    module = distribution = "networkit"

    def bfs(self, graph: Graph, source: int, runs: int) -> PeerResult:
        import networkit as nk

        own = convert(graph, weighted=False)
        times, done = timed(lambda: nk.distance.BFS(own, source, storePaths=False).run(), runs)
        found = _distances(done)
        return PeerResult(times, {"labels": np.where(np.isinf(found), -1, found).astype(np.int32)})

    def sssp(self, graph: Graph, source: int, runs: int) -> PeerResult:
        import networkit as nk

        own = convert(graph, weighted=True)
        times, done = timed(lambda: nk.distance.Dijkstra(own, source, storePaths=False).run(), runs)
        return PeerResult(times, {"distances": _distances(done)})

    def cc(self, graph: Graph, runs: int) -> PeerResult:
        import networkit as nk

        own = convert(graph, weighted=False)
        kind = (
            nk.components.ParallelConnectedComponents
            if graph.undirected
            else nk.components.WeaklyConnectedComponents
        )
        times, done = timed(lambda: kind(own).run(), runs)
        labels = np.empty(graph.n, np.int64)
        for index, members in enumerate(done.getComponents()):
            labels[members] = index
        return PeerResult(times, {"components": smallest_vertices(labels)})

    def pagerank(self, graph: Graph, options: Mapping[str, Any], runs: int) -> PeerResult:
        import networkit as nk

        settings = PageRankSettings.of(options)
        settings.need_an_iteration(self.title)
        own = convert(graph, weighted=False)

        def work() -> Any:
            ranking = nk.centrality.PageRank(own, settings.damping, settings.tolerance)
            ranking.norm = nk.centrality.Norm.L1_NORM
            ranking.maxIterations = settings.max_iterations
            return ranking.run()

        times, done = timed(work, runs)
        iterations = int(done.numberOfIterations())
        if iterations >= settings.max_iterations and has_dangling(graph):
            raise settings.cut_short(self.title)
        ranks = np.asarray(done.scores())  # ranks of vertices without an out-edge are lost:
        scaled = ranks / ranks.sum()  # right up to a factor
        return PeerResult(times, {"ranks": scaled}, iterations)

    def mst(self, graph: Graph, runs: int) -> PeerResult:
        import networkit as nk

        own = convert(graph, weighted=True)
        times, done = timed(lambda: nk.graph.KruskalMSF(own).run(), runs)
        forest = np.array(list(done.getForest().iterEdges()), np.int64).reshape(-1, 2)
        sources, targets, weights = lightest_pairs(graph)  # the forest itself has no weights
        chosen = np.searchsorted(
            sources.astype(np.int64) * graph.n + targets,
            forest.min(axis=1) * graph.n + forest.max(axis=1),
        )
        return PeerResult(times, {"weights": weights[chosen]})

    def kcore(self, graph: Graph, runs: int) -> PeerResult:
        import networkit as nk

        own = convert(graph, weighted=False)
        own.removeSelfLoops()
        times, done = timed(lambda: nk.centrality.CoreDecomposition(own).run(), runs)
        return PeerResult(times, {"cores": np.array(done.scores(), np.int32)})

    def closeness(self, graph: Graph, options: Mapping[str, Any], runs: int) -> PeerResult:
        import networkit as nk

        own = convert(turned(graph), weighted=False)  # theirs are distances from a vertex
        central = nk.centrality

        def work() -> Any:
            if options["harmonic"]:
                return central.HarmonicCloseness(own, normalized=False).run()
            return central.Closeness(own, False, central.ClosenessVariant.GENERALIZED).run()

        times, done = timed(work, runs)
        return PeerResult(times, {"scores": np.asarray(done.scores())})

    def matching(self, graph: Graph, options: Mapping[str, Any], runs: int) -> PeerResult:
        import networkit as nk

        own = convert(graph, weighted=options.get("by") == "weight")
        # its sorted version does not return a matching if weights tie (11.2.2)
        times, done = timed(lambda: nk.matching.SuitorMatcher(own, sortSuitor=False).run(), runs)
        mates = np.array(done.getMatching().getVector(), np.uint64)
        free = mates >= np.uint64(graph.n)
        return PeerResult(times, {"partners": np.where(free, -1, mates.astype(np.int64))})

    def louvain(self, graph: Graph, options: Mapping[str, Any], runs: int) -> PeerResult:
        import networkit as nk

        own = convert(graph, weighted=graph.weighted)
        times, done = timed(lambda: _ran(nk.community.PLM(own, gamma=options["resolution"])), runs)
        _, labels = np.unique(done.getPartition().getVector(), return_inverse=True)
        return PeerResult(times, {"communities": labels})


def convert(graph: Graph, *, weighted: bool = False) -> Any:
    """Convert to a NetworKit graph."""
    import networkit as nk

    sources, targets, weights = one_direction(graph)
    values = np.ones(len(sources)) if weights is None or not weighted else weights.astype(float)
    ends = (sources.astype(np.uint64), targets.astype(np.uint64))
    return nk.graph.GraphFromCoo(
        (values, ends), n=graph.n, weighted=weighted, directed=not graph.undirected
    )


def _ran(algorithm: Any) -> Any:
    """Run and return an algorithm whose run() does not return it."""
    algorithm.run()
    return algorithm


def _distances(done: Any) -> np.ndarray[Any, Any]:
    found = np.asarray(done.getDistances(), dtype=np.float64)
    found[found >= np.finfo(np.float64).max / 2] = np.inf
    return found


PEER = NetworKit()
