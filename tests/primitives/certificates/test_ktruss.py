"""The certificate of trussness on right answers and planted errors."""

from __future__ import annotations

import numpy as np
import pytest
from primitives.certificates.planting import Solved
from primitives.graphs_for_sets import CORNERS, Numbers, graph_of

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives import get_primitive

BACKENDS = pytest.mark.parametrize("backend", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])


def solved(graph: Graph, backend: str) -> Solved:
    chosen = choose_backend(backend, 2)
    return Solved(get_primitive("ktruss"), graph.to(chosen.xp), 0, chosen, {})


def both(graph: Graph, entry: int) -> Numbers:
    """All entries of an entry's edge."""
    tails, heads = graph.csr.sources(), graph.csr.column_indices
    u, v = tails[entry], heads[entry]
    return np.flatnonzero(((tails == u) & (heads == v)) | ((tails == v) & (heads == u)))


@BACKENDS
def test_right_answers_of_corner_cases_are_proved(backend: str) -> None:
    for n, edges, how in CORNERS.values():
        assert solved(graph_of(n, edges, **how), backend).verdict() == "pass"


@BACKENDS
def test_every_planted_error_is_found(backend: str) -> None:
    """There is one right answer, so others are wrong, in whatever rounds edges are said to go."""
    draw = np.random.default_rng(4)
    for _ in range(15):
        n = int(draw.integers(3, 30))
        graph = graph_of(n, draw.integers(0, n, (4 * n, 2)), keep_self_loops=True)
        right = solved(graph, backend)
        assert right.verdict() == "pass"
        trussness, rounds = right.array("trussness"), right.array("rounds")
        for change in (-1, 1, 2, 1000, -1000):
            wrong, entry = trussness.copy(), int(draw.integers(graph.m))
            wrong[entry] += change
            assert right.verdict(trussness=wrong) == "fail"
            wrong[both(graph, entry)] = wrong[entry]
            assert right.verdict(trussness=wrong) == "fail"
            assert right.verdict(trussness=wrong, rounds=0 * rounds) == "fail"
            assert right.verdict(trussness=wrong, rounds=-rounds) == "fail"
        for everywhere in (-1, 1):
            assert right.verdict(trussness=trussness + np.int32(everywhere)) == "fail"
        some = np.flatnonzero(graph.csr.sources() != graph.csr.column_indices)
        rounds[draw.choice(some)] += 1
        assert right.verdict(rounds=rounds) == "fail"


def test_no_rounds_no_proof() -> None:
    """A peer's answer has none."""
    right = solved(graph_of(3, [(0, 1)]), "cpu")
    assert right.prover.verdict(0, right.outputs, {}) is None
