"""Contraction by labels against SciPy's products of matrices, a scan over the grid against NumPy's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from operators.cases import Numbers, One, random_graph, run
from scipy.sparse import csr_array

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.operators.contraction import GIANT_LEAST

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
SHOWN = ("giants_count", "count", "begins", "ends", "columns", "sums", "within", "numbers", "scanned")


def weighted(graph: Graph, heaviest: int) -> Graph:
    values = np.random.default_rng(graph.m).integers(0, heaviest, graph.m).astype(np.int32)
    csr = replace(graph.csr, values=values)
    return replace(graph, csr=csr)


def check(
    graph: Graph,
    labels: Numbers,
    doubles: bool = False,
    length: int = 1000,
    backend: str = "cpu",
    loop: str = "device",
) -> int:
    """Check a contraction, and return the number of rooms that the whole grid has combined."""
    n, m, edge = graph.n, graph.m, graph.csr.row_offsets.dtype
    values = np.random.default_rng(length).integers(0, 2**40, length).astype(np.uint64)
    arrays: dict[str, Any] = {
        "labels": labels.astype(np.int32),
        "sizes": np.bincount(labels, minlength=n).astype(np.int32),
        "scan_sums": np.empty(1024, np.uint64),
        "numbers": np.full(n, -1, np.int32),
        **{name: np.zeros(n, edge) for name in ("rooms", "begins", "ends", "room_ends", "place")},
        "columns": np.empty(m, np.int32),
        "sums": np.empty(m, np.int64),
        "slot_keys": np.empty(2 * m, np.int32),
        "slot_sums": np.empty(2 * m, np.int64),
        "long_lists": np.empty(n, np.int32),
        "giants": np.empty(m // GIANT_LEAST + 1, np.int32),
        "giants_count": np.zeros(1, np.uint64),
        "entries": m,
        "count": np.zeros(1, np.int64),
        "within": np.zeros(1, np.uint64),
        "doubles": int(doubles),
        "values": values,
        "scanned": np.zeros(length, np.uint64),
        "length": length,
    }
    found = run(One("contraction.cuh", arrays, SHOWN), graph, backend, loop=loop)
    np.testing.assert_array_equal(found["scanned"], np.cumsum(values))
    there, numbers = np.unique(labels, return_inverse=True)
    count = int(found["count"][0])
    assert count == len(there)
    np.testing.assert_array_equal(found["numbers"][there], np.arange(count))
    weights = np.ones(m, np.int64) if graph.csr.values is None else graph.csr.values.astype(np.int64)
    if doubles:
        weights = np.where(graph.csr.sources() == graph.csr.column_indices, 2 * weights, weights)
    matrix = csr_array((weights, graph.csr.column_indices, graph.csr.row_offsets), shape=(n, n))
    which = csr_array((np.ones(n, np.int64), (numbers, np.arange(n))), shape=(count, n))
    expected = (which @ matrix @ which.T).toarray()
    there_too = csr_array(
        (np.ones(m, np.int64), graph.csr.column_indices, graph.csr.row_offsets), shape=(n, n)
    )
    entries = (which @ there_too @ which.T).toarray() > 0
    dense = np.zeros((count, count), np.int64)
    for c in range(count):
        row = slice(found["begins"][c], found["ends"][c])
        assert len(np.unique(found["columns"][row])) == row.stop - row.start == entries[c].sum()
        dense[c, found["columns"][row]] = found["sums"][row]
    np.testing.assert_array_equal(dense, expected)
    assert int(found["within"][0]) == int(np.trace(expected))
    return int(found["giants_count"][0])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", ["device", "host"])
def test_few_and_many_labels(loop: str, backend: str) -> None:
    graph = weighted(random_graph(700, 9000, 1, hub=5000), 2**31 - 1)
    draw = np.random.default_rng(1)
    for kinds in (1, 2, 30, 700):
        check(graph, draw.integers(0, kinds, graph.n), kinds == 30, backend=backend, loop=loop)
    check(graph, np.arange(graph.n), backend=backend, loop=loop)
    check(weighted(random_graph(30, 0, 2), 9), draw.integers(0, 9, 30), backend=backend, loop=loop)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", ["device", "host"])
def test_rooms_of_most_entries_are_combined_by_all(loop: str, backend: str) -> None:
    """Each room has more than a piece of the grid's entries, with many neighbours and with few."""
    graph = weighted(random_graph(3000, 60_000, 4, hub=9000), 1000)
    few = np.minimum(np.random.default_rng(4).integers(0, 60, graph.n), 1)
    many = np.where(np.arange(graph.n) % 2, np.arange(graph.n), few)
    assert check(graph, few, backend=backend, loop=loop) == 1
    assert check(graph, many, backend=backend, loop=loop) >= 1


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("length", [1, 1023, 1025, 300_000, 1_100_000])
def test_scans_of_every_length(length: int, backend: str) -> None:
    check(weighted(random_graph(20, 40, 3), 9), np.arange(20) // 3, length=length, backend=backend)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 60), st.integers(0, 400), st.integers(0, 1000), st.booleans())
def test_random_graphs(n: int, m: int, seed: int, doubles: bool) -> None:
    labels = np.random.default_rng(seed).integers(0, n, n)
    check(weighted(random_graph(n, m, seed), 100), labels, doubles)
