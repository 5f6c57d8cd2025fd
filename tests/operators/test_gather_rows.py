"""Sums of rows over all lists against NumPy: every list and column once, in any order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from operators.cases import Numbers, One, random_graph, run

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.operators.gather_rows import ROW

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
WAYS = [
    pytest.param("cpu", False, id="cpu"),
    pytest.param("cuda", False, marks=pytest.mark.gpu, id="cuda"),
    pytest.param("cuda", True, marks=pytest.mark.gpu, id="octets"),
]
"""Backends, and whether eight lanes, not a warp, take a list."""
LOOPS = ["device", "host"]


def reduce(
    graph: Graph,
    values: Numbers,
    reverse: bool = False,
    backend: str = "cpu",
    loop: str = "device",
    threads: int = 3,
    chosen: tuple[Numbers, Numbers] | None = None,
    octets: bool = False,
) -> dict[str, Numbers]:
    """The sums of every list, one row per vertex, and of all of them; if ``chosen``, of chosen lists (0
    or 1 per vertex) and of marked neighbours, with NaN for the others."""
    arrays: dict[str, Any] = {
        "values": np.concatenate([np.zeros(ROW, values.dtype), values.reshape(-1)]),
        "sums": np.full(graph.n * ROW, np.nan),
        "finished": np.zeros(graph.n * ROW, np.uint32),
        "wrong": np.zeros(1, np.uint32),
        "totals": np.zeros(ROW),
        "long_lists": np.empty(graph.n, np.int32),
        "long_counts": np.zeros(2, np.int32),
    }
    wanted, marks = (np.ones(graph.n, np.uint32),) * 2 if chosen is None else chosen
    arrays |= {"wanted": wanted, "marks": marks}
    primitive = One(
        "gather_rows.cuh",
        arrays,
        ("sums", "finished", "wrong", "totals"),
        GR_VALUE_DOUBLE=int(values.dtype == np.float64),
        GR_REVERSE=int(reverse),
        GR_CHOSEN=int(chosen is not None),
        GR_ROWS_BY_OCTETS=int(octets),
    )
    found = run(primitive, graph, backend, loop=loop, threads=threads)
    assert found["wrong"][0] == 0
    assert (found["finished"] == 2 * np.repeat(wanted, ROW)).all()
    return {"sums": found["sums"].reshape(graph.n, ROW), "totals": found["totals"]}


def expected(graph: Graph, values: Numbers, reverse: bool = False) -> Numbers:
    csr = graph.reverse if reverse else graph.csr
    sums = np.zeros((graph.n, ROW))
    owners = np.repeat(np.arange(graph.n), np.diff(csr.row_offsets))
    np.add.at(sums, owners, values[csr.column_indices].astype(np.float64))
    return sums


def integers(n: int, dtype: Any) -> Numbers:
    """Values whose sums are exact in any order."""
    return np.random.default_rng(9).integers(1, 500, (n, ROW)).astype(dtype)


@pytest.mark.parametrize(("backend", "octets"), WAYS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize(("dtype", "reverse"), [(np.float32, False), (np.float64, True)])
def test_sums(reverse: bool, dtype: Any, loop: str, backend: str, octets: bool) -> None:
    """Lists for a warp and for the block, next to each other; empty lists; fewer vertices than a group
    has."""
    for graph in (
        random_graph(700, 5000, 1),
        random_graph(700, 9000, 2, hub=6000),
        random_graph(500, 90, 3),
        random_graph(1, 0, 4),
        random_graph(33, 500, 5),
        random_graph(64, 40_000, 6),
        random_graph(900, 0, 7, hub=513),
    ):
        values = integers(graph.n, dtype)
        right = expected(graph, values, reverse)
        found = reduce(graph, values, reverse, backend, loop, octets=octets)
        np.testing.assert_array_equal(found["sums"], right)
        np.testing.assert_array_equal(found["totals"], 2 * right.sum(axis=0))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_sums_of_chosen_lists_and_neighbours(loop: str, backend: str) -> None:
    """Choose from nearly none to all, so that windows of entries are walked, skipped, and left
    half-way."""
    draw = np.random.default_rng(3)
    for number, graph in enumerate(
        (
            random_graph(700, 9000, 2, hub=6000),
            random_graph(33, 500, 5),
            random_graph(64, 40_000, 6),
            random_graph(900, 0, 7, hub=513),
            random_graph(2000, 30_000, 8, hub=900),
            random_graph(1, 0, 4),
        )
    ):
        values = integers(graph.n, np.float64)
        for wanted, marked in ((0.02, 0.9), (0.5, 0.02), (0.9, 0.4), (1.0, 1.0), (0.5, 0.0)):
            wants = (draw.random(graph.n) < wanted).astype(np.uint32)
            marks = (draw.random(graph.n) < marked) * draw.integers(1, 4, graph.n).astype(np.uint32)
            if number % 2 == 0:
                wants[0] = 1  # the long list
            factors = marks[:, None] * np.ones(ROW)
            factors[marks == 1, 1::2] = 0
            right = expected(graph, factors * values)
            right[wants == 0] = np.nan
            found = reduce(
                graph, values, backend=backend, loop=loop, chosen=(wants, marks.astype(np.uint32))
            )
            np.testing.assert_array_equal(found["sums"], right)
            np.testing.assert_array_equal(found["totals"], 2 * np.nansum(right, axis=0))


@pytest.mark.parametrize(("backend", "octets"), WAYS)
def test_long_lists_of_floats_do_not_drift(backend: str, octets: bool) -> None:
    """Many equal values, added up one by one in float32, would be off by a part in ten thousand."""
    graph = random_graph(100, 0, 7, hub=300_000)
    values = np.full((graph.n, ROW), 0.1, np.float32)
    right = float(np.float32(0.1)) * 300_000
    found = reduce(graph, values, backend=backend, octets=octets)
    np.testing.assert_allclose(found["sums"][0], right, rtol=1e-6)


@pytest.mark.parametrize(("backend", "octets"), WAYS)
def test_the_same_bits_in_every_run(backend: str, octets: bool) -> None:
    graph = random_graph(600, 9000, 8, hub=8000)
    values = np.random.default_rng(2).random((graph.n, ROW)).astype(np.float32)
    first = reduce(graph, values, backend=backend, threads=1, octets=octets)["sums"]
    for threads in (2, 5):
        again = reduce(graph, values, backend=backend, threads=threads, octets=octets)["sums"]
        np.testing.assert_array_equal(again, first)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 200), st.integers(0, 900), st.integers(0, 1000))
def test_random_graphs(n: int, m: int, seed: int) -> None:
    graph = random_graph(n, m, seed)
    values = integers(n, np.float64)
    np.testing.assert_array_equal(reduce(graph, values, True)["sums"], expected(graph, values, True))
