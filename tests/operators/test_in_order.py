"""Smallest free numbers in order against a loop over the order, and histograms against NumPy's: lists of
all lengths around the tiers' bounds, chains through the whole order, few vertices and many."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.cases import Numbers, One, directed, random_graph, run

from gunrock_cli.graph.model.graph import Graph

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
SHORT = 127
"""The longest list that a warp takes: SHORT_LIST."""


def numbered(graph: Graph, order: Numbers) -> Numbers:
    """Loop over the order: each vertex gets the least number that no neighbour before it has."""
    rows, columns = graph.csr.row_offsets, graph.csr.column_indices
    found = np.full(graph.n, -1)
    for v in order:
        taken = set(found[columns[rows[v] : rows[v + 1]]].tolist())
        found[v] = next(x for x in range(graph.n + 1) if x not in taken)
    return found


def check(graph: Graph, order: Numbers, backend: str) -> Numbers:
    """Check ``order``, with the long lists moved to its front."""
    is_long = graph.csr.degrees()[order] > SHORT
    order = np.concatenate((order[is_long], order[~is_long]))
    words = np.empty(graph.n, np.int32)
    words[order] = ~np.arange(graph.n, dtype=np.int32)
    arrays: dict[str, Any] = {
        "order": order.astype(np.int32),
        "long_lists": int(is_long.sum()),
        "count": graph.n,
        "words": words,
        "tickets": np.zeros(2, np.uint32),
    }
    found = run(One("in_order.cuh", arrays, ("words",)), graph, backend)["words"]
    np.testing.assert_array_equal(found, numbered(graph, order))
    return found


def symmetric(n: int, tails: Numbers, heads: Numbers) -> Graph:
    return directed(n, np.concatenate((tails, heads)), np.concatenate((heads, tails)))


@pytest.mark.parametrize("backend", BACKENDS)
def test_random_graphs(backend: str) -> None:
    for seed, (n, m, hub) in enumerate(
        [
            (1, 3, 0),
            (50, 40, 0),
            (300, 900, 200),
            (2000, 30_000, 1500),
            (500, 60_000, 0),
            (30_000, 40_000, 5000),
        ]
    ):
        graph = random_graph(n, m, seed, hub)
        both = symmetric(graph.n, graph.csr.sources(), graph.csr.column_indices)
        check(both, np.random.default_rng(seed).permutation(graph.n), backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_one_chain_through_all_lists(backend: str) -> None:
    """Every vertex of a clique waits for all before it."""
    for size in (2, 33, SHORT, SHORT + 1, SHORT + 2, 700):
        tails, heads = np.triu_indices(size, 1)
        order = np.random.default_rng(size).permutation(size)
        found = check(symmetric(size, tails, heads), order, backend)
        assert sorted(found) == list(range(size))
    path = np.arange(20_000)
    check(symmetric(20_001, path, path + 1), np.arange(20_001), backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("taken", [128, 4095, 4096, 4097, 9000])
def test_numbers_beyond_a_window(taken: int, backend: str) -> None:
    """A list all of whose entries are numbered before."""
    words = np.append(np.random.default_rng(taken).permutation(taken), ~0).astype(np.int32)
    graph = directed(taken + 1, np.full(taken, taken), np.arange(taken))
    arrays: dict[str, Any] = {
        "order": np.array([taken], np.int32),
        "long_lists": 1,
        "count": 1,
        "words": words,
        "tickets": np.zeros(2, np.uint32),
    }
    found = run(One("in_order.cuh", arrays, ("words",)), graph, backend)["words"]
    assert found[taken] == taken


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("top", [1, 1023, 1024, 1025, 9000])
def test_histogram(top: int, backend: str) -> None:
    classes = np.random.default_rng(top).integers(0, top, 30_000)
    arrays: dict[str, Any] = {
        "classes": classes,
        "count": len(classes),
        "counts": np.zeros(top, np.uint32),
    }
    found = run(One("histogram.cuh", arrays, ("counts",)), directed(1, classes[:0], classes[:0]), backend)
    np.testing.assert_array_equal(found["counts"], np.bincount(classes, minlength=top))
