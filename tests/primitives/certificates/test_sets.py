"""The certificates of independent sets and colorings compared with the references, on right answers and
on planted errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from primitives.graphs_for_sets import CORNERS, graph_of

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.certificates import certificate_of
from gunrock_cli.primitives.certificates.base import Prover

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
OUTPUTS = {"mis": "members", "color": "colors"}
NAME = pytest.mark.parametrize("name", OUTPUTS)


def right_answer(name: str, graph: Graph) -> np.ndarray[Any, Any]:
    """Choose vertex by vertex, in their order."""
    found = np.full(graph.n, -1, np.int32)
    rows, columns = graph.csr.row_offsets, graph.csr.column_indices
    for v in range(graph.n):
        around = columns[rows[v] : rows[v + 1]]
        taken = set(found[around[around != v]].tolist())
        if name == "mis":
            found[v] = 1 not in taken
        else:
            found[v] = next(color for color in range(graph.n) if color not in taken)
    return found


class Judge:
    """The reference and the certificate of a primitive for one graph."""

    def __init__(self, name: str, graph: Graph, backend: str) -> None:
        chosen, self.primitive = choose_backend(backend, 2), get_primitive(name)
        self.output, self.graph, self.xp = OUTPUTS[name], graph, chosen.xp
        certificate = certificate_of(self.primitive)
        assert certificate is not None
        self.options = self.primitive.asked({})
        self.prover = Prover(certificate, graph.to(chosen.xp), self.options, chosen)

    def verdict(self, answer: np.ndarray[Any, Any]) -> str:
        """The verdict on which both agree."""
        proof = self.prover.verdict(0, {self.output: self.xp.asarray(answer)}, {})
        assert proof is not None
        expected = self.primitive.validate(self.graph, self.options, None, {self.output: answer})
        assert proof.verdict == expected.verdict, (answer, proof, expected)
        return proof.verdict


@pytest.mark.parametrize("backend", BACKENDS)
@NAME
def test_right_answers_of_corner_cases_are_proved(name: str, backend: str) -> None:
    for n, edges, how in CORNERS.values():
        graph = graph_of(n, edges, **how)
        assert Judge(name, graph, backend).verdict(right_answer(name, graph)) == "pass"


@pytest.mark.parametrize("backend", BACKENDS)
@NAME
def test_planted_errors_are_found(name: str, backend: str) -> None:
    draw = np.random.default_rng(len(name))
    failed = 0
    for _ in range(12):
        n = int(draw.integers(2, 40))
        graph = graph_of(n, draw.integers(0, n, (3 * n, 2)), keep_self_loops=True)
        judge, right = Judge(name, graph, backend), right_answer(name, graph)
        for _ in range(20):
            wrong = right.copy()
            wrong[draw.integers(n)] = draw.choice([-1, 0, 1, 2, draw.choice(right), 2**31 - 1])
            failed += judge.verdict(wrong) == "fail"
    assert failed > 60


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("mis", [2, 0, 1], "neither 0 nor 1 (first: vertex 0)"),
        ("mis", [1, 1, 1], "two neighbours are in the set (first: vertex 0)"),
        ("mis", [1, 0, 0], "neither in the set nor a neighbour of one that is (first: vertex 2)"),
        ("color", [0, 1, -1], "a vertex has no color (first: vertex 2)"),
        ("color", [4, 4, 0], "2 times: two neighbours have the same color (first: vertex 0)"),
    ],
)
def test_what_is_broken_is_said(name: str, answer: list[int], words: str, backend: str) -> None:
    judge = Judge(name, graph_of(3, [(0, 1)]), backend)
    arrays = {judge.output: judge.xp.array(answer, np.int32)}
    found = judge.prover.verdict(0, arrays, {})
    assert found is not None
    assert words in found.message
