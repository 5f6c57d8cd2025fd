"""Smallest free numbers in pieces against a loop over the order: lists of up to 63 entries, chains within
pieces and across them, many ranks that begin with the same bits, fewer vertices than blocks."""

from __future__ import annotations

import numpy as np
import pytest
from operators.cases import Numbers, One, Operating, run
from operators.test_in_order import numbered, symmetric

from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.operators.launch_shapes import SETTLE_IN_PIECES
from gunrock_cli.primitives.options import Options

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
LONGEST = 63
EACH = 32
"""The most vertices of a core's piece."""


class Settling(Operating):
    @property
    def launch(self) -> Tuning:
        return SETTLE_IN_PIECES


class InPieces(One):
    def plan(self, graph: Graph, asked: Options, alone: bool = True) -> Settling:
        return Settling(graph, asked, self)


def found_in_pieces(graph: Graph, ranks: Numbers, backend: str, threads: int) -> Numbers:
    arrays = {
        "numbers": np.full(graph.n, -1, np.int32),
        "room": np.zeros(4 * graph.n, np.uint32),
        "ranks": ranks.astype(np.uint32),
    }
    one = InPieces("in_pieces.cuh", arrays, ("numbers",), GR_SHARED_CACHE=2)
    return run(one, graph, backend, threads=threads)["numbers"]


def check(graph: Graph, ranks: Numbers, backend: str, threads: int = 8) -> None:
    degrees = graph.csr.degrees()
    assert degrees.max() <= LONGEST
    order = np.lexsort((-ranks.astype(np.int64), -degrees.astype(np.int64)))
    np.testing.assert_array_equal(found_in_pieces(graph, ranks, backend, threads), numbered(graph, order))


@pytest.mark.parametrize("backend", BACKENDS)
def test_random_graphs(backend: str) -> None:
    draw = np.random.default_rng(3)
    sizes = [(1, 2), (3, 2), (50, 40), (200, 300), (230, 1500)]
    for n, m in sizes + ([(3000, 24_000), (90_000, 150_000)] if backend != "cpu" else []):
        graph = symmetric(n, *draw.integers(0, n, (2, m)))
        check(graph, draw.permutation(2**32 - 1 - np.arange(n)), backend)  # all begin with ones
        check(graph, draw.permutation(n) * (2**32 // n), backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_chains(backend: str) -> None:
    """Each vertex of a ring waits for one next to it; those of a clique, in few pieces or all, wait for
    all before them."""
    path = np.arange(240)
    for step in (1, 7):  # in a ring: neighbours are near, or far
        ring = symmetric(241, path * step % 241, (path + 1) * step % 241)
        check(ring, np.arange(241), backend)
    clique = np.triu_indices(LONGEST + 1, 1)
    for apart in (1, 3):
        check(symmetric(200, apart * clique[0], apart * clique[1]), np.arange(200), backend)


def test_what_does_not_fit_is_left_alone() -> None:
    path = np.arange(3 * EACH)
    fits = symmetric(3 * EACH - 3, path[: 3 * EACH - 4], path[1 : 3 * EACH - 3])
    check(fits, np.arange(fits.n), "cpu", threads=3)
    found = found_in_pieces(symmetric(3 * EACH + 1, path, path + 1), np.arange(3 * EACH + 1), "cpu", 3)
    assert (found == -1).all()
