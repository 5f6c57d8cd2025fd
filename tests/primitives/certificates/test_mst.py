"""The certificate of spanning forests compared with the reference, on right answers and on planted
errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from primitives.weighted_graphs import CORNERS, Edges, edges_of, graph_of, larger

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.certificates.base import Prover
from gunrock_cli.primitives.certificates.mst import CERTIFICATE
from gunrock_cli.primitives.mst import PRIMITIVE, spanning_forest
from gunrock_cli.primitives.options import Options

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
NAMES = ("sources", "targets", "weights")


class Judge:
    """The reference and the certificate of one graph's forests."""

    def __init__(self, graph: Graph, backend: str) -> None:
        self.chosen, self.graph = choose_backend(backend, 2), graph
        self.prover = Prover(CERTIFICATE, graph.to(self.chosen.xp), Options(), self.chosen)

    def says(self, arrays: tuple[np.ndarray[Any, Any], ...]) -> str | None:
        """The certificate's words (None: undecided); the reference agrees."""
        answer = dict(zip(NAMES, arrays, strict=True))
        proof = self.prover.verdict(
            0, {name: self.chosen.xp.asarray(array) for name, array in answer.items()}, {}
        )
        expected = PRIMITIVE.validate(self.graph, Options(), None, answer)
        if proof is None:
            assert expected.verdict == "fail"
            return None
        assert proof.verdict == expected.verdict, (proof, expected)
        return proof.message if proof.verdict == "fail" else ""


def arrays_of(edges: Edges, dtype: str = "int32") -> tuple[np.ndarray[Any, Any], ...]:
    u, v, w = zip(*sorted(edges), strict=True)
    return np.array(u, np.int32), np.array(v, np.int32), np.array(w, dtype)


@pytest.mark.parametrize("backend", BACKENDS)
def test_right_answers_are_proved(backend: str) -> None:
    graphs = [graph_of(n, edges, **how) for n, edges, how in CORNERS.values()]
    for graph in [*graphs, *larger()[:3]]:
        assert Judge(graph, backend).says(spanning_forest(graph)) == ""


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_other_edges_are_found(dtype: str, backend: str) -> None:
    """Exchange one edge of the forest for another of the graph, leave it out, or change its weight."""
    draw = np.random.default_rng(9)
    for _ in range(10):
        n = int(draw.integers(3, 30))
        ends = draw.integers(0, n, (4 * n, 2))
        graph = graph_of(
            n,
            [
                (int(u), int(v), int(w))
                for (u, v), w in zip(ends, draw.integers(-2, 3, 4 * n), strict=True)
            ],
            dtype,
        )
        judge, right = Judge(graph, backend), spanning_forest(graph)
        forest = list(zip(*(array.tolist() for array in right), strict=True))
        everything = edges_of(graph)
        assert judge.says(right) == ""
        for _ in range(12):
            place, kind = int(draw.integers(len(forest))), int(draw.integers(4))
            wrong = forest.copy()
            u, v, w = wrong.pop(place)
            if kind < 2:
                wrong.append(everything[int(draw.integers(len(everything)))])
            elif kind == 2:
                wrong.append((u, v, w + 1))
            if sorted(wrong) != forest and wrong:
                assert judge.says(arrays_of(wrong, dtype)) != ""


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("edges", "words"),
    [
        ([(0, 1, 1), (0, 2, 2), (1, 2, 3), (2, 3, 1)], "the edges close a circle"),
        ([(0, 1, 1), (0, 2, 2)], "2 times: an edge joins two trees (first: vertex 2)"),
        (
            [(0, 1, 1), (1, 2, 3), (2, 3, 1)],
            "2 times: an edge is left out that comes before one on the path between its ends (first: "
            "vertex 0)",
        ),
        ([(0, 1, 1), (0, 3, 0), (0, 2, 2)], "the graph has no such edge (first: vertex 0)"),
    ],
)
def test_what_is_broken_is_said(edges: Edges, words: str, backend: str) -> None:
    judge = Judge(graph_of(4, [(0, 1, 1), (1, 2, 3), (0, 2, 2), (2, 3, 1)]), backend)
    said = judge.says(arrays_of(edges))
    assert said is not None
    assert words in said


def test_what_is_no_list_of_edges_is_left_to_the_reference() -> None:
    graph = graph_of(3, [(0, 1, 1), (1, 2, 3)])
    for edges in ([(0, 1, 1), (1, 3, 3)], [(0, 1, 1), (0, 1, 1)], [(0, 1, 1), (2, 1, 3)]):
        assert Judge(graph, "cpu").says(arrays_of(edges)) is None
    assert CERTIFICATE.arrays(graph, {}, 0, {"weights": np.array([1, 3])}, {}) is None
