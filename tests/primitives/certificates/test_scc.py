"""The certificate of strongly connected components on right answers and planted errors."""

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


def solved(graph: Graph, backend: str = "cpu") -> Solved:
    chosen = choose_backend(backend, 2)
    return Solved(get_primitive("scc"), graph.to(chosen.xp), 0, chosen, {})


@BACKENDS
def test_right_answers_of_corner_cases_are_proved(backend: str) -> None:
    for n, edges, how in CORNERS.values():
        assert solved(directed(n, edges, **how), backend).verdict() == "pass"


@BACKENDS
def test_every_planted_error_is_found(backend: str) -> None:
    """There is one right answer."""
    count = plant_errors(("scc", "components", {}), 5, choose_backend(backend, 2), 300)
    assert count.found == count.planted


@pytest.mark.parametrize(
    ("components", "words"),
    [
        ([0, 0, 0, 3], "UNREACHING"),  # 2 only follows
        ([0, 0, 2, 2], "UNREACHED"),  # 2 and 3 have nothing to do with each other
        ([0, 1, 2, 3], "CYCLE"),  # 0 and 1 follow each other
        ([1, 1, 2, 3], "NAME"),  # 0 is smaller
        ([0, 0, 2, 7], "NAME"),
        ([0, 0, 2, -1], "NAME"),
        ([0, 0, 1, 3], "NAME"),
    ],
)
def test_what_is_wrong_is_told(components: list[int], words: str) -> None:
    right: Any = solved(directed(4, [(0, 1), (1, 0), (1, 2)]))
    outputs = {**right.outputs, "components": np.array(components, np.int32)}
    found = right.prover.verdict(0, outputs, right.problem)
    assert found is not None
    assert found.verdict == "fail"
    assert get_certificate_words(words) in found.message


def get_certificate_words(condition: str) -> str:
    from gunrock_cli.primitives.certificates.scc import CERTIFICATE

    return CERTIFICATE.conditions[condition]
