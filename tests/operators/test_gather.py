"""Gather against NumPy: every monoid, by every tier and shape, over all vertices, a frontier and a
bitmap's complement; out-lists and in-lists in one kernel; folds over the grid."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from operators.cases import Numbers, One, directed, random_graph, run

from gunrock_cli.graph.model.graph import Csr, Graph
from gunrock_cli.operators.gather_all import Lists

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
LOOPS = ["device", "host"]
MONOIDS = SUM, LEAST, ARGMIN, OR, FIRST = range(5)
EVERYONE, FRONTIER, OUTSIDE = range(3)
NONE = {SUM: 0, LEAST: 2**32 - 1, ARGMIN: 2**64 - 1, OR: 0}
"""The total of an empty list."""
SHOWN = ("out_totals", "in_totals", "finished", "notified", "folded", "kept", "kept_count")


def values_of(n: int) -> Numbers:
    return np.random.default_rng(n).integers(1, 2**32 - 1, n, np.uint32)


def operate(
    monoid: int,
    who: int,
    graph: Graph,
    frontier: Numbers,
    threads: int,
    shape: Lists,
    backend: str,
    loop: str,
    empty: int,
    both: int,
) -> dict[str, Numbers]:
    n = graph.n
    inside = np.zeros((n + 31) // 32 * 32, np.uint8)
    inside[frontier] = 1
    arrays: dict[str, Any] = {
        "values": values_of(n),
        "frontier": np.append(frontier, 0).astype(np.int32),
        "count": len(frontier),
        "bits": np.packbits(inside, bitorder="little").view(np.uint32),
        "out_totals": np.full(n, 12345, np.uint64),
        "in_totals": np.full(n, 12345, np.uint64),
        "finished": np.zeros(n, np.uint32),
        "notified": np.zeros(graph.m, np.uint32),
        "folded": np.array([0, 2**64 - 1, 2**64 - 1], np.uint64),
        "long_lists": np.empty(n, np.int32),
        "long_counts": np.zeros(2, np.int32),
        "kept": np.zeros(n + len(frontier), np.int32),
        "kept_count": np.zeros(1, np.int64),
    }
    primitive = One(
        "gather.cuh",
        arrays,
        SHOWN,
        GR_MONOID=monoid,
        GR_WHO=who,
        GR_THREADS=threads,
        GR_SHAPE=shape.value,
        GR_EMPTY=empty,
        GR_BOTH_ENDS=both,
    )
    return run(primitive, graph, backend, loop=loop)


def fold(monoid: int, csr: Csr, values: Numbers, v: int, counts: Any, both: int = 0) -> int:
    u = csr.column_indices[csr.row_offsets[v] : csr.row_offsets[v + 1]]
    u = u[counts(u)].astype(np.int64)
    x = values[u].astype(np.uint64) ^ np.uint64(v if both else 0)
    if len(x) == 0:
        return NONE[monoid]
    if monoid == SUM:
        return int(x.sum())
    if monoid == LEAST:
        return int(x.min())
    if monoid == OR:
        return int(np.bitwise_or.reduce(x))
    return int((x << np.uint64(32) | u.astype(np.uint64)).min())


def check(
    monoid: int,
    who: int,
    graph: Graph,
    frontier: Numbers,
    threads: int = 0,
    shape: Lists = Lists.SHORT,
    backend: str = "cpu",
    loop: str = "device",
    empty: int = 1,
    both: int = 0,
) -> None:
    found = operate(monoid, who, graph, frontier, threads, shape, backend, loop, empty, both)
    n, values, degrees = graph.n, values_of(graph.n), graph.csr.degrees()
    asked = {EVERYONE: np.arange(n), FRONTIER: frontier, OUTSIDE: np.setdiff1d(np.arange(n), frontier)}[
        who
    ]
    passing = asked[asked % 14 == 6]
    asked = asked[asked % 7 != 6]
    if not empty:
        asked = asked[degrees[asked] > 0]
    np.testing.assert_array_equal(found["finished"], np.bincount(asked, minlength=n))
    kept = found["kept"][: found["kept_count"][0]]
    np.testing.assert_array_equal(np.sort(kept), np.sort(np.append(asked[asked % 2 == 0], passing)))
    for v in np.unique(asked):
        row = graph.csr.row_offsets[v], graph.csr.row_offsets[v + 1]
        total = int(found["out_totals"][v])
        if monoid == FIRST:
            accepted = np.flatnonzero(graph.csr.column_indices[slice(*row)] % 3 != 0) + row[0]
            assert total - 1 in accepted if len(accepted) else total == 0
        else:
            assert total == fold(monoid, graph.csr, values, v, lambda u: u % 3 != 0, both)
    parity = 2**64 - 1 if monoid == FIRST else 2
    notifying = asked[found["out_totals"][asked] % np.uint64(parity) == 0]  # by their outcome
    notifying = notifying if threads != 2 else notifying[:0]
    tails = np.repeat(np.arange(n), degrees)
    np.testing.assert_array_equal(found["notified"], np.bincount(notifying, minlength=n)[tails])
    if monoid == FIRST:
        return
    everyone = [fold(monoid, graph.reverse, values, v, lambda u: u >= 0) for v in range(n)]
    np.testing.assert_array_equal(found["in_totals"], np.array(everyone, np.uint64))
    keys = values.astype(np.uint64) << np.uint64(32) | np.arange(n, dtype=np.uint64)
    assert found["folded"].tolist() == [
        int(values.sum(dtype=np.uint64)),
        int(values.min()),
        int(keys.min()),
    ]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("who", [EVERYONE, FRONTIER, OUTSIDE])
@pytest.mark.parametrize("monoid", MONOIDS)
def test_every_monoid_over_everyone_a_frontier_and_the_rest(monoid: int, who: int, backend: str) -> None:
    draw = np.random.default_rng(monoid)
    for graph in (
        random_graph(900, 5000, 1, hub=3000),
        random_graph(400, 60_000, 2),
        random_graph(50, 0, 3),
    ):
        for frontier in (np.zeros(0, np.int64), draw.integers(0, graph.n, graph.n // 2)):
            check(monoid, who, graph, frontier, backend=backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("shape", Lists)
@pytest.mark.parametrize("monoid", [SUM, LEAST, ARGMIN, OR])
def test_every_shape_beside_tiers_of_other_lists(monoid: int, shape: Lists, backend: str) -> None:
    for graph in (random_graph(900, 5000, 4, hub=9000), random_graph(700, 30_000, 5)):
        check(monoid, EVERYONE, graph, np.arange(3), shape=shape, backend=backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("monoid", [SUM, FIRST])
def test_by_threads_and_without_empty_lists(monoid: int, loop: str, backend: str) -> None:
    graph = random_graph(900, 1500, 6, hub=300)
    for threads in (0, 1):
        check(monoid, EVERYONE, graph, np.arange(3), threads, backend=backend, loop=loop, empty=0)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("monoid", [SUM, ARGMIN])
def test_lists_by_groups_of_lanes(monoid: int, backend: str) -> None:
    """Lists of all lengths: a warp has none, some or more than four for groups."""
    graph = random_graph(900, 5000, 11, hub=3000)
    lengths = np.random.default_rng(11).integers(0, 90, 600)
    tails = np.repeat(np.arange(600), lengths)
    for each in (graph, directed(600, tails, np.random.default_rng(12).integers(0, 600, len(tails)))):
        for who in (EVERYONE, FRONTIER):
            check(monoid, who, each, np.arange(5, 60), 2, backend=backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_depends_on_both_ends(backend: str) -> None:
    for graph in (random_graph(900, 5000, 7, hub=3000), random_graph(400, 60_000, 8)):
        check(SUM, EVERYONE, graph, np.arange(3), backend=backend, both=1)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(1, 60),
    st.integers(0, 300),
    st.integers(0, 1000),
    st.sampled_from(MONOIDS),
    st.sampled_from([EVERYONE, FRONTIER, OUTSIDE]),
)
def test_random_graphs(n: int, m: int, seed: int, monoid: int, who: int) -> None:
    frontier = np.random.default_rng(seed).integers(0, n, seed % 20)
    check(monoid, who, random_graph(n, m, seed), frontier)
