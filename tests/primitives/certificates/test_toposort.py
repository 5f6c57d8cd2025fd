"""The certificate of topological levels on right answers and planted errors."""

from __future__ import annotations

import numpy as np
import pytest
from primitives.certificates.planting import Solved, plant_errors
from primitives.directed_graphs import CORNERS, directed

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives import get_primitive

BACKENDS = pytest.mark.parametrize("backend", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])


def solved(graph: Graph, backend: str = "cpu") -> Solved:
    chosen = choose_backend(backend, 2)
    return Solved(get_primitive("toposort"), graph.to(chosen.xp), 0, chosen, {})


@BACKENDS
def test_right_answers_of_corner_cases_are_proved(backend: str) -> None:
    for n, edges, how in CORNERS.values():
        assert solved(directed(n, edges, **how), backend).verdict() == "pass"


@BACKENDS
def test_every_planted_error_is_found(backend: str) -> None:
    """There is one right answer."""
    count = plant_errors(("toposort", "levels", {}), 7, choose_backend(backend, 2), 300)
    assert count.found == count.planted


@BACKENDS
def test_errors_without_cycles_are_found(backend: str) -> None:
    draw = np.random.default_rng(8)
    for _ in range(5):
        n = int(draw.integers(2, 40))
        ends = np.sort(draw.integers(0, n, (2 * n, 2)), axis=1)
        right = solved(directed(n, ends), backend)
        assert right.verdict() == "pass"
        for change in (-1, 1, 100, -100):
            wrong = right.array("levels")
            wrong[draw.integers(n)] += change
            assert right.verdict(levels=wrong) == "fail"
        assert right.verdict(levels=right.array("levels") + np.int32(1)) == "fail"
        assert right.verdict(levels=np.full(n, -1, np.int32)) == "fail"


def test_wrong_cycles_are_found() -> None:
    right = solved(directed(3, [(0, 1), (1, 2), (2, 1)]))
    assert right.verdict() == "pass"
    assert right.verdict(cycle=np.zeros(0, np.int32)) == "fail"
    assert right.verdict(cycle=np.array([0, 1], np.int32)) == "fail"
