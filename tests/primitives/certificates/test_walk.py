"""The certificate of random walks on right answers, and planted errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from primitives.certificates.planting import Solved
from primitives.graphs_for_sets import CORNERS, graph_of

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.primitives import get_primitive

BACKENDS = pytest.mark.parametrize("backend", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])
WAYS: list[dict[str, Any]] = [
    {},
    {"weighted": True, "p": 0.5, "q": 2.0},
    {"restart": 0.2},
    {"visits": True, "restart": 0.2, "q": 3.0},
]


def solved(graph: Graph, backend: str, options: dict[str, Any]) -> Solved:
    chosen = choose_backend(backend, 2)
    return Solved(get_primitive("walk"), graph.to(chosen.xp), 0, chosen, {"walk_length": 4, **options})


@BACKENDS
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_right_answers_of_corner_cases_are_proved(way: dict[str, Any], backend: str) -> None:
    for n, edges, how in CORNERS.values():
        graph = with_weights(graph_of(n, edges, **how), "random:1:5")
        assert solved(graph, backend, way).verdict() == "pass"


@BACKENDS
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_every_planted_error_is_found(way: dict[str, Any], backend: str) -> None:
    draw = np.random.default_rng(5)
    for _ in range(6):
        n = int(draw.integers(6, 40))
        graph = with_weights(graph_of(n, draw.integers(0, n, (3 * n, 2)), undirected=False), "random:1:5")
        right = solved(graph, backend, way)
        assert right.verdict() == "pass"
        name = "visits" if "visits" in way else "paths"
        answer = right.array(name)
        place = int(draw.integers(answer.size))
        for wrong in (answer.flat[place] + 1, -2, n):
            changed = answer.copy()
            changed.flat[place] = wrong
            assert (right.verdict(**{name: changed}) == "fail") == (wrong != answer.flat[place])
