"""The certificate of matchings compared with the reference, on right answers and on planted errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from primitives.certificates.planting import MATCHINGS, Solved, Way, plant_errors
from primitives.weighted_graphs import CORNERS, graph_of

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.certificates.matching import CERTIFICATE

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
WAY = pytest.mark.parametrize("way", MATCHINGS, ids=["weight", "random"])


@pytest.mark.parametrize("backend", BACKENDS)
@WAY
def test_right_answers_of_corner_cases_are_proved(way: Way, backend: str) -> None:
    chosen = choose_backend(backend, 2)
    for n, edges, how in CORNERS.values():
        graph = graph_of(n, edges, **how).to(chosen.xp)
        assert Solved(get_primitive("matching"), graph, 0, chosen, way[2]).verdict() == "pass"


@pytest.mark.parametrize("backend", BACKENDS)
@WAY
def test_planted_errors_are_found(way: Way, backend: str) -> None:
    count = plant_errors(way, 3, choose_backend(backend, 2), 300)
    assert count.found >= 0.9 * count.planted


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("mates", "words"),
    [
        ([1, 0, 1, -1], "1 times: mates are not each other's (first: vertex 2)"),
        ([3, -1, -1, 0], "2 times: there is no edge to the mate (first: vertex 0)"),
        ([-1, -1, 3, 2], "4 times: an edge is left out that comes before those of both its ends"),
        ([1, 0, -1, -1], "an edge is left out that comes before"),
        ([-1, -1, -1, 9], "1 times: mates are not each other's (first: vertex 3)"),
    ],
)
def test_what_is_broken_is_said(mates: list[int], words: str, backend: str) -> None:
    """Use a path whose middle edge is the heaviest."""
    chosen = choose_backend(backend, 2)
    graph = graph_of(4, [(0, 1, 2), (1, 2, 9), (2, 3, 2)]).to(chosen.xp)
    solved = Solved(get_primitive("matching"), graph, 0, chosen, {})
    assert solved.array("mates").tolist() == [-1, 2, 1, -1]
    planted = {"mates": chosen.xp.array(mates, np.int32)}
    found = solved.prover.verdict(0, planted, {})
    assert found is not None
    assert words in found.message


def test_a_peers_matching_is_left_to_the_reference() -> None:
    peer: dict[str, Any] = {"partners": np.array([1, 0])}
    assert CERTIFICATE.arrays(graph_of(2, [(0, 1, 1)]), {}, 0, peer, {}) is None
