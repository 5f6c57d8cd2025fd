"""Cascades against SciPy's searches: chains longer than a block's rounds, more finds than a block keeps,
long lists."""

from __future__ import annotations

import numpy as np
import pytest
from operators.cases import BACKENDS, Numbers, One, directed, random_graph, run
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from gunrock_cli.graph.model.graph import Graph

BACKEND = pytest.mark.parametrize("backend", BACKENDS)


def check(graph: Graph, beginnings: list[int], backend: str) -> Numbers:
    marks = np.zeros(graph.n, np.int32)
    marks[beginnings] = 1
    arrays = {"marks": marks, "visits": np.zeros(graph.n, np.int64)}
    found = run(One("cascade.cuh", arrays, ("marks", "visits")), graph, backend)
    matrix = csr_array(
        (np.ones(graph.m), graph.csr.column_indices, graph.csr.row_offsets), shape=(graph.n, graph.n)
    )
    hops = dijkstra(matrix, indices=beginnings, unweighted=True, min_only=True) if beginnings else None
    reached = np.zeros(graph.n, bool) if hops is None else np.isfinite(hops)
    np.testing.assert_array_equal(found["marks"] == 3, reached)
    np.testing.assert_array_equal(found["visits"], reached)
    return reached


@BACKEND
@pytest.mark.parametrize("wide", [False, True])
def test_random_graphs(wide: bool, backend: str) -> None:
    for seed, (n, m, hub) in enumerate([(1, 1, 0), (9, 20, 0), (60, 100, 50), (50, 300, 200)]):
        graph = random_graph(n, m, seed, hub, wide)
        check(graph, [n // 2], backend)
        check(graph, sorted({0, n // 3, n - 1}), backend)
        check(graph, [], backend)


@BACKEND
def test_a_chain_longer_than_the_rounds(backend: str) -> None:
    path = np.arange(150)
    assert check(directed(151, path, path + 1), [0], backend).all()


@BACKEND
def test_more_than_a_block_keeps(backend: str) -> None:
    """A tree in which one vertex leads to 2000 that lead to two more each."""
    leaves = np.arange(2001, 6001)
    tails = np.concatenate((np.zeros(2000, np.int64), np.repeat(np.arange(1, 2001), 2)))
    heads = np.concatenate((np.arange(1, 2001), leaves))
    assert check(directed(6001, tails, heads), [0], backend).all()


@BACKEND
def test_all_begin(backend: str) -> None:
    assert check(random_graph(700, 900, 5), list(range(700)), backend).all()
