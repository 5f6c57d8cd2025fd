"""Neighbourhoods as matrices against NumPy: short and long lists, narrow and wide matrices, few rooms."""

from __future__ import annotations

import numpy as np
import pytest
from operators.cases import BACKENDS, One, run, symmetric

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.on_gpu import as_on_gpu
from gunrock_cli.operators import neighborhoods
from gunrock_cli.operators.neighborhoods import rooms_for

BACKEND = pytest.mark.parametrize("backend", BACKENDS)


def check(graph: Graph, backend: str, least: int) -> int:
    """Return the number of bits."""
    where = graph if backend == "cpu" else as_on_gpu(graph)
    rooms = {
        name: np.zeros(room.shape, room.dtype) if hasattr(room, "shape") else room
        for name, room in rooms_for(where, spare_rows=2).items()
    }
    arrays = {"later": np.zeros(graph.n, np.int32), **rooms, "seen": np.zeros(4, np.int64)}
    found = run(One("neighborhoods.cuh", arrays, ("later", "seen"), GR_LEAST=least), graph, backend)
    adjacent = np.zeros((graph.n, graph.n), bool)
    adjacent[graph.csr.sources(), graph.csr.column_indices] = True
    np.fill_diagonal(adjacent, False)
    order = np.lexsort((np.arange(graph.n), graph.csr.degrees()))
    above = np.zeros_like(adjacent)
    above[np.ix_(order, order)] = np.triu(adjacent[np.ix_(order, order)])
    later = above.sum(axis=1)
    later[later < least] = 0
    np.testing.assert_array_equal(found["later"], later)
    inside = [adjacent[np.ix_(row, row)] for row in map(np.flatnonzero, above) if len(row) >= least]
    bits = sum(int(part.sum()) // 2 for part in inside)
    assert found["seen"][:3].tolist() == [len(inside), later.sum(), bits]
    assert bits <= found["seen"][3] <= bits * graph.n
    return bits


@BACKEND
@pytest.mark.parametrize(("wide", "least"), [(False, 1), (True, 3)])
def test_random_graphs(wide: bool, least: int, backend: str) -> None:
    bits = 0
    for seed, (n, m, hub) in enumerate([(1, 2, 0), (7, 30, 0), (60, 500, 300), (150, 3000, 0)]):
        draw = np.random.default_rng(seed)
        tails = np.concatenate((draw.integers(0, n, m), np.zeros(hub, np.int64)))
        bits += check(symmetric(n, tails, draw.integers(0, n, m + hub), wide), backend, least)
    assert bits > 1000


@BACKEND
def test_a_hub_with_few_later_neighbours(backend: str) -> None:
    """Its list is longer than a warp looks through."""
    leaves = np.arange(3, 3003)
    hubs = np.repeat([0, 1, 2], len(leaves))
    tails, heads = np.concatenate((hubs, [0, 0, 1])), np.concatenate((np.tile(leaves, 3), [1, 2, 2]))
    assert check(symmetric(3003, tails, heads), backend, 1) == 3 * 3000 + 1


@BACKEND
def test_fewer_rooms_than_blocks(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighborhoods, "MOST_ROOMS", 1)
    draw = np.random.default_rng(1)
    assert check(symmetric(80, *draw.integers(0, 80, (2, 900))), backend, 2) > 100
