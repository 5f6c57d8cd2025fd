"""The certificate of biconnected components on right answers and planted errors."""

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
    return Solved(get_primitive("biconnected"), graph.to(chosen.xp), 0, chosen, {})


@BACKENDS
def test_right_answers_of_corner_cases_are_proved(backend: str) -> None:
    for n, edges, how in CORNERS.values():
        assert solved(graph_of(n, edges, **how), backend).verdict() == "pass"


@BACKENDS
def test_every_planted_error_is_found(backend: str) -> None:
    """In single entries, and in whole edges and components."""
    draw = np.random.default_rng(4)
    for _ in range(25):
        n = int(draw.integers(6, 30))
        graph = graph_of(n, draw.integers(0, n, (n + 4, 2)), keep_self_loops=True)
        right = solved(graph, backend)
        assert right.verdict() == "pass"
        components = right.array("components")
        tails, heads = graph.csr.sources(), graph.csr.column_indices
        edges = np.flatnonzero(tails != heads)
        for change in (-1, 1, 1000, -1000):
            wrong, entry = components.copy(), int(draw.integers(graph.m))
            wrong[entry] += change
            assert right.verdict(components=wrong) == "fail"
        for _ in range(4):
            wrong, entry = components.copy(), int(draw.choice(edges))
            both = (tails == heads[entry]) & (heads == tails[entry])
            wrong[[entry, *np.flatnonzero(both)]] = (components[entry] + 1) % (components.max() + 1)
            moved = wrong != components
            assert not moved.any() or right.verdict(components=wrong) == "fail"
        if components.max() > 0:
            joined = np.where(components > 0, components - 1, components)  # the first two are one
            assert right.verdict(components=joined) == "fail"


@BACKENDS
def test_components_that_are_split_are_found(backend: str) -> None:
    """One edge of a clique is said to be a component."""
    graph = graph_of(5, [(u, v) for u in range(5) for v in range(u + 1, 5)])
    right = solved(graph, backend)
    wrong = right.array("components")
    wrong[[graph.m - 1, -5]] = 1  # 4 to 3, and 3 to 4
    assert (graph.csr.sources()[-5], graph.csr.column_indices[-5]) == (3, 4)
    assert right.verdict(components=wrong) == "fail"


@BACKENDS
def test_wrong_cut_vertices_bridges_and_roots_are_found(backend: str) -> None:
    graph = graph_of(7, [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (5, 6)])
    right = solved(graph, backend)
    for cuts in ([2], [3], [2, 3, 4], [2, 3, 0], []):
        assert right.verdict(articulation_points=np.array(cuts, np.int32)) == "fail"
    for bridges in ([[2, 3]], [[2, 3], [3, 4]], [[0, 1], [2, 3], [3, 4], [5, 6]]):
        assert right.verdict(bridges=np.array(bridges, np.int32)) == "fail"
    assert right.verdict(components=right.array("components")[::-1].copy()) == "fail"
    swapped = np.array([1, 0, 2, 3, 4], np.int32)[right.array("components")]
    assert right.verdict(components=swapped) == "fail"
    for roots in (np.zeros(7), np.arange(7), [0, 0, 0, 0, 0, 7, 7], [0, 0, 0, 0, 0, -1, -1]):
        assert right.verdict(roots=np.array(roots, np.int32)) == "fail"
    again = np.array([1, 1, 1, 1, 1, 5, 5], np.int32)  # others that are right
    assert right.verdict(roots=again) == "pass"


def test_no_roots_no_proof() -> None:
    """A peer's answer has none."""
    right = solved(graph_of(3, [(0, 1)]), "cpu")
    assert right.prover.verdict(0, right.outputs, {}) is None
