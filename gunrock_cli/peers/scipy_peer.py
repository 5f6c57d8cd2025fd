"""SciPy's compiled graph routines (scipy.sparse.csgraph), single-threaded."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.peers.base import Array, Peer, PeerResult, edge_weights, timed
from gunrock_cli.peers.hits import HitsSettings
from gunrock_cli.peers.pagerank import PageRankSettings
from gunrock_cli.primitives.mst import lightest_pairs
from gunrock_cli.primitives.ppr.check import restart_of
from gunrock_cli.primitives.ppr.options import PprOptions
from gunrock_cli.primitives.references import highest, salsa_scores, smallest_vertices
from gunrock_cli.primitives.wtf.options import WtfOptions
from gunrock_cli.primitives.wtf.rows import one_after_the_other


class SciPy(Peer):
    name = "scipy"
    title = "SciPy csgraph"
    primitives = ("bfs", "sssp", "cc", "scc", "pagerank", "mst", "hits", "ppr", "wtf")
    more_work = MappingProxyType({"bfs": "predecessors"})
    times = (
        "one call of csgraph (which copies the matrix for sssp), or the iterations of ranking; not "
        "building the matrix; labels are derived from predecessors off the clock"
    )
    module = distribution = "scipy"

    def bfs(self, graph: Graph, source: int, runs: int) -> PeerResult:
        from scipy.sparse.csgraph import breadth_first_order

        matrix = _matrix(graph, np.ones(graph.m, np.int8))
        times, (order, parents) = timed(
            lambda: breadth_first_order(matrix, source, return_predecessors=True), runs
        )
        return PeerResult(times, {"labels": depths(order, parents, graph.n)})

    def sssp(self, graph: Graph, source: int, runs: int) -> PeerResult:
        from scipy.sparse.csgraph import dijkstra

        matrix = _matrix(graph, edge_weights(graph))
        search: Any = dijkstra
        times, found = timed(lambda: search(matrix, indices=source), runs)
        return PeerResult(times, {"distances": np.asarray(found)})

    def cc(self, graph: Graph, runs: int) -> PeerResult:
        return self._components(graph, "weak", runs)

    def scc(self, graph: Graph, runs: int) -> PeerResult:
        return self._components(graph, "strong", runs)

    def _components(self, graph: Graph, connection: Literal["weak", "strong"], runs: int) -> PeerResult:
        from scipy.sparse.csgraph import connected_components

        matrix = _matrix(graph, np.ones(graph.m, np.int8))
        times, (_, labels) = timed(
            lambda: connected_components(matrix, directed=not graph.undirected, connection=connection),
            runs,
        )
        return PeerResult(times, {"components": smallest_vertices(labels)})

    def pagerank(self, graph: Graph, options: Mapping[str, Any], runs: int) -> PeerResult:
        settings = PageRankSettings.of(options)
        incoming = _matrix(graph, np.ones(graph.m)).T.tocsr()
        degrees = np.diff(graph.csr.row_offsets).astype(np.float64)
        dangling = degrees == 0
        share = np.divide(1.0, degrees, out=np.zeros(graph.n), where=~dangling)

        def iterate() -> tuple[Array, int]:
            ranks, iteration, change = np.full(graph.n, 1 / graph.n), 0, np.inf
            while change >= settings.tolerance and iteration < settings.max_iterations:
                iteration += 1
                lost = ranks[dangling].sum() / graph.n
                fresh = (1 - settings.damping) / graph.n + settings.damping * (
                    incoming @ (ranks * share) + lost
                )
                change = float(np.abs(fresh - ranks).sum())
                ranks = fresh
            return ranks, iteration

        times, (ranks, iterations) = timed(iterate, runs)
        return PeerResult(times, {"ranks": ranks}, iterations)

    def hits(self, graph: Graph, options: Mapping[str, Any], runs: int) -> PeerResult:
        settings = HitsSettings.of(options)
        outgoing = _matrix(graph, np.ones(graph.m))
        incoming = outgoing.T.tocsr()

        def iterate() -> tuple[Array, Array, int]:
            hubs = authorities = settings.normalized(np.ones(graph.n))
            iteration, change = 0, np.inf
            while change >= settings.tolerance and iteration < settings.max_iterations:
                iteration += 1
                fresh = settings.normalized(incoming @ hubs)
                if iteration > 1:  # the first changes say nothing: they may be even again at the start
                    change = settings.length(fresh - authorities)
                authorities = fresh
                hubs = settings.normalized(outgoing @ authorities)
            return hubs, authorities, iteration

        times, (hubs, authorities, iterations) = timed(iterate, runs)
        return PeerResult(times, {"hubs": hubs, "authorities": authorities}, iterations)

    def ppr(self, graph: Graph, source: int | None, options: Mapping[str, Any], runs: int) -> PeerResult:
        personal = _Personal(graph, PageRankSettings.of(options))
        anew = restart_of(graph, PprOptions.of(options), source)
        times, (ranks, iterations) = timed(lambda: personal.ranks(anew), runs)
        return PeerResult(times, {"ranks": ranks}, iterations)

    def wtf(self, graph: Graph, source: int | None, options: Mapping[str, Any], runs: int) -> PeerResult:
        """The pipeline in plain SciPy: ranks, the best of them, SALSA, the best of those whom the user
        does not follow. For a batch, one user after the other."""
        chosen = WtfOptions.of(options)
        settings = PageRankSettings.of(chosen.values())
        personal, matrix = _Personal(graph, settings), _matrix(graph, np.ones(graph.m))

        def recommend(user: int) -> dict[str, Array]:
            anew = np.zeros(graph.n)
            anew[user] = 1
            ranks, _ = personal.ranks(anew)
            ranks[user] = 0
            circle = highest(ranks, chosen.circle)
            scores = salsa_scores(matrix[circle], chosen.salsa_iterations)
            scores[matrix[[user]].indices] = 0
            scores[user] = 0
            return {
                "scores": scores,
                "circle": circle,
                "recommendations": highest(scores, chosen.recommendations),
            }

        if source is not None:
            times, found = timed(lambda: recommend(source), runs)
            return PeerResult(times, found)
        users = chosen.users_of_batch
        times, each = timed(lambda: [recommend(user) for user in users], runs)
        return PeerResult(times, one_after_the_other(users, each, chosen.circle))

    def mst(self, graph: Graph, runs: int) -> PeerResult:
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import minimum_spanning_tree

        sources, targets, weights = lightest_pairs(graph)  # with parallel edges it would see their sum
        if (weights == 0).any():
            raise UsageError(f"{self.title} takes an edge of weight 0 for none")
        matrix = coo_array(
            (weights.astype(np.float64), (sources, targets)), shape=(graph.n, graph.n)
        ).tocsr()
        times, found = timed(lambda: minimum_spanning_tree(matrix), runs)
        return PeerResult(times, {"weights": np.asarray(found.data)})


class _Personal:
    """Power iterations on a matrix that is built once."""

    def __init__(self, graph: Graph, settings: PageRankSettings) -> None:
        self._settings = settings
        self._incoming = _matrix(graph, np.ones(graph.m)).T.tocsr()
        self._degrees = np.diff(graph.csr.row_offsets).astype(np.float64)

    def ranks(self, anew: Array) -> tuple[Array, int]:
        """Ranks and the number of iterations, given where the walk restarts (a column per seed, or one
        set)."""
        damping, dangling = self._settings.damping, self._degrees == 0
        share = np.divide(1.0, self._degrees, out=np.zeros(len(self._degrees)), where=~dangling)
        share = share.reshape(-1, *(1,) * (anew.ndim - 1))
        ranks, iteration, change = anew, 0, np.inf
        while change >= self._settings.tolerance and iteration < self._settings.max_iterations:
            iteration += 1
            lost = ranks[dangling].sum(axis=0)
            fresh = (1 - damping + damping * lost) * anew + damping * (self._incoming @ (ranks * share))
            change = float(np.abs(fresh - ranks).sum(axis=0).max())
            ranks = fresh
        return ranks, iteration


def _matrix(graph: Graph, values: Array) -> Any:
    from scipy.sparse import csr_array

    return csr_array((values, graph.csr.column_indices, graph.csr.row_offsets), shape=(graph.n, graph.n))


def depths(order: Array, parents: Array, n: int) -> Array:
    """Labels from a breadth-first order, in which parents are sorted by level."""
    place = np.zeros(n, np.int64)
    place[order] = np.arange(len(order))
    parent_place = place[parents[order[1:]]]  # ascending, as the order is breadth-first
    labels = np.full(n, -1, np.int32)
    begin, end, depth = 0, 1, 0
    while begin < end:
        labels[order[begin:end]] = depth
        begin, end = end, 1 + int(np.searchsorted(parent_place, end))
        depth += 1
    return labels


PEER = SciPy()
