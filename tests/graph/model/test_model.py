"""A graph's answers about its edges."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
from operators.cases import random_graph

from gunrock_cli.graph.model import graph as model
from gunrock_cli.graph.model.graph import Csr, fill_minus_one, offset_dtype, row_ids, to_numpy

ARRAYS = ["numpy", pytest.param("cupy", marks=pytest.mark.gpu)]


@pytest.mark.parametrize("wide", [False, True])
def test_sources_are_the_rows_of_the_edges(wide: bool) -> None:
    for n, m in ((1, 0), (9, 3), (40, 300)):
        csr = random_graph(n, m, m, hub=m, wide=wide).csr
        expected = [v for v in range(n) for _ in range(csr.row_offsets[v], csr.row_offsets[v + 1])]
        assert csr.sources().dtype == np.int32
        assert csr.sources().tolist() == expected


def test_no_vertex_has_no_sources() -> None:
    assert Csr(np.zeros(1, np.int32), np.zeros(0, np.int32)).sources().shape == (0,)


def test_rows_of_some_edges() -> None:
    offsets = np.array([0, 2, 2, 3, 3], np.int32)
    assert row_ids(offsets, 0, 3).tolist() == [0, 0, 2]
    assert row_ids(offsets, 1, 3).tolist() == [0, 2]
    assert row_ids(offsets, 1, 2).tolist() == [0]
    assert row_ids(offsets, 3, 3).tolist() == []
    assert row_ids(offsets, 1, 3).dtype == np.int32
    assert row_ids(np.array([0, 0, 0, 2, 2], np.int64), 0, 2).tolist() == [2, 2]
    assert row_ids(np.zeros(1, np.int32), 0, 0).tolist() == []


def test_offsets_leave_room_for_a_stride() -> None:
    limit = int(np.iinfo(np.int32).max)
    for m in (0, 2**30, limit - 2**20, limit, limit + 1, 2**33):
        held = np.iinfo(offset_dtype(np, m)).max
        assert m + 8 * 1024 <= held  # eight entries of each thread of the largest block
    assert offset_dtype(np, limit - 2**20) == np.int32


@pytest.mark.gpu
def test_sources_on_a_gpu() -> None:
    import cupy

    for wide in (False, True):
        csr = random_graph(40, 300, 1, hub=50, wide=wide).csr
        found = csr.to(cupy).sources()
        assert found.dtype == np.int32
        assert found.get().tolist() == csr.sources().tolist()


@pytest.mark.parametrize("wide", [False, True])
def test_edges_of_chosen_vertices(wide: bool) -> None:
    csr = random_graph(40, 300, 7, hub=90, wide=wide).csr
    chosen = np.arange(40) % 3 == 0
    of_each = [int(csr.row_offsets[v + 1] - csr.row_offsets[v]) for v in range(40)]
    assert csr.edges_of(chosen) == sum(of_each[::3])
    assert csr.edges_of(np.zeros(40, bool)) == 0
    assert csr.edges_of(np.ones(40, bool)) == csr.m


def test_edges_beyond_32_bits_are_counted() -> None:
    offsets = np.array([0, 2**31 - 1, 2**32 - 2], np.int64)
    assert Csr(offsets, np.zeros(0, np.int32)).edges_of(np.ones(2, bool)) == 2**32 - 2


@pytest.mark.parametrize("xp", ARRAYS)
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_every_entry_becomes_minus_one(xp: str, dtype: Any) -> None:
    module = importlib.import_module(xp)
    for size in (0, 5):
        array = module.arange(size, dtype=dtype)
        fill_minus_one(array)
        assert to_numpy(array).tolist() == [-1] * size


@pytest.mark.parametrize("xp", ARRAYS)
@pytest.mark.parametrize("small", [0, model.SMALL])
def test_lengths_of_rows(xp: str, small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "SMALL", small)
    for n, m in ((0, 0), (1, 0), (9, 3), (40, 300)):
        graph = random_graph(n, m, m, hub=m).to(importlib.import_module(xp))
        degrees = to_numpy(graph.csr.degrees())
        assert graph.csr.longest == degrees.max(initial=0)
        for length in (0, 1, 7, 300):
            assert graph.csr.longer_than(length) == np.count_nonzero(degrees > length)


@pytest.mark.parametrize("xp", ARRAYS)
def test_what_is_small_is_counted_on_the_host(xp: str, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = random_graph(40, 300, 0).to(importlib.import_module(xp))
    assert graph.for_counting().xp is np
    assert isinstance(graph.csr.for_counting().column_indices, np.ndarray)
    monkeypatch.setattr(model, "SMALL", graph.n + graph.m - 1)
    assert graph.for_counting() is graph
    assert graph.csr.for_counting() is graph.csr


@pytest.mark.parametrize("array", ARRAYS)
@pytest.mark.parametrize("chunk", [1, 2, 1 << 16])
def test_rows_that_have_an_entry_twice(chunk: int, array: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry that ends one row and begins the next is no repetition, wherever a chunk ends."""
    xp = importlib.import_module(array)

    def cut(xp: Any, total: int) -> list[tuple[int, int]]:
        return [(first, min(chunk, total - first)) for first in range(0, total, chunk)]

    monkeypatch.setattr(model, "chunks", cut)
    for rows, expected in (
        ([], False),
        ([[0]], False),
        ([[1], [1, 2], [], [2, 3]], False),
        ([[1], [], [], [1], [1]], False),
        ([[0, 1, 1]], True),
        ([[0], [0, 0], [1]], True),
        ([[], [3], [3, 4, 5, 5]], True),
    ):
        offsets = np.cumsum([0, *map(len, rows)]).astype(np.int32)
        columns = np.array([u for row in rows for u in row], np.int32)
        assert Csr(xp.asarray(offsets), xp.asarray(columns)).repeats is expected
