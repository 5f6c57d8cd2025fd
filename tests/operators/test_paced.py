"""Entries at each lane's own pace against NumPy: each up to its list's end, all by its own vertex."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from operators.cases import One, random_graph, run
from operators.filters import BACKENDS, LOOPS

from gunrock_cli.graph.model import Graph


def check(graph: Graph, seed: int, backend: str = "cpu", loop: str = "device") -> None:
    n, csr = graph.n, graph.csr
    limits = np.random.default_rng(seed).integers(0, n + 1, n).astype(np.int32)
    zeros = np.zeros(n, np.uint32)
    found = run(One("paced.cuh", {
        "limits": limits, "own": np.arange(1, n + 1, dtype=np.int32), "entries": zeros, "loads": zeros,
        "sums": zeros, "wrong": np.zeros(1, np.uint32)}, ("entries", "loads", "sums", "wrong")),
        graph, backend, loop=loop)
    owners = np.repeat(np.arange(n), csr.degrees())
    kept = csr.column_indices < limits[owners]  # lists are sorted: those before the first that is not
    owners, columns = owners[kept], csr.column_indices[kept]
    assert found["wrong"][0] == 0
    for name, values in (("entries", None), ("loads", columns % 7), ("sums", columns)):
        np.testing.assert_array_equal(found[name], np.bincount(owners, values, n).astype(np.uint32))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("wide", [False, True])
def test_lists_of_many_lengths(wide: bool, loop: str, backend: str) -> None:
    for graph in (random_graph(5000, 20_000, 3, hub=300, wide=wide), random_graph(40, 0, 3, wide=wide)):
        check(graph, 1, backend, loop)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 50), st.integers(0, 200), st.integers(0, 99))
def test_random_graphs(n: int, m: int, seed: int) -> None:
    check(random_graph(n, m, seed), seed)
