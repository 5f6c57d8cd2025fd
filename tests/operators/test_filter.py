"""Filter, compute and the conversions of frontiers against NumPy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from operators.cases import Numbers, random_graph
from operators.filters import (
    ALL,
    BACKENDS,
    CONVERT,
    EVERY,
    EXACT,
    INEXACT,
    LOOPS,
    MANY,
    NO_CULLING,
    PLAIN,
    frontiers,
    lists,
    members,
    operate,
)

from gunrock_cli.graph.model.graph import Graph

CULLS = [*itertools.product([0, 1], [0, 1], [0], [0, 1], [0]), (0, 0, 0, 0, 1), (1, 1, 1, 1, 1)]
"""Bitmask, warp, warp-hash, history, grid."""


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_exact(loop: str, backend: str) -> None:
    graph = random_graph(2000, 9000, 1)
    for frontier in frontiers(graph.n):
        found = operate(EXACT, graph, frontier, backend, loop)
        expected = frontier[frontier % 3 != 0]
        np.testing.assert_array_equal(np.sort(found["found"]), np.sort(expected))
        np.testing.assert_array_equal(found["applied"], np.bincount(expected, minlength=graph.n))
        assert found["found_size"][1] == lists(graph, expected)


def check_inexact(
    graph: Graph, frontier: Numbers, macros: dict[str, int], backend: str = "cpu", loop: str = "device"
) -> Numbers:
    """Check that only duplicates are dropped; return how often each vertex was kept."""
    found = operate(INEXACT, graph, frontier, backend, loop, **macros)
    kept = np.bincount(found["found"], minlength=graph.n)
    given = np.bincount(frontier[frontier % 3 != 0], minlength=graph.n)
    assert (kept <= given).all()
    assert (kept[given > 0] >= 1).all()
    if macros["GR_CULL_GRID"]:  # asked after the functor
        assert (found["applied"] >= kept).all()
    else:
        np.testing.assert_array_equal(found["applied"], kept)
    assert found["found_size"][1] == lists(graph, found["found"])
    if not any(macros.values()):
        np.testing.assert_array_equal(kept, given)
    return kept


@pytest.mark.sampled(3)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("culls", [*CULLS, (0, 0, 1, 0, 0)], ids=str)
def test_inexact(culls: tuple[int, ...], loop: str, backend: str) -> None:
    """Duplicates may stay, first visits may not go; without a heuristic the filter is exact."""
    graph = random_graph(2000, 9000, 2)
    macros = dict(zip(NO_CULLING, culls, strict=True))
    for frontier in frontiers(graph.n):
        kept = check_inexact(graph, frontier, macros, backend, loop)
    # The last frontier is one vertex many times: every heuristic drops some of them.
    if any(culls) and (backend == "cuda" or culls[0] or culls[3] or culls[4]):
        assert kept[7] < MANY


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_all_vertices(loop: str, backend: str) -> None:
    graph = random_graph(5000, 9000, 3)
    found = operate(ALL, graph, np.array([5]), backend, loop)
    expected = np.flatnonzero(np.arange(graph.n) % 3)
    np.testing.assert_array_equal(np.sort(found["found"]), expected)
    assert found["found_size"][1] == lists(graph, expected)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_plain_items_have_no_lists(loop: str, backend: str) -> None:
    graph = random_graph(2000, 9000, 4)
    frontier = np.random.default_rng(1).integers(0, graph.n, 9000)
    found = operate(PLAIN, graph, frontier, backend, loop)
    np.testing.assert_array_equal(np.sort(found["found"]), np.sort(frontier[frontier % 3 != 0]))
    assert found["found_size"][1] == 0


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_queue_to_bitmap_and_back(loop: str, backend: str) -> None:
    graph = random_graph(3001, 9000, 5)
    for frontier in frontiers(graph.n):
        found = operate(CONVERT, graph, frontier, backend, loop)
        expected = np.unique(frontier)
        np.testing.assert_array_equal(members(found["bits"][: (graph.n + 31) // 32]), expected)
        np.testing.assert_array_equal(np.sort(found["found"]), expected)
        assert found["found_size"][1] == lists(graph, expected)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_a_filter_that_drops_nothing_is_compute(loop: str, backend: str) -> None:
    graph = random_graph(2000, 9000, 6)
    for frontier in frontiers(graph.n):
        found = operate(EVERY, graph, frontier, backend, loop)
        np.testing.assert_array_equal(np.sort(found["found"]), np.sort(frontier))
        # Compute did to every vertex of the output what the filter's functor did.
        np.testing.assert_array_equal(found["applied"], found["touched"])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("operator", [EXACT, ALL, CONVERT])
def test_64_bit_offsets(operator: int, backend: str) -> None:
    graph = random_graph(700, 5000, 8, wide=True)
    found = operate(operator, graph, np.arange(700), backend)
    expected = np.arange(700) if operator == CONVERT else np.flatnonzero(np.arange(700) % 3)
    np.testing.assert_array_equal(np.sort(found["found"]), expected)
    assert found["found_size"][1] == lists(graph, expected)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 100), st.lists(st.integers(0, 99), max_size=300), st.sampled_from(CULLS))
def test_random_frontiers(n: int, items: list[int], culls: tuple[int, ...]) -> None:
    graph = random_graph(n, 2 * n, n)
    frontier = np.array(items, np.int64) % n
    check_inexact(graph, frontier, dict(zip(NO_CULLING, culls, strict=True)))
    found = operate(CONVERT, graph, frontier)
    np.testing.assert_array_equal(np.sort(found["found"]), np.unique(frontier))
