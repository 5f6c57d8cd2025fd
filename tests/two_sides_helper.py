"""Graphs and references for the tests of primitives that rank hubs and authorities (HITS, SALSA)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from pagerank_helper import CORNERS as PAGERANKS
from pagerank_helper import Edges

from gunrock_cli.bench.protocol.runner import Measured, Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.base import Primitive

Matrix = np.ndarray[Any, Any]
CORNERS: dict[str, tuple[int, Edges, dict[str, Any]]] = {
    **PAGERANKS,
    "directed bipartite": (
        50,
        [(u, v) for u in range(20) for v in range(20, 50) if (u * v) % 3],
        {"undirected": False},
    ),
    "two parts that do not touch": (
        9,
        [(0, 1), (0, 2), (3, 2), (4, 5), (6, 5), (6, 7)],
        {"undirected": False},
    ),
    "clique, directed": (40, [(u, v) for u in range(40) for v in range(u)], {"undirected": False}),
}
LONG = 100_001
LONG_GRAPHS: dict[str, tuple[int, Edges, dict[str, Any]]] = {
    "long path": (LONG, [(v, v + 1) for v in range(LONG - 1)], {"undirected": False}),
    "large star": (LONG, [(0, v) for v in range(1, LONG)], {"undirected": False}),
    "into a large star": (LONG, [(v, 0) for v in range(1, LONG)], {"undirected": False}),
}


def run_of(
    primitive: Primitive,
    graph: Graph,
    protocol: Protocol | None = None,
    threads: int = 2,
    backend: str = "cpu",
    **changed: Any,
) -> Measured:
    """The run of a primitive with these options, whose answer passes its check."""
    measured = measure(
        primitive,
        graph,
        primitive.asked(changed),
        [],
        choose_backend(backend, threads),
        protocol or Protocol(runs=1, warmup=0),
    )
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    return measured


def adjacency(graph: Graph) -> Matrix:
    """The dense adjacency matrix, with parallel edges counted."""
    csr = graph.to(np).csr
    dense = np.zeros((graph.n, graph.n))
    np.add.at(dense, (np.repeat(np.arange(graph.n), csr.degrees()), csr.column_indices), 1)
    return dense


def both(outputs: dict[str, Any]) -> Matrix:
    """Hubs and authorities as columns."""
    return np.column_stack([outputs["hubs"], outputs["authorities"]]).astype(np.float64)


def check_orders(run: Callable[..., Measured], **near: float) -> None:
    """Check that both rankings are as near by degree and in the graph's order as ``near`` says."""
    one, two = (both(run(order=order).outputs) for order in ("degree", "graph"))
    np.testing.assert_allclose(one, two, **near)
