"""The certificate of triangles on right answers, planted errors, and all kinds of counts."""

from __future__ import annotations

import numpy as np
import pytest
from primitives.certificates.planting import Solved
from primitives.graphs_for_sets import CORNERS, graph_of

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives import get_primitive

BACKENDS = pytest.mark.parametrize("backend", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])


def solved(graph: Graph, backend: str, per: str) -> Solved:
    chosen = choose_backend(backend, 2)
    return Solved(get_primitive("triangles"), graph.to(chosen.xp), 0, chosen, {"per": per})


@BACKENDS
@pytest.mark.parametrize("per", ["vertex", "edge", "graph"])
def test_right_answers_of_corner_cases_are_proved(per: str, backend: str) -> None:
    for n, edges, how in CORNERS.values():
        assert solved(graph_of(n, edges, **how), backend, per).verdict() == "pass"


@BACKENDS
@pytest.mark.parametrize(
    ("per", "name"), [("vertex", "triangles"), ("edge", "triangles"), ("graph", "total")]
)
def test_every_planted_error_is_found(per: str, name: str, backend: str) -> None:
    """There is one right answer, so every other one is wrong."""
    draw = np.random.default_rng(3)
    for _ in range(10):
        n = int(draw.integers(3, 40))
        right = solved(graph_of(n, draw.integers(0, n, (4 * n, 2)), keep_self_loops=True), backend, per)
        answer = right.array(name)
        assert right.verdict() == "pass"
        for change in (-1, 1, 3, 2**32, -(2**40)):
            wrong = answer.astype(np.int64)
            wrong[draw.integers(len(wrong))] += change
            assert right.verdict(**{name: wrong}) == "fail"
        if per != "graph" and len(set(answer.tolist())) > 1:
            high, low = answer.argmax(), answer.argmin()
            answer[[high, low]] = answer[[low, high]]
            assert right.verdict(**{name: answer}) == "fail"
