"""Sums over all lists against NumPy: every list once, in an order that the graph alone decides."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from operators.cases import Numbers, One, random_graph, run

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.operators import gather_all
from gunrock_cli.operators.gather_all import Lists, gather_shape, kinds_of_lists
from gunrock_cli.operators.launch_shapes import GATHER, GATHER_FROM_HUBS

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
LOOPS = ["device", "host"]
FLOATS = [np.float32, np.float64]


def reduce(
    graph: Graph,
    values: Numbers,
    reverse: bool,
    backend: str = "cpu",
    loop: str = "device",
    threads: int = 3,
    twice: bool = False,
    lists: Lists | None = None,
    padded: bool = False,
) -> Numbers:
    """The sums of every list, of values or rows of two; ``twice``: the second call's sums after the
    first's. ``lists``: the way to sum, by default the one that suits the graph; ``padded``: from a padded
    copy."""
    lists = kinds_of_lists(graph) if lists is None else lists
    double = values.dtype == np.float64
    arrays: dict[str, Any] = {
        "values": values.ravel(),
        "sums": np.full(values.size, np.nan),
        "again": np.full(values.size, np.nan),
        "finished": np.zeros(graph.n, np.uint32),
        "wrong": np.zeros(1, np.uint32),
        "long_lists": np.empty(graph.n, np.int32),
        "long_counts": np.zeros(2, np.int32),
        "padded": np.zeros(4 * graph.n, np.int32),
    }
    primitive = One(
        "gather_all.cuh",
        arrays,
        ("sums", "again", "finished", "wrong"),
        GR_VALUE_DOUBLE=int(double),
        GR_REVERSE=int(reverse),
        GR_LISTS=lists.value,
        GR_PADDED=int(padded),
        GR_PAIRS=int(values.ndim == 2),
    )
    found = run(primitive, graph, backend, loop=loop, threads=threads)
    assert found["wrong"][0] == 0
    assert (found["finished"] == 2).all()
    np.testing.assert_allclose(found["again"], found["sums"], rtol=1e-6)
    sums, again = (found[name].reshape(values.shape) for name in ("sums", "again"))
    return np.concatenate((sums, again)) if twice else sums


def expected(graph: Graph, values: Numbers, reverse: bool) -> Numbers:
    csr = graph.reverse if reverse else graph.csr
    owners = np.repeat(np.arange(graph.n), np.diff(csr.row_offsets))
    return np.bincount(owners, values[csr.column_indices].astype(np.float64), minlength=graph.n)


def integers(n: int, dtype: Any) -> Numbers:
    """Values whose sums are exact in any order."""
    return np.random.default_rng(9).integers(1, 500, n).astype(dtype)


def heavy_groups(n: int) -> Graph:
    """A graph of long lists next to each other, so that a warp's group of vertices outweighs the
    others."""
    rng = np.random.default_rng(n)
    lengths = np.concatenate((rng.integers(200, n, 70), rng.integers(0, 3, n - 70)))
    owners = np.repeat(np.arange(n, dtype=np.int32), lengths)
    return build_graph(
        n,
        owners,
        rng.integers(0, n, len(owners)).astype(np.int32),
        undirected=False,
        keep_self_loops=True,
        keep_duplicates=True,
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("lists", Lists)
def test_sums(lists: Lists, reverse: bool, dtype: Any, loop: str, backend: str) -> None:
    """Lists for a thread, a warp, the block; lists that are empty; all of them short."""
    for graph in (
        random_graph(3000, 20_000, 1),
        random_graph(3000, 20_000, 2, hub=60_000),
        random_graph(5000, 900, 3),
        random_graph(1, 0, 4),
        random_graph(33, 500, 5),
        random_graph(4001, 90_000, 6),
        heavy_groups(6000),
    ):
        values = integers(graph.n, dtype)
        right = expected(graph, values, reverse)
        np.testing.assert_array_equal(
            reduce(graph, values, reverse, backend, loop, twice=True, lists=lists),
            np.concatenate((right, right)),
        )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("lists", Lists)
def test_sums_of_pairs(lists: Lists, reverse: bool, dtype: Any, loop: str, backend: str) -> None:
    """Lists for two lanes, longer ones, empty ones after the last that is not; fewer vertices than a warp
    has lanes, and a list that ends where all do."""
    for graph in (
        random_graph(3000, 47_000, 1),
        random_graph(3000, 20_000, 2, hub=600),
        random_graph(5000, 900, 3),
        random_graph(1, 0, 4),
        random_graph(33, 500, 5),
        random_graph(7, 30, 6),
        random_graph(900, 9000, 7, wide=True),
        random_graph(70, 10, 8),
    ):
        values = integers(2 * graph.n, dtype).reshape(-1, 2)
        right = np.stack([expected(graph, column, reverse) for column in values.T], axis=1)
        np.testing.assert_array_equal(
            reduce(graph, values, reverse, backend, loop, twice=True, lists=lists),
            np.concatenate((right, right)),
        )


@pytest.mark.parametrize("backend", ["lanes:1", pytest.param("cuda", marks=pytest.mark.gpu)])
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_sums_of_padded_lists(dtype: Any, loop: str, backend: str) -> None:
    """Lists that fit, and many that do not; as many threads as vertices, and more. (Cores do not pad.)"""
    for graph in (
        random_graph(600, 1000, 1),
        random_graph(600, 4000, 2, hub=60),
        random_graph(900, 200, 3),
        random_graph(1, 0, 4),
        random_graph(2, 9, 5),
        random_graph(33, 70, 6),
        random_graph(900, 2000, 7, wide=True),
    ):
        values = integers(graph.n, dtype)
        right = expected(graph, values, True)
        np.testing.assert_array_equal(
            reduce(graph, values, True, backend, loop, twice=True, padded=True),
            np.concatenate((right, right)),
        )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("lists", Lists)
def test_sums_on_lanes(lists: Lists, columns: int) -> None:
    """Each way's code for a GPU: empty lists, lists beyond a lane's first entries, and one that ends
    where all do."""
    for graph in (
        random_graph(150, 2000, 1),
        random_graph(170, 300, 2, hub=90),
        random_graph(5, 30, 3),
        random_graph(90, 10, 4),
        random_graph(70, 500, 5, wide=True),
        random_graph(1, 0, 6),
    ):
        values = integers(graph.n * columns, np.float32).reshape(graph.n, columns)
        right = np.stack([expected(graph, column, True) for column in values.T], axis=1)
        given = values if columns == 2 else values[:, 0]
        found = reduce(graph, given, True, "lanes:1", lists=lists)
        np.testing.assert_array_equal(found.reshape(right.shape), right)


@pytest.mark.gpu
def test_many_padded_lists_are_longer() -> None:
    graph = random_graph(900_000, 7_000_000, 8)
    values = integers(graph.n, np.float64)
    np.testing.assert_array_equal(
        reduce(graph, values, False, "cuda", padded=True), expected(graph, values, False)
    )


def test_large_blocks_only_where_hubs_have_many_entries() -> None:
    hubs = random_graph(200, 9000, seed=1)
    mesh = build_graph(300, np.arange(299), np.arange(1, 300))
    assert kinds_of_lists(hubs) is Lists.UNEVEN
    assert gather_shape(hubs) is GATHER
    with patch.object(gather_all, "MANY_ENTRIES", hubs.m):
        assert gather_shape(hubs) is GATHER_FROM_HUBS
        assert gather_shape(mesh) is GATHER


@pytest.mark.parametrize("backend", BACKENDS)
def test_64_bit_offsets(backend: str) -> None:
    graph = random_graph(700, 9000, 6, hub=9000, wide=True)
    values = integers(graph.n, np.float32)
    np.testing.assert_array_equal(reduce(graph, values, False, backend), expected(graph, values, False))


@pytest.mark.parametrize("backend", BACKENDS)
def test_long_lists_of_floats_do_not_drift(backend: str) -> None:
    """A million equal values, added up one by one in float32, would be off by a part in a thousand."""
    graph = random_graph(100, 0, 7, hub=1_000_000)
    values = np.full(graph.n, 0.1, np.float32)
    found = reduce(graph, values, False, backend)
    np.testing.assert_allclose(found, expected(graph, values, False), rtol=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_a_list_among_much_larger_sums(dtype: Any, backend: str) -> None:
    """Every list keeps its digits, however large the others' values; a list of zeros sums to zero."""
    n = 600  # each list has neighbours of one magnitude
    targets = (np.arange(n)[:, None] + 30 * np.arange(1, 11)).ravel() % n
    graph = build_graph(n, np.repeat(np.arange(n), 10), targets, undirected=False)
    values = (10.0 ** -(np.arange(n) % 30)).astype(dtype)
    values[::2] = 0
    found, right = reduce(graph, values, False, backend), expected(graph, values, False)
    np.testing.assert_allclose(found, right, rtol=1e-6 if dtype == np.float32 else 1e-10)
    assert 0 in right
    path = build_graph(n, np.arange(n - 1), np.arange(1, n), undirected=False)
    values = (0.5 ** np.arange(n)).astype(dtype)
    found, right = reduce(path, values, False, backend), expected(path, values, False)
    np.testing.assert_allclose(found, right, rtol=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_same_bits_in_every_run(backend: str) -> None:
    for graph in (random_graph(2000, 30_000, 8, hub=20_000), heavy_groups(6000)):
        values = np.random.default_rng(2).random(graph.n).astype(np.float32)
        first = reduce(graph, values, True, backend, threads=1, twice=True)
        for threads in (2, 3, 5):
            again = reduce(graph, values, True, backend, threads=threads, twice=True)
            np.testing.assert_array_equal(again, first)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 600), st.integers(0, 1500), st.integers(0, 1000), st.booleans())
def test_random_graphs(n: int, m: int, seed: int, reverse: bool) -> None:
    graph = random_graph(n, m, seed)
    values = integers(n, np.float64)
    np.testing.assert_array_equal(reduce(graph, values, reverse), expected(graph, values, reverse))
