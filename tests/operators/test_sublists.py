"""Vertices numbered by degree, and sublists of their lists, against NumPy: empty rows, hubs, repeated
edges, loops, wide offsets."""

from __future__ import annotations

import numpy as np
import pytest
from operators.cases import BACKENDS, One, directed, random_graph, run

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.operators.scan import SCAN_CHUNKS


def check(graph: Graph, backend: str, length: int = 2) -> None:
    n, degrees, offsets = graph.n, graph.csr.degrees(), graph.csr.row_offsets.dtype
    most = int(degrees.max(initial=0)) + 1
    arrays = {
        "numbers": np.zeros(n, np.int32),
        "by_degree": np.zeros(most, np.uint32),
        "places": np.zeros(most, np.uint32),
        "offsets": np.zeros(n + 1, offsets),
        "ends": np.zeros(n, offsets),
        "columns": np.full(graph.m, -1, np.int32),
        "sums": np.zeros(SCAN_CHUNKS, np.uint64),
        "length": length,
        "longer": np.zeros(1, np.int64),
    }
    found = run(One("sublists.cuh", arrays, ("numbers", "offsets", "columns", "longer")), graph, backend)
    numbers = found["numbers"]
    assert sorted(numbers.tolist()) == list(range(n))
    order = np.argsort(numbers)
    assert (np.diff(degrees[order]) <= 0).all()
    assert found["longer"].tolist() == [int((degrees > length).sum())]
    rows = graph.csr.row_offsets
    for x in range(n):
        v = order[x]
        around = {int(numbers[u]) for u in graph.csr.column_indices[rows[v] : rows[v + 1]]}
        expected = sorted(y for y in around if (y < x and (x + y) % 3) or (y > x and (x + y) % 3 == 0))
        assert (
            sorted(found["columns"][found["offsets"][x] : found["offsets"][x + 1]].tolist()) == expected
        )
    assert (found["columns"][found["offsets"][n] :] == -1).all()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("wide", [False, True])
def test_random_graphs(wide: bool, backend: str) -> None:
    for seed, (n, m, hub) in enumerate([(1, 0, 0), (1, 3, 0), (9, 20, 0), (60, 40, 50), (50, 300, 200)]):
        check(random_graph(n, m, seed, hub, wide), backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_rows_far_apart(backend: str) -> None:
    """Runs of empty rows between two entries, and behind the last."""
    tails = np.array([3, 3, 40, 41, 90, 90, 90])
    check(directed(120, tails, np.array([3, 2, 1, 1, 119, 90, 90])), backend, length=0)
