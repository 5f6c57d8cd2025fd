"""Graphs that have changed since an answer, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.changing import ChangingGraph
from gunrock_cli.graph.model.change import Updated
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.base import Primitive

Batch = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], Any, np.ndarray[Any, Any]]


def batch_for(graph: Graph, rng: np.random.Generator, size: int, grows: int = 0) -> Batch:
    """Edges to insert, some of them already there, and edges to delete, some of them not there."""
    src, dst = rng.integers(0, graph.n + grows, (2, size)) if graph.n + grows else np.empty((2, 0), int)
    inserts = rng.random(len(src)) < 0.6
    if graph.m:
        known = rng.integers(0, graph.m, size)
        src = np.concatenate((src, graph.csr.sources()[known]))
        dst = np.concatenate((dst, graph.csr.column_indices[known]))
        inserts = np.concatenate((inserts, rng.random(size) < 0.3))
    weighs = graph.csr.values is not None
    weights = rng.integers(0, 9, len(src)).astype(graph.csr.values.dtype) if weighs else None
    return src, dst, weights, inserts


def answer(
    primitive: Primitive, graph: Graph, options: Mapping[str, Any], source: int, backend: str = "cpu"
) -> dict[str, Any]:
    """The answer of a run, checked against the reference and by the certificate."""
    sources = [source] if primitive.reads_source(primitive.asked(options)) else []
    protocol, threads = Protocol(runs=1, warmup=0, check="both"), 2 if backend == "cpu" else None
    measured = measure(primitive, graph, options, sources, choose_backend(backend, threads), protocol)
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    return measured.outputs


def updated(
    primitive: Primitive,
    graph: Graph,
    options: Mapping[str, Any] | None = None,
    source: int = 0,
    seed: int = 0,
    size: int = 3,
    deletes: bool = True,
) -> Updated:
    """The graph after a batch, with the answer from before it."""
    d = ChangingGraph(graph)
    before, version = answer(primitive, graph, options or {}, source), d.version
    src, dst, weights, inserts = batch_for(graph, np.random.default_rng(seed), size)
    d.apply(src, dst, weights, inserts if deletes else True)
    found = d.after(version, before)
    assert isinstance(found, Updated)
    return found
