"""Operators that examine some entries of lists, or the lists of some vertices, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.cases import BACKENDS, Numbers, One, random_graph, run

from gunrock_cli.graph.model.graph import Graph

ON_A_GPU = [backend for backend in BACKENDS if backend != "cpu"]  # a core takes entries as they come


def looked_at(
    graph: Graph, operator: int, backend: str, place: int = 0, found: Numbers | None = None
) -> dict[str, Numbers]:
    arrays: dict[str, Any] = {
        "sums": np.zeros(graph.n, np.uint32),
        "queued": np.zeros(graph.n, np.uint32),
        "found": np.full(1, ~np.uint64(0)) if found is None else found,
        "place": place,
    }
    one = One("some_lists.cuh", arrays, ("sums", "queued", "found"), GR_OPERATOR=operator)
    return run(one, graph, backend)


def graphs() -> list[Graph]:
    return [random_graph(1, 2, 0), random_graph(70, 60, 1), random_graph(150, 900, 2, hub=140)]


def rows(graph: Graph) -> list[Numbers]:
    return np.split(graph.csr.column_indices.astype(np.int64), graph.csr.row_offsets[1:-1])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("operator", [0, 1, 2, 3])
@pytest.mark.parametrize("place", [0, 3])
def test_samples(operator: int, place: int, backend: str) -> None:
    for graph in graphs():
        taken = [row[place : place + 1] if operator < 2 else row[:2] for row in rows(graph)]
        expected = [len(row) + 1 for row in rows(graph)] if operator == 3 else [sum(u + 1) for u in taken]
        np.testing.assert_array_equal(looked_at(graph, operator, backend, place)["sums"], expected)


@pytest.mark.parametrize("backend", BACKENDS)
def test_one_list(backend: str) -> None:
    for graph in graphs():
        expected = np.bincount(rows(graph)[0], minlength=graph.n)
        np.testing.assert_array_equal(looked_at(graph, 4, backend)["sums"], expected)
        longest = int(looked_at(graph, 5, backend)["found"][0])
        lengths = graph.csr.degrees()
        assert (~(longest >> 32) & 0xFFFFFFFF, longest & 0xFFFFFFFF) == (lengths.max(), lengths.argmax())


@pytest.mark.parametrize("backend", BACKENDS)
def test_next_to(backend: str) -> None:
    for graph in graphs():
        v = np.arange(graph.n)
        hit = np.array([(row[:2] % 3 == 0).any() for row in rows(graph)])
        asked = (graph.csr.degrees() > 0) & (v % 5 > 0)
        found = looked_at(graph, 6, backend)
        np.testing.assert_array_equal(found["sums"], asked & hit)
        np.testing.assert_array_equal(found["queued"], asked & ~hit)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("skip", [0, 1, 50])
def test_some_neighbors(skip: int, backend: str) -> None:
    for graph in graphs():
        first = [min(skip, max(0, len(row) - 2)) for row in rows(graph)]
        hit = np.array(
            [(row[at : at + 2] % 3 == 0).any() for row, at in zip(rows(graph), first, strict=True)]
        )
        passes = hit | (np.arange(graph.n) % 7 == 0)
        found = looked_at(graph, 7, backend, skip)
        np.testing.assert_array_equal(found["sums"], passes)
        np.testing.assert_array_equal(found["queued"], ~passes & (graph.csr.degrees() > 0))


@pytest.mark.parametrize("backend", ON_A_GPU)
def test_chosen(backend: str) -> None:
    for graph in graphs():
        expected = [sum(u + 1 for u in row if (v + u) % 2) for v, row in enumerate(rows(graph))]
        np.testing.assert_array_equal(looked_at(graph, 8, backend)["sums"], expected)


@pytest.mark.parametrize("backend", BACKENDS)
def test_lists_by_groups(backend: str) -> None:
    for graph in graphs():
        order = np.random.default_rng(graph.n).permutation(graph.n).astype(np.int32)
        words = np.zeros(graph.n, np.uint64)
        words.view(np.int32)[: graph.n] = order
        expected = np.array([sum(row + 1) for row in rows(graph)])
        expected[order[: min(5, graph.n - 1)]] = 0
        found = looked_at(graph, 9, backend, min(5, graph.n - 1), words)
        np.testing.assert_array_equal(found["sums"], expected)
