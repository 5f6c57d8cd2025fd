"""Certificates and planted errors: each error is found, or made another right answer.

``make fuzz`` plants many thousands of errors for each primitive; docs/measuring.md gives the counts that
``planting.py`` printed."""

from __future__ import annotations

import numpy as np
import pytest
from fuzzing import cases
from primitives.certificates.planting import CONVERGED, WAYS, Numbers, Solved, Way, plant_errors

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives import get_primitive

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]


@pytest.mark.fuzz
@pytest.mark.parametrize("backend_name", BACKENDS)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join([way[0], way[1], *way[2]]))
def test_planted_errors_are_found(way: Way, backend_name: str) -> None:
    count = plant_errors(way, WAYS.index(way), choose_backend(backend_name, 2), cases(200))
    assert count.found >= 0.5 * count.planted > 0


@pytest.mark.parametrize("backend_name", BACKENDS)
def test_zero_weights_that_hold_each_other_up(backend_name: str) -> None:
    """0 -5-> 1 and a circle of zeros 1 - 2 - 3: the circle at 4 is tight all around, and too near."""
    backend = choose_backend(backend_name, 2)
    graph = build_graph(
        4,
        np.array([0, 1, 2, 3]),
        np.array([1, 2, 3, 1]),
        np.array([5, 0, 0, 0], np.int32),
        xp=backend.xp,
        undirected=False,
    )
    for given in ({}, {"mark_pred": True}):
        solved = Solved(get_primitive("sssp"), graph, 0, backend, given)
        assert solved.verdict() == "pass"
        short: dict[str, Numbers] = {"distances": np.array([0, 4, 4, 4], np.int32)}
        if given:
            short["predecessors"] = np.array([-1, 3, 1, 2], np.int32)
        assert solved.verdict(**short) == "fail"


@pytest.mark.parametrize("backend_name", BACKENDS)
@pytest.mark.parametrize("name", ["bfs", "sssp", "cc", "pagerank", "bc"])
@pytest.mark.parametrize(
    ("n", "edges"),
    [
        (1, []),
        (1, [(0, 0)]),
        (5, []),
        (3, [(0, 0), (0, 1), (0, 1)]),
        (20_001, [(v, v + 1) for v in range(20_000)]),
        (20_001, [(0, v) for v in range(1, 20_001)]),
    ],
    ids=["one", "loop", "none", "double", "path", "star"],
)
def test_right_answers_of_corner_cases_are_proved(
    n: int, edges: list[tuple[int, int]], name: str, backend_name: str
) -> None:
    backend = choose_backend(backend_name, 2)
    table = np.array(edges, np.int64).reshape(-1, 2)
    primitive = get_primitive(name)
    weights = np.arange(len(table), dtype=np.int32) % 3
    for how in (
        {"undirected": True},
        {"undirected": False, "keep_duplicates": True, "keep_self_loops": True},
    ):
        graph = build_graph(n, table[:, 0], table[:, 1], weights, xp=backend.xp, **how)
        for source in {0, n // 2}:
            given = CONVERGED if name == "pagerank" else {}
            assert Solved(primitive, graph, source, backend, given).verdict() == "pass"
