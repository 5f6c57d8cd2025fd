"""Pull against NumPy: the vertices that find an in-neighbour in the frontier, and the others."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from operators.cases import Numbers, directed, random_graph
from operators.filters import BACKENDS, LOOPS, PULL, PULL_CANDIDATES, frontiers, lists, members, operate

from gunrock_cli.graph.model.graph import Graph

OPERATORS = (PULL, PULL_CANDIDATES)


def long_lists(n: int, wide: bool = False) -> Graph:
    """A graph with edges to vertices 1 (enough for the block) and 5 (for a warp) from no multiple of ten;
    the last vertex is the last of both lists."""
    draw = np.random.default_rng(3)
    tails = draw.integers(0, n, 22_000)
    heads = np.where(np.arange(len(tails)) < 20_000, 1, 5)
    keep = tails % 10 != 0
    return directed(n, np.append(tails[keep], [n - 1, n - 1]), np.append(heads[keep], [1, 5]), wide)


def neighbouring_lists(n: int, first: int, lengths: Numbers) -> Graph:
    """A graph whose vertices from ``first`` on have ``lengths`` in-edges from no multiple of ten; every
    other odd one also has the last vertex at its list's end."""
    draw = np.random.default_rng(4)
    owners = first + np.arange(len(lengths))
    heads = np.repeat(owners, lengths)
    tails = draw.integers(0, n // 10, len(heads)) * 10 + draw.integers(1, 9, len(heads))
    late = owners[owners % 4 == 1]
    return directed(n, np.append(tails, np.full(len(late), n - 1)), np.append(heads, late))


def check(
    operator: int, graph: Graph, frontier: Numbers, backend: str = "cpu", loop: str = "device"
) -> None:
    found = operate(operator, graph, frontier, backend, loop)
    csr = graph.reverse
    inside = np.zeros(graph.n, bool)
    inside[frontier] = True
    owners = np.repeat(np.arange(graph.n), np.diff(csr.row_offsets))
    hit = np.zeros(graph.n, bool)
    hit[owners[inside[csr.column_indices]]] = True
    vertex = np.arange(graph.n)
    wanted = vertex % 2 == 1
    if operator == PULL_CANDIDATES:
        wanted &= vertex % 3 != 0
    reached = np.flatnonzero(wanted & hit)
    assert found["wrong"][0] == 0
    np.testing.assert_array_equal(found["applied"], np.bincount(reached, minlength=graph.n))
    np.testing.assert_array_equal(members(found["bits"][len(found["bits"]) // 2 :]), reached)
    # A vertex without in-edges can never be reached: it is no candidate of the next pull.
    left = np.flatnonzero(wanted & ~hit & (np.diff(csr.row_offsets) > 0))
    np.testing.assert_array_equal(np.sort(found["found"]), left)
    assert found["found_size"][1] == np.diff(csr.row_offsets)[left].sum()  # which the next pull walks
    assert found["found_size"][2] == len(reached)
    assert found["found_size"][3] == lists(graph, reached)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("operator", OPERATORS)
def test_pull(operator: int, loop: str, backend: str) -> None:
    for graph in (random_graph(3000, 12_000, 6), long_lists(3000), random_graph(40, 0, 6)):
        for frontier in (*frontiers(graph.n), np.array([graph.n - 1])):
            check(operator, graph, frontier, backend, loop)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("n", [60_000, 100_000, 300_000])
def test_neighbouring_long_lists(n: int, operator: int, backend: str) -> None:
    """Lists of all lengths are shared differently, in one turn of a large GPU's grid, in two and in
    more."""
    lengths = np.random.default_rng(5).choice([9, 40, 129, 900, 1031, 1032, 1033, 3000], 600)
    graph = neighbouring_lists(n, n // 2, lengths)
    for frontier in (np.array([n - 1]), np.arange(0, n, 10)):
        check(operator, graph, frontier, backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("tuning", [None, "512,1,1,256,256"])
def test_more_lists_than_a_block_remembers(
    tuning: str | None, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All lists have more entries than a thread looks at; if blocks remember few, some find no room."""
    if tuning:
        monkeypatch.setenv("GUNROCK_TUNING", tuning)
    n = 100_000
    graph = neighbouring_lists(n, 0, np.full(n, 20))
    for frontier in (np.array([n - 1]), np.arange(0, n, 10)):
        check(PULL, graph, frontier, backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_64_bit_offsets(backend: str) -> None:
    for operator in OPERATORS:
        check(operator, long_lists(900, wide=True), np.arange(0, 900, 7), backend)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 80), st.integers(0, 300), st.integers(0, 1000), st.sampled_from(OPERATORS))
def test_random_graphs(n: int, m: int, seed: int, operator: int) -> None:
    frontier = np.random.default_rng(seed).integers(0, n, seed % 20)
    check(operator, random_graph(n, m, seed), frontier)
