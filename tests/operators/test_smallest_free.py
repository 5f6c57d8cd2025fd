"""The smallest number that a list lacks against Python's sets: lists and numbers of all sizes, few lists
and many, by the grid and by one block."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.cases import Numbers, One, directed, random_graph, run

from gunrock_cli.graph.model import Graph

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]


def smallest_lacking(taken: Numbers) -> int:
    numbers = set(taken.tolist())
    return next(x for x in range(len(taken) + 1) if x not in numbers)


def check(graph: Graph, numbers: Numbers, asked: Numbers, backend: str, alone: int = 0) -> None:
    n = graph.n
    arrays: dict[str, Any] = {
        "numbers": numbers.astype(np.int32), "asked": np.append(asked, 0).astype(np.int32),
        "count": len(asked), "alone": alone,
        "free": np.full(n, -1, np.int32), "finished": np.zeros(n, np.uint32),
        "visited": np.zeros(n, np.uint32), "kept": np.zeros(graph.m + 1, np.int32),
        "kept_count": np.zeros(1, np.int64)}
    shown = ("free", "finished", "visited", "kept", "kept_count")
    found = run(One("smallest_free.cuh", arrays, shown), graph, backend)
    expected, visited = np.full(n, -1), np.zeros(n, np.int64)
    rows, columns = graph.csr.row_offsets, graph.csr.column_indices
    for v in asked:
        around = columns[rows[v]:rows[v + 1]]
        expected[v] = smallest_lacking(numbers[around])
        visited += np.bincount(around[numbers[around] < 0], minlength=n)
    kept = np.where(np.arange(n) % 16 == 0, visited, 0)
    np.testing.assert_array_equal(found["visited"], visited)
    np.testing.assert_array_equal(np.bincount(found["kept"][:found["kept_count"][0]], minlength=n), kept)
    np.testing.assert_array_equal(found["free"], expected)
    np.testing.assert_array_equal(found["finished"], np.bincount(asked, minlength=n))


def hubs(degrees: list[int]) -> tuple[Graph, Numbers]:
    """A vertex of each degree; what follows them is numbered from 0, so that the lists have long runs."""
    longest, first = max(degrees), len(degrees)
    tails = np.repeat(np.arange(first), degrees)
    heads = np.concatenate([first + np.arange(d) for d in degrees])
    numbers = np.concatenate([np.full(first, -1), np.arange(longest)])
    return directed(first + longest, tails, heads), numbers


EDGES = [0, 1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025, 4095, 4096, 4097, 9000]
"""Around the lengths of windows and of the tiers."""


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("repeat", [1, 20, 400])
def test_runs_that_end_where_windows_do(repeat: int, backend: str) -> None:
    graph, numbers = hubs(EDGES if repeat == 1 else EDGES[:-4] * repeat)
    few = np.arange(len(EDGES) if repeat == 1 else (len(EDGES) - 4) * repeat)
    check(graph, numbers, few, backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_gaps(backend: str) -> None:
    graph, numbers = hubs(EDGES)
    for gap in (0, 31, 63, 64, 500, 1023, 4095, 4096):
        holes = numbers.copy()
        holes[len(EDGES) + gap] = -1 if gap % 2 else 10_000_000
        check(graph, holes, np.arange(len(EDGES)), backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("alone", [0, 1])
def test_any_lists(alone: int, backend: str) -> None:
    draw = np.random.default_rng(alone)
    for n, m, hub in ((900, 5000, 3000), (400, 60_000, 0), (50, 0, 0), (3000, 9000, 0)):
        graph = random_graph(n, m, m, hub=0 if alone else hub)
        numbers = draw.integers(-5, 40, n)
        for count in (0, 1, n // 2, n):
            check(graph, numbers, draw.permutation(n)[:count], backend, alone)
