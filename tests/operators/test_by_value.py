"""Advances that examine edges' values first, and queues of edges, against NumPy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from operators.cases import BACKENDS, One, random_graph, run

from gunrock_cli.graph.model.graph import Graph

SIZES = ((1, 3, 0), (60, 90, 40), (200, 1500, 150))
"""Vertices, edges, and additional edges of the first vertex."""


def drawn(n: int, m: int, hub: int) -> tuple[Graph, np.ndarray[Any, Any]]:
    """A graph with weights, and a frontier."""
    graph, draw = random_graph(n, m, seed=n, hub=hub), np.random.default_rng(m)
    weighted = replace(graph.csr, values=draw.integers(1, 20, graph.m).astype(np.int32))
    return replace(graph, csr=weighted), (draw.random(n) < 0.7).astype(np.uint32)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("bound", [0, 9, 100])
def test_advance_by_value(bound: int, backend: str) -> None:
    for size in SIZES:
        graph, frontier = drawn(*size)
        far, sources = np.iinfo(np.int32).max, graph.csr.sources()
        brought = sources % 5 + graph.csr.values
        counts = (frontier[sources] > 0) & (brought <= bound)
        expected = np.full(graph.n, far)
        np.minimum.at(expected, graph.csr.column_indices[counts], brought[counts])
        arrays: dict[str, Any] = {
            "frontier": frontier,
            "least": np.full(graph.n, far, np.int32),
            "queued": np.zeros(graph.n, np.uint32),
            "bound": bound,
        }
        found = run(One("advance_by_value.cuh", arrays, ("least", "queued")), graph, backend)
        np.testing.assert_array_equal(found["least"], expected)
        np.testing.assert_array_equal(found["queued"] > 0, expected < far)  # once for each improvement


@pytest.mark.sampled(3)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("twice", [0, 1])
@pytest.mark.parametrize("carries", [0, 1])
@pytest.mark.parametrize("mode", ["LB", "TWC", "SERIAL"])
def test_edge_queue(mode: str, carries: int, twice: int, backend: str) -> None:
    for size in SIZES:
        graph, frontier = drawn(*size)
        sources, ends = graph.csr.sources(), graph.csr.column_indices
        visited = (frontier[sources] > 0) & (ends % 3 > 0)
        asked = np.bincount(ends[visited], minlength=graph.n)
        kept = asked > 0
        arrays: dict[str, Any] = {
            "frontier": frontier,
            **{name: np.zeros(graph.n, np.uint32) for name in ("asked", "from", "kept")},
        }
        one = One(
            "edge_queue.cuh", arrays, ("asked", "from", "kept"), GR_TWICE=twice, GR_CARRY_SOURCE=carries
        )
        found = run(one, graph, backend, mode)
        np.testing.assert_array_equal(found["asked"], asked)
        if carries:
            total = np.bincount(ends[visited], sources[visited], graph.n).astype(np.int64)
            np.testing.assert_array_equal(found["from"], total)
        expected = np.bincount(ends[kept[sources]], minlength=graph.n) if twice else kept
        np.testing.assert_array_equal(found["kept"], expected)
