"""Graphs, runs and references for the tests of PageRank's pull and push forms."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import strategies as st

from gunrock_cli.bench.protocol.runner import Measured, Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives.pagerank import PRIMITIVE
from gunrock_cli.primitives.pagerank.options import PageRankOptions

Edges = Sequence[tuple[int, int]]
BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
LOOPS = ("device", "host")
PRECISIONS = ("float32", "float64")
TIGHT: dict[str, Any] = {"precision": "float64", "tolerance": 1e-13, "max_iterations": 1000}


def options(**changed: Any) -> PageRankOptions:
    return PageRankOptions.of(changed)


def graph_of(n: int, edges: Edges, backend: str = "cpu", **how: Any) -> Graph:
    table = np.array(edges, np.int64).reshape(-1, 2)
    return build_graph(n, table[:, 0], table[:, 1], None, xp=choose_backend(backend).xp, **how)


def run(
    graph: Graph, protocol: Protocol | None = None, threads: int = 2, backend: str = "cpu", **changed: Any
) -> Measured:
    measured = measure(
        PRIMITIVE,
        graph,
        options(**changed),
        [],
        choose_backend(backend, threads),
        protocol or Protocol(runs=1, warmup=0),
    )
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    return measured


def networkx_ranks(graph: Graph, damping: float = 0.85) -> np.ndarray[Any, Any]:
    """NetworkX's ranks; each parallel edge counts."""
    if graph.n == 0:
        return np.zeros(0)
    csr = graph.to(np).csr
    own = nx.DiGraph()
    own.add_nodes_from(range(graph.n))
    rows = np.repeat(np.arange(graph.n), csr.degrees())
    for u, v in zip(rows.tolist(), csr.column_indices.tolist(), strict=True):
        own.add_edge(u, v, weight=own.get_edge_data(u, v, {"weight": 0})["weight"] + 1)
    ranks = nx.pagerank(own, alpha=damping, tol=1e-12 / graph.n, max_iter=10_000)
    return np.array([ranks[v] for v in range(graph.n)])


def distance(found: np.ndarray[Any, Any], expected: np.ndarray[Any, Any]) -> float:
    return float(np.abs(found.astype(np.float64) - expected).sum())


def check(
    graph: Graph,
    loop: str = "device",
    backend: str = "cpu",
    threads: int = 2,
    mode: str | None = None,
    **changed: Any,
) -> None:
    """Check both precisions against NetworkX."""
    expected = networkx_ranks(graph)
    protocol = Protocol(runs=1, warmup=0, loop=loop, advance_mode=mode)
    exact = run(graph, protocol, threads, backend, **TIGHT, **changed).outputs["ranks"]
    assert exact.dtype == np.float64
    assert distance(exact, expected) < 1e-10
    single = run(graph, protocol, threads, backend, tolerance=0.0, max_iterations=150, **changed).outputs[
        "ranks"
    ]
    assert single.dtype == np.float32
    assert distance(single, expected) < 1e-6


CORNERS: dict[str, tuple[int, Edges, dict[str, Any]]] = {
    "empty": (0, [], {}),
    "one vertex": (1, [], {}),
    "no edges": (70, [], {}),
    "one edge": (2, [(0, 1)], {"undirected": False}),
    "star": (500, [(0, v) for v in range(1, 500)], {}),
    "into one": (9000, [(v, 0) for v in range(1, 9000)], {"undirected": False}),
    "out of one": (9000, [(0, v) for v in range(1, 9000)], {"undirected": False}),
    "two hubs among short rows": (
        9000,
        [
            *((v, 3) for v in range(9000)),
            *((v, 5) for v in range(0, 9000, 2)),
            *((v, v + 1) for v in range(8999)),
        ],
        {},
    ),
    "path": (300, [(v, v + 1) for v in range(299)], {}),
    "directed path": (300, [(v, v + 1) for v in range(299)], {"undirected": False}),
    "cycle": (97, [(v, (v + 1) % 97) for v in range(97)], {"undirected": False}),
    "clique": (90, list(itertools.combinations(range(90), 2)), {}),
    "bipartite": (50, [(u, v) for u in range(20) for v in range(20, 50)], {}),
    "only self loops": (5, [(v, v) for v in range(5)], {"keep_self_loops": True, "undirected": False}),
    "disconnected": (6, [(0, 1), (1, 2), (3, 4)], {}),
    "self loops": (3, [(0, 0), (0, 1), (1, 1), (1, 2)], {"keep_self_loops": True, "undirected": False}),
    "duplicate edges": (
        4,
        [(0, 1), (0, 1), (0, 2), (1, 2), (2, 0), (2, 3), (2, 3)],
        {"keep_duplicates": True, "undirected": False},
    ),
}


@st.composite
def small_graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(1, 40))
    vertex = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex), max_size=80))
    return graph_of(
        n,
        edges,
        undirected=draw(st.booleans()),
        keep_self_loops=draw(st.booleans()),
        keep_duplicates=draw(st.booleans()),
    )
