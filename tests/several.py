"""Run on several devices, for tests: teams of the cpu backend, or all GPUs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.bench.records.record import Record
from gunrock_cli.engine.backend import Backend, choose_backend
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives import get_primitive

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
PARTITIONS = ("contiguous", "layered", "striped", "random")


def backend_of(name: str) -> tuple[Backend, list[int]]:
    """The backend, and numbers of devices to try; skips with one GPU only."""
    chosen = choose_backend(name, 6)
    if name == "cpu":
        return chosen, [2, 5]
    import cupy

    there = int(cupy.cuda.runtime.getDeviceCount())
    if there < 2:
        pytest.skip("one GPU is here, two or more are needed")
    return chosen, sorted({2, min(4, there), there})


def directed_graph(n: int, m: int, seed: int = 0) -> Graph:
    """A random graph of unequal degrees."""
    draw = np.random.default_rng(seed)
    return build_graph(
        n, draw.integers(0, n, m), (n * draw.random(m) ** 2).astype(np.int64), undirected=False, xp=np
    )


def path_between_parts(n: int, seed: int, weights: Any = None, undirected: bool = True) -> Graph:
    """A path that crosses between the parts again and again."""
    order = np.random.default_rng(seed).permutation(n)
    return build_graph(n, order[:-1], order[1:], weights, undirected=undirected, xp=np, name="path")


def check(
    name: str,
    graph: Graph,
    backend: Backend,
    devices: int,
    options: dict[str, Any],
    source: int | None = None,
    **protocol: Any,
) -> Record:
    """Run once; the answer must pass its reference and, unless told otherwise, its proof. Runs are
    traced, so that all tests share the compiled code."""
    primitive = get_primitive(name)
    usual = {"runs": 1, "warmup": 0, "check": "both", "trace": True, "devices": str(devices)}
    how = Protocol(**{**usual, **protocol})
    record = measure(
        primitive, graph.to(backend.xp), options, [] if source is None else [source], backend, how
    ).record
    assert record.status == "ok", record.error
    assert record.validation["verdict"] == "pass", record.validation
    assert record.validation["method"] == how.check
    return record


def check_cuts(
    name: str,
    graph: Graph,
    backend: str,
    options: dict[str, Any],
    partitions: tuple[str, ...] = PARTITIONS,
) -> None:
    """Check that the answers are one device's: by each partition, from a source of its own."""
    chosen, counts = backend_of(backend)
    cuts = {
        "contiguous": (counts[0], 0),
        "layered": (counts[-1], graph.n // 3),
        "striped": (counts[-1], graph.n - 1),
        "random": (counts[-1], graph.n // 2),
    }
    for partition in partitions:
        devices, source = cuts[partition]
        check(name, graph, chosen, devices, options, source, partition=partition)


def check_growing_queues(name: str, graph: Graph, backend: str) -> None:
    """Check queues too small for the graph, and the host between two steps."""
    chosen, counts = backend_of(backend)
    record = check(name, graph, chosen, counts[-1], {}, 5, loop="host", queue_sizing=0.01)
    assert record.queues["growths"] > 0
