"""A frontier of edges that knows where its edges begin (``Csr.sources``), against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from modes import MODES
from operators.cases import One, random_graph, run

from gunrock_cli.graph.model.graph import Graph

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
LOOPS = ["device", "host"]


def check(graph: Graph, backend: str = "cpu", **how: str) -> None:
    sources = graph.csr.sources()
    arrays = {
        "sources": sources,
        "walks": np.zeros(graph.n, np.uint32),
        "ended": np.zeros(graph.n, np.uint32),
    }
    found = run(One("wedges.cuh", arrays, ("walks", "ended"), GR_EDGE_FRONTIER=1), graph, backend, **how)
    steps = np.zeros((graph.n, graph.n), np.int64)
    np.add.at(steps, (sources, graph.csr.column_indices), 1)
    walks = steps @ steps
    np.fill_diagonal(walks, 0)
    np.testing.assert_array_equal(found["walks"], walks.sum(axis=1))
    np.testing.assert_array_equal(found["ended"], walks.sum(axis=0))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("mode", MODES)
def test_every_mode_and_loop(mode: str, loop: str, backend: str) -> None:
    for graph in (
        random_graph(300, 3000, 1),
        random_graph(400, 900, 2, hub=3000),
        random_graph(5, 0, 3),
        random_graph(200, 700, 4, wide=True),
    ):
        check(graph, backend, mode=mode, loop=loop)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 40), st.integers(0, 200), st.integers(0, 1000), st.sampled_from(LOOPS))
def test_random_graphs(n: int, m: int, seed: int, loop: str) -> None:
    check(random_graph(n, m, seed), loop=loop)
