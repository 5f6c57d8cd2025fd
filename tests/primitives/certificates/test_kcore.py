"""The certificate of core numbers on right answers and planted errors."""

from __future__ import annotations

import numpy as np
import pytest
from primitives.certificates.planting import Solved
from primitives.graphs_for_sets import CORNERS, graph_of

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives import get_primitive

BACKENDS = pytest.mark.parametrize("backend", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])


def solved(graph: Graph, backend: str) -> Solved:
    chosen = choose_backend(backend, 2)
    return Solved(get_primitive("kcore"), graph.to(chosen.xp), 0, chosen, {})


@BACKENDS
def test_right_answers_of_corner_cases_are_proved(backend: str) -> None:
    for n, edges, how in CORNERS.values():
        assert solved(graph_of(n, edges, **how), backend).verdict() == "pass"


@BACKENDS
def test_every_planted_error_is_found(backend: str) -> None:
    """There is one right answer, so others are wrong, in whatever order vertices are said to go."""
    draw = np.random.default_rng(4)
    for _ in range(15):
        n = int(draw.integers(2, 40))
        right = solved(graph_of(n, draw.integers(0, n, (3 * n, 2)), keep_self_loops=True), backend)
        assert right.verdict() == "pass"
        cores, places = right.array("cores"), right.array("places")
        for change in (-1, 1, 2, 1000, -1000):
            wrong = cores.copy()
            wrong[draw.integers(n)] += change
            assert right.verdict(cores=wrong) == "fail"
            by_core = np.argsort(np.argsort(wrong, kind="stable")).astype(np.int32)
            assert right.verdict(cores=wrong, places=by_core) == "fail"
        for everywhere in (-1, 1):
            assert right.verdict(cores=cores + np.int32(everywhere)) == "fail"
        repeated = places.copy()
        repeated[0] = repeated[-1]
        assert right.verdict(places=repeated) == "fail"
        if cores.min() < cores.max():
            assert right.verdict(places=n - 1 - places) == "fail"
        places[draw.integers(n)] = draw.choice([-1, n, 2**31 - 1])
        assert right.verdict(places=places) == "fail"


def test_no_order_no_proof() -> None:
    """A peer's answer has none."""
    right = solved(graph_of(3, [(0, 1)]), "cpu")
    assert right.prover.verdict(0, {"cores": right.outputs["cores"]}, {}) is None
