"""Graphs for the tests of breadth-first search, and a way to run and check it."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from gunrock_cli.bench.protocol.runner import Measured, Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives.bfs import PRIMITIVE

BACKENDS = [pytest.param("cpu"), pytest.param("cuda", marks=pytest.mark.gpu)]
DEFAULTS = {option.key: option.default for option in PRIMITIVE.options}
Edges = list[tuple[int, int]]


def graph_of(n: int, edges: Edges, undirected: bool = True, **keep: bool) -> Graph:
    ends = np.array(edges, np.int32).reshape(-1, 2)
    return build_graph(
        n,
        ends[:, 0].copy(),
        ends[:, 1].copy(),
        None,
        undirected=undirected,
        keep_self_loops=keep.get("keep_self_loops", False),
        keep_duplicates=keep.get("keep_duplicates", False),
        name="test",
        origin={},
        xp=np,
    )


def run(
    graph: Graph,
    source: int = 0,
    backend: str = "cpu",
    mode: str | None = None,
    loop: str = "device",
    threads: int = 2,
    protocol: dict[str, Any] | None = None,
    **options: Any,
) -> Measured:
    chosen = choose_backend(backend, threads)
    return measure(
        PRIMITIVE,
        graph.to(chosen.xp),
        {**DEFAULTS, **options},
        [source],
        chosen,
        Protocol(runs=1, warmup=0, advance_mode=mode, loop=loop, **(protocol or {})),
    )


def expected_labels(graph: Graph, source: int) -> np.ndarray[Any, Any]:
    """Expected labels by Dijkstra on unit weights, not by the tool's own reference."""
    csr = graph.csr
    matrix = csr_array((np.ones(graph.m), csr.column_indices, csr.row_offsets), shape=(graph.n, graph.n))
    found = dijkstra(matrix, indices=source, unweighted=True)
    return np.where(np.isinf(found), -1, found).astype(np.int32)


def check(graph: Graph, source: int = 0, **how: Any) -> Measured:
    measured = run(graph, source, **how)
    assert np.array_equal(measured.outputs["labels"], expected_labels(graph, source))
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    return measured


def random_graph(n: int, m: int, seed: int, undirected: bool) -> Graph:
    ends = np.random.default_rng(seed).integers(0, n, (m, 2))
    return graph_of(n, [(int(a), int(b)) for a, b in ends], undirected)


CORNERS: dict[str, Graph] = {
    "one vertex": graph_of(1, []),
    "no edges": graph_of(5, []),
    "self loops": graph_of(3, [(0, 0), (0, 1), (1, 1), (2, 2)], keep_self_loops=True),
    "duplicates": graph_of(3, [(0, 1), (0, 1), (1, 2), (1, 2)], keep_duplicates=True),
    "disconnected": graph_of(6, [(0, 1), (1, 2), (3, 4), (4, 5)]),
    "star": graph_of(3000, [(0, v) for v in range(1, 3000)]),
    "leaf of a star": graph_of(3000, [(2999, v) for v in range(2999)]),
    "clique": graph_of(60, list(itertools.combinations(range(60), 2))),
    "bipartite": graph_of(80, [(a, 40 + b) for a in range(40) for b in range(0, 40, 3)]),
    "source without edges": graph_of(4, [(1, 2), (2, 3)]),
    "directed away": graph_of(4, [(1, 0), (2, 1), (3, 2)], undirected=False),
}
