"""The certificate of clustering coefficients on right answers, and planted errors."""

from __future__ import annotations

import numpy as np
import pytest
from primitives.certificates.planting import Solved
from primitives.graphs_for_sets import CORNERS, graph_of

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.certificates.clustering import CERTIFICATE

BACKENDS = pytest.mark.parametrize("backend", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])
UNDIRECTED = pytest.mark.parametrize("undirected", [True, False])


def solved(graph: Graph, backend: str) -> Solved:
    chosen = choose_backend(backend, 2)
    return Solved(get_primitive("clustering"), graph.to(chosen.xp), 0, chosen, {})


@BACKENDS
@UNDIRECTED
def test_right_answers_of_corner_cases_are_proved(undirected: bool, backend: str) -> None:
    for n, edges, how in CORNERS.values():
        assert solved(graph_of(n, edges, undirected=undirected, **how), backend).verdict() == "pass"


@BACKENDS
@UNDIRECTED
def test_every_planted_error_is_found(undirected: bool, backend: str) -> None:
    """There is one right answer, so every other one is wrong: one more or one less edge, or the next
    number."""
    draw = np.random.default_rng(3)
    for _ in range(8):
        n = int(draw.integers(6, 40))
        edges = draw.integers(0, n, (4 * n, 2))
        right = solved(graph_of(n, edges, keep_self_loops=True, undirected=undirected), backend)
        assert right.verdict() == "pass"
        answer = right.array("coefficients")
        v = int(draw.integers(n))
        for wrong in (answer[v] + 1 / n**2, np.nextafter(answer[v], 2), -1.0, np.nan):
            changed = answer.copy()
            changed[v] = wrong
            assert right.verdict(coefficients=changed) == "fail"
        high, low = answer.argmax(), answer.argmin()
        answer[[high, low]] = answer[[low, high]]
        assert right.verdict(coefficients=answer) == "fail"
        for name in ("average", "transitivity"):
            assert right.verdict(**{name: right.array(name) + 1e-9}) == "fail"


def test_a_peers_answer_agrees_up_to_rounding() -> None:
    proved = {"coefficients": np.array([0.0, 1 / 3, 1.0])}
    for factor, verdict in ((1 + 1e-14, "pass"), (1 + 1e-9, "fail")):
        found = CERTIFICATE.agrees(None, {"coefficients": proved["coefficients"] * factor}, proved)
        assert found is not None
        assert found.verdict == verdict
    assert CERTIFICATE.agrees(None, {"average": np.array([0.5])}, proved) is None
