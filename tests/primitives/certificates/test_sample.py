"""The certificate of neighborhood samples on right answers, and planted errors."""

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
    {"fanout": "3,2,2", "sample": 4},
    {"fanout": "2,-1", "sample": 3},
    {"fanout": "3,2", "replace": True, "weighted": True, "sample": 4},
]


def solved(graph: Graph, backend: str, options: dict[str, Any]) -> Solved:
    chosen = choose_backend(backend, 2)
    return Solved(get_primitive("sample"), graph.to(chosen.xp), 0, chosen, options)


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
    for _ in range(4):
        n = int(draw.integers(10, 40))
        graph = with_weights(graph_of(n, draw.integers(0, n, (4 * n, 2)), undirected=False), "random:1:5")
        right = solved(graph, backend, way)
        assert right.verdict() == "pass"
        for name in ("vertices", "sources", "targets", "edges", "vertex_offsets", "edge_offsets"):
            answer = right.array(name)
            for place in draw.integers(0, answer.size, 3):
                for wrong in (answer[place] + 1, answer[place] - 1, -1, 2**30):
                    changed = answer.copy()
                    changed[place] = wrong
                    assert (right.verdict(**{name: changed}) == "fail") == (wrong != answer[place])


@BACKENDS
def test_an_answer_that_lacks_its_last_hop_is_found(backend: str) -> None:
    """Consistent in itself, but not what was asked."""
    graph = graph_of(30, [(v, (v + step) % 30) for v in range(30) for step in (1, 4, 11)])
    right = solved(graph, backend, {"fanout": "2,2", "src": "0"})
    vertices, edges = right.array("vertex_offsets"), right.array("edge_offsets")
    shorter = {name: right.array(name)[: edges[1]] for name in ("sources", "targets", "edges")}
    verdict = right.verdict(
        **shorter,
        vertices=right.array("vertices")[: vertices[2]],
        vertex_offsets=np.array([0, 1, vertices[2], vertices[2]]),
        edge_offsets=np.array([0, edges[1], edges[1]]),
    )
    assert verdict == "fail"
