"""Runs and references for the tests of personalized PageRank and of primitives built on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import networkx as nx
import numpy as np
from pagerank_helper import LOOPS, graph_of

from gunrock_cli.bench.protocol.runner import Measured, Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.ppr import PRIMITIVE
from gunrock_cli.primitives.ppr.options import PprOptions

TIGHT: dict[str, Any] = {"precision": "float64", "tolerance": 1e-13, "max_iterations": 1000}
PUSH: dict[str, Any] = {"method": "push", "precision": "float64"}
METHODS: list[dict[str, Any]] = [{}, {"batch": 3}, PUSH]
"""Options of every kernel; a batch needs three seeds."""
__all__ = ["LOOPS", "graph_of"]


def options(**changed: Any) -> PprOptions:
    return PprOptions.of(changed)


def run(
    graph: Graph,
    source: int = 0,
    protocol: Protocol | None = None,
    threads: int = 2,
    backend: str = "cpu",
    **changed: Any,
) -> Measured:
    """Run once; the answer must be right."""
    measured = measure(
        PRIMITIVE,
        graph,
        options(**changed),
        [source],
        choose_backend(backend, threads),
        protocol or Protocol(runs=1, warmup=0),
    )
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    return measured


def networkx_ranks(graph: Graph, seeds: Iterable[int], damping: float = 0.85) -> np.ndarray[Any, Any]:
    """NetworkX's ranks, which give the seeds the share of dangling vertices; each parallel edge
    counts."""
    csr = graph.to(np).csr
    own = nx.DiGraph()
    own.add_nodes_from(range(graph.n))
    rows = np.repeat(np.arange(graph.n), csr.degrees())
    for u, v in zip(rows.tolist(), csr.column_indices.tolist(), strict=True):
        own.add_edge(u, v, weight=own.get_edge_data(u, v, {"weight": 0})["weight"] + 1)
    ranks = nx.pagerank(
        own,
        alpha=damping,
        personalization=dict.fromkeys(seeds, 1.0),
        tol=1e-12 / graph.n,
        max_iter=10_000,
    )
    return np.array([ranks[v] for v in range(graph.n)])


def words(seeds: Sequence[int]) -> str:
    return ",".join(map(str, seeds))


def check(
    graph: Graph, seeds: Sequence[int], loop: str = "device", backend: str = "cpu", threads: int = 2
) -> None:
    """Check every kernel against NetworkX: a set of seeds, the same as a batch, and pushed."""
    protocol = Protocol(runs=1, warmup=0, loop=loop)
    together = networkx_ranks(graph, seeds)
    given: dict[str, Any] = {
        "protocol": protocol,
        "threads": threads,
        "backend": backend,
        "seeds": words(seeds),
    }
    found = run(graph, **given, tolerance=1e-9).outputs["ranks"]
    assert found.dtype == np.float32
    assert np.abs(found - together).sum() < 2e-6
    each = run(graph, **given, batch=len(seeds), tolerance=1e-9).outputs["ranks"]
    assert each.shape == (graph.n, len(seeds))
    for column, seed in zip(each.T, seeds, strict=True):
        assert np.abs(column - networkx_ranks(graph, [seed])).sum() < 2e-6
    pushed = run(graph, **given, method="push", epsilon=1e-9, precision="float64")
    off = np.abs(pushed.outputs["ranks"] - together).sum()
    unsettled = pushed.record.metrics["unsettled"]
    assert off <= unsettled + 1e-10  # unsettled ranks are missing
    assert unsettled <= 1e-9 * (graph.m + graph.n) / (1 - 0.85)
