"""RAPIDS cuGraph through pylibcugraph, its thin layer over the C API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.peers.base import Peer, PeerResult
from gunrock_cli.peers.hits import HitsSettings
from gunrock_cli.peers.pagerank import PageRankSettings
from gunrock_cli.peers.personalized import in_columns, one_set_each
from gunrock_cli.primitives.references import smallest_vertices


class CuGraph(Peer):
    name = "cugraph"
    title = "RAPIDS cuGraph (pylibcugraph)"
    primitives = ("bfs", "sssp", "bc", "cc", "pagerank", "mst", "louvain", "hits", "ppr")
    more_work = MappingProxyType({"sssp": "predecessors"})
    times = "one call of the library until the device is done; not building its graph"
    module = "pylibcugraph"
    distribution = "pylibcugraph-cu13"
    backend = "cuda"

    def available(self) -> str | None:
        reason = super().available()
        if reason is not None:
            return (
                f"{reason} --extra-index-url=https://pypi.nvidia.com (or pylibcugraph-cu12 for CUDA 12)"
            )
        try:
            import cupy

            return None if cupy.cuda.runtime.getDeviceCount() else "no NVIDIA GPU"
        except Exception as error:
            return f"CuPy cannot use a GPU: {error}"

    def versions(self) -> dict[str, str]:
        import pylibcugraph

        return {"pylibcugraph": str(pylibcugraph.__version__)}

    def bfs(self, graph: Graph, source: int, runs: int) -> PeerResult:
        import cupy
        import pylibcugraph as plc

        handle, own = _convert(graph)
        start = cupy.asarray([source], np.int32)
        # sources are renumbered in place: one copy per run
        times, (distances, _, vertices) = _timed(
            lambda: plc.bfs(handle, own, start.copy(), graph.undirected, -1, False, False), runs
        )
        found = _in_order(vertices, distances, graph.n, -1).astype(np.int64)
        unreached = (found < 0) | (found > graph.n)
        return PeerResult(times, {"labels": np.where(unreached, -1, found).astype(np.int32)})

    def sssp(self, graph: Graph, source: int, runs: int) -> PeerResult:
        import pylibcugraph as plc

        handle, own = _convert(graph)
        # the library always computes predecessors
        times, (vertices, distances, _) = _timed(
            lambda: plc.sssp(handle, own, source, np.inf, True, False), runs
        )
        found = _in_order(vertices, distances, graph.n, np.inf).astype(np.float64)
        found[found >= np.finfo(np.float32).max / 2] = np.inf
        return PeerResult(times, {"distances": found})

    def bc(self, graph: Graph, source: int, runs: int) -> PeerResult:
        import cupy
        import pylibcugraph as plc

        handle, own = _convert(graph, weighted=False)
        sources = cupy.asarray([source], np.int32)
        times, (vertices, means) = _timed(
            lambda: plc.betweenness_centrality(handle, own, sources.copy(), None, False, False, False),
            runs,
        )
        # one source is treated as a sample of n - 1, and an unordered pair is counted once
        scores = _in_order(vertices, means, graph.n, 0.0).astype(np.float64)
        scores *= (2 if graph.undirected else 1) / max(1, graph.n - 1)
        scores[source] = 0.0  # the library divides 0 by 0
        return PeerResult(times, {"scores": scores})

    def cc(self, graph: Graph, runs: int) -> PeerResult:
        import pylibcugraph as plc

        handle, own = _convert(graph, both_directions=True)
        times, (vertices, labels) = _timed(
            lambda: plc.weakly_connected_components(handle, own, None, None, None, None, False), runs
        )
        found = _in_order(vertices, labels, graph.n, -1)
        return PeerResult(times, {"components": smallest_vertices(found)})

    def pagerank(self, graph: Graph, options: Mapping[str, Any], runs: int) -> PeerResult:
        import pylibcugraph as plc

        settings = PageRankSettings.of(options)
        settings.need_an_iteration(self.title)
        handle, own = _convert(graph, transposed=True, weighted=False)
        # not an error: the run may end at --max-iterations, as gunrock's does
        times, (vertices, ranks, _) = _timed(
            lambda: plc.pagerank(
                handle,
                own,
                None,
                None,
                None,
                None,
                settings.damping,
                settings.tolerance,
                settings.max_iterations,
                False,
                fail_on_nonconvergence=False,
            ),
            runs,
        )
        found = _in_order(vertices, ranks, graph.n, 0.0).astype(np.float64)
        return PeerResult(times, {"ranks": found / found.sum()})

    def louvain(self, graph: Graph, options: Mapping[str, Any], runs: int) -> PeerResult:
        import pylibcugraph as plc

        handle, own = _convert(graph)
        times, (vertices, labels, _) = _timed(
            lambda: plc.louvain(handle, own, 100, 1e-7, options["resolution"], False), runs
        )
        _, dense = np.unique(_in_order(vertices, labels, graph.n, -1), return_inverse=True)
        return PeerResult(times, {"communities": dense})

    def mst(self, graph: Graph, runs: int) -> PeerResult:
        import cupy
        import pylibcugraph as plc

        handle, own = _convert(graph)
        times, (sources, targets, weights, _) = _timed(
            lambda: plc.minimum_spanning_tree(handle, own), runs
        )
        ends = cupy.minimum(sources, targets).astype(np.int64) * graph.n + cupy.maximum(sources, targets)
        _, once = cupy.unique(ends, return_index=True)  # the forest may hold both directions
        return PeerResult(times, {"weights": cupy.asnumpy(weights[once])})

    def hits(self, graph: Graph, options: Mapping[str, Any], runs: int) -> PeerResult:
        import pylibcugraph as plc

        settings = HitsSettings.of(options)
        settings.need_convergence(self.title, graph)  # it fails if --max-iterations ends it
        handle, own = _convert(graph, transposed=True, weighted=False)
        times, (vertices, hubs, authorities) = _timed(
            lambda: plc.hits(
                handle, own, settings.tolerance, settings.max_iterations, None, None, True, False
            ),
            runs,
        )
        return PeerResult(
            times,
            {
                name: settings.normalized(_in_order(vertices, values, graph.n, 0.0).astype(np.float64))
                for name, values in (("hubs", hubs), ("authorities", authorities))
            },
        )

    def ppr(self, graph: Graph, source: int | None, options: Mapping[str, Any], runs: int) -> PeerResult:
        import cupy
        import pylibcugraph as plc

        settings = PageRankSettings.of(options)
        settings.need_an_iteration(self.title)
        handle, own = _convert(graph, transposed=True, weighted=False)
        sets = [cupy.asarray(seeds, np.int32) for seeds in one_set_each(options, source)]
        # seeds are renumbered in place: one copy per run; ending at --max-iterations is not an error
        times, answers = _timed(
            lambda: [
                plc.personalized_pagerank(
                    handle,
                    own,
                    None,
                    None,
                    None,
                    None,
                    seeds.copy(),
                    cupy.full(len(seeds), 1 / len(seeds), np.float32),
                    settings.damping,
                    settings.tolerance,
                    settings.max_iterations,
                    False,
                    fail_on_nonconvergence=False,
                )
                for seeds in sets
            ],
            runs,
        )
        found = [
            _in_order(vertices, ranks, graph.n, 0.0).astype(np.float64) for vertices, ranks, _ in answers
        ]
        return PeerResult(times, {"ranks": in_columns([ranks / ranks.sum() for ranks in found], options)})


def _convert(
    graph: Graph, *, transposed: bool = False, weighted: bool = True, both_directions: bool = False
) -> tuple[Any, Any]:
    """The library's own graph from an edge list, which also names vertices without an edge."""
    import cupy
    import pylibcugraph as plc

    csr = graph.csr
    sources = csr.sources()
    targets = csr.column_indices.astype(np.int32)
    weights = np.ones(graph.m) if csr.values is None or not weighted else csr.values
    symmetric = graph.undirected or both_directions
    if both_directions and not graph.undirected:
        sources, targets = np.concatenate([sources, targets]), np.concatenate([targets, sources])
        weights = np.concatenate([weights, weights])
    handle = plc.ResourceHandle()
    own = plc.SGGraph(
        handle,
        plc.GraphProperties(is_symmetric=symmetric, is_multigraph=False),
        cupy.asarray(sources),
        cupy.asarray(targets),
        weight_array=cupy.asarray(weights, np.float32),
        vertices_array=cupy.arange(graph.n, dtype=np.int32),
        store_transposed=transposed,
        renumber=True,
        do_expensive_check=False,
    )
    return handle, own


def _timed(work: Callable[[], Any], runs: int) -> tuple[list[float], Any]:
    """Time the runs as ``base.timed`` does, but with the device's own events."""
    import cupy

    result = work()
    times = []
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    for _ in range(runs):
        cupy.cuda.runtime.deviceSynchronize()
        begin.record()
        result = work()
        cupy.cuda.runtime.deviceSynchronize()
        end.record()
        end.synchronize()
        times.append(float(cupy.cuda.get_elapsed_time(begin, end)))
    return times, result


def _in_order(vertices: Any, values: Any, n: int, fill: float) -> np.ndarray[Any, Any]:
    import cupy

    values = cupy.asnumpy(values)
    found = np.full(n, fill, values.dtype if fill in (-1, 0.0) else np.float64)
    found[cupy.asnumpy(vertices)] = values
    return found


PEER = CuGraph()
