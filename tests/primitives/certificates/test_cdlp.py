"""The certificate of label propagation on right answers and planted errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from primitives.certificates.planting import Solved, plant_errors
from primitives.directed_graphs import CORNERS, directed

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives import get_primitive

BACKENDS = pytest.mark.parametrize("backend", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])


def solved(graph: Graph, backend: str = "cpu", **given: Any) -> Solved:
    chosen = choose_backend(backend, 2)
    return Solved(get_primitive("cdlp"), graph.to(chosen.xp), 0, chosen, given)


@BACKENDS
def test_right_answers_of_corner_cases_are_proved(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for most in (1 << 26, 500):  # in one part, and in several
        monkeypatch.setattr("gunrock_cli.primitives.certificates.cdlp.ENTRIES_AT_ONCE", most)
        for n, edges, how in CORNERS.values():
            assert solved(directed(n, edges, **how), backend).verdict() == "pass"


@BACKENDS
@pytest.mark.parametrize(
    ("iterations", "asynchronous"), [(1, False), (10, False), (1, True), (100, True)]
)
def test_every_planted_error_is_found(iterations: int, asynchronous: bool, backend: str) -> None:
    """There is one right answer."""
    way = ("cdlp", "communities", {"max_iterations": iterations, "asynchronous": asynchronous})
    count = plant_errors(way, 6, choose_backend(backend, 2), 200)
    assert count.found == count.planted


@pytest.mark.parametrize("asynchronous", [False, True])
def test_an_end_too_early_is_found(asynchronous: bool) -> None:
    graph = directed(4, [(0, 1), (1, 2), (2, 3)])
    right, early = (solved(graph, max_iterations=most, asynchronous=asynchronous) for most in (8, 1))
    assert right.verdict() == "pass"
    assert right.verdict(communities=early.array("communities"), done=np.ones(1, np.uint64)) == "fail"
