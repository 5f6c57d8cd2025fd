"""Smallest free numbers in an order of classes against a loop over the order: one class, and one per
vertex, lists of up to 63 entries, chains through a class."""

from __future__ import annotations

import numpy as np
import pytest
from operators.cases import Numbers, One, run
from operators.test_in_order import numbered, symmetric

from gunrock_cli.graph.model.graph import Graph

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
LONGEST = 63


def check(graph: Graph, classes: Numbers, backend: str, lanes: int) -> Numbers:
    """``classes``: each vertex's class, 0 to be numbered first."""
    assert graph.csr.degrees().max() <= LONGEST
    order = np.lexsort((np.arange(graph.n), classes))
    arrays = {"order": order.astype(np.int32), "words": ~classes.astype(np.int32)}
    one = One("in_classes.cuh", arrays, ("words",), GR_LANES=lanes)
    found = run(one, graph, backend)["words"]
    np.testing.assert_array_equal(found, numbered(graph, order))
    return found


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("lanes", [1, 4])
def test_random_graphs(lanes: int, backend: str) -> None:
    draw = np.random.default_rng(lanes)
    for n, m, count in [
        (1, 2, 1),
        (50, 40, 1),
        (300, 900, 7),
        (3000, 24_000, 100),
        (20_000, 60_000, 20_000),
    ]:
        graph = symmetric(n, *draw.integers(0, n, (2, m)))
        check(graph, draw.integers(0, count, n), backend, lanes)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("lanes", [1, 4])
def test_chains(lanes: int, backend: str) -> None:
    """Each vertex of a class waits for the one before it; in a clique all have different numbers."""
    path = np.arange(5000)
    for count in (1, 3):
        check(
            symmetric(5001, path, path + 1),
            np.random.default_rng(count).integers(0, count, 5001),
            backend,
            lanes,
        )
    clique = symmetric(LONGEST + 1, *np.triu_indices(LONGEST + 1, 1))
    found = check(clique, np.zeros(LONGEST + 1, np.int64), backend, lanes)
    assert found.tolist() == list(range(LONGEST + 1))
