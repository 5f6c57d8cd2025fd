"""The certificate of communities compared with the reference, on right answers and on wrong ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from planned import planned

from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives.certificates.base import Prover
from gunrock_cli.primitives.certificates.louvain import CERTIFICATE
from gunrock_cli.primitives.code import HOST, kernel_unit
from gunrock_cli.primitives.louvain import PRIMITIVE, LouvainOptions

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
Answer = dict[str, np.ndarray[Any, Any]]


def random_graph(n: int, m: int, seed: int, **how: Any) -> Graph:
    ends = np.random.default_rng(seed).integers(0, n, (m, 2))
    return build_graph(n, ends[:, 0], ends[:, 1], None, xp=np, **how)


def lattice(side: int) -> Graph:
    return load_graph(GraphSpec("grid2d", params={"width": side, "height": side}), np)


GRAPHS = {
    "lattice": lattice(30),
    "weights": with_weights(lattice(12), "random:1:64"),
    "floats": with_weights(lattice(12), "random:0:1", "float32"),
    "loops": random_graph(60, 200, 1, keep_self_loops=True),
    "rmat": load_graph(GraphSpec("rmat", params={"scale": 9}), np),
    "no edges": random_graph(4, 0, 2),
    "one edge": random_graph(2, 0, 2),
    "several": random_graph(40, 300, 3, keep_self_loops=True, keep_duplicates=True),
}


class Judge:
    """The reference and the certificate of one graph's answers."""

    def __init__(
        self,
        graph: Graph,
        backend: str,
        resolution: float = 1.0,
        refine: int = 0,
        quality: str = "modularity",
    ) -> None:
        self.chosen = choose_backend(backend, 2)
        self.graph = graph.to(self.chosen.xp)
        given = {"resolution": resolution, "refine": refine, "quality": quality}
        self.options = planned(PRIMITIVE, self.graph, given).options
        measured = measure(PRIMITIVE, self.graph, given, [], self.chosen, Protocol(runs=1, warmup=0))
        self.right: Answer = dict(measured.outputs)
        self.prover = Prover(CERTIFICATE, self.graph, self.options, self.chosen)

    def says(self, **changed: np.ndarray[Any, Any]) -> str:
        """The certificate's words; the reference agrees on the verdict."""
        answer = {**self.right, **changed}
        there = {name: self.chosen.xp.asarray(array) for name, array in answer.items()}
        proof = self.prover.verdict(0, there, {})
        expected = PRIMITIVE.validate(self.graph.to(np), self.options, None, answer)
        assert proof is not None
        assert proof.verdict == expected.verdict, (proof, expected)
        return proof.message if proof.verdict == "fail" else ""


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", GRAPHS)
def test_right_answers_are_proved(name: str, backend: str) -> None:
    for resolution in (1.0, 0.7):
        for quality in ("modularity", "cpm"):
            assert Judge(GRAPHS[name], backend, resolution, quality=quality).says() == ""


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["lattice", "loops", "rmat", "no edges", "several"])
def test_refined_answers_are_proved(name: str, backend: str) -> None:
    assert Judge(GRAPHS[name], backend, refine=2).says() == ""


@pytest.mark.parametrize("backend", BACKENDS)
def test_wrong_answers_are_found(backend: str) -> None:
    judge = Judge(GRAPHS["lattice"], backend)
    labels, levels, reported = (judge.right[name] for name in ("communities", "levels", "modularities"))
    assert len(levels) > 1
    other = labels.copy()
    other[0] = (other[0] + 1) % (labels.max() + 1)
    assert "not those of the last level (first: vertex 0)" in judge.says(communities=other)
    gaps = labels + (labels > 3)
    assert "without gaps (first: vertex 5)" in judge.says(
        levels=np.array([*levels[:-1], gaps]), communities=gaps
    )
    none = np.where(labels == 0, np.int32(-1), labels)
    assert "number is none" in judge.says(levels=np.array([*levels[:-1], none]), communities=none)
    swapped = levels.copy()
    swapped[0, 0] = swapped[0, -1]
    assert "splits a community" in judge.says(levels=swapped)
    assert "was reported" in judge.says(modularities=reported * (1 + 1e-8))
    twice = np.array([*levels, labels])
    assert "no higher" in judge.says(levels=twice, modularities=np.array([*reported, reported[-1]]))


@pytest.mark.parametrize("backend", BACKENDS)
def test_wrong_qualities_are_found(backend: str) -> None:
    judge = Judge(GRAPHS["lattice"], backend, resolution=0.2, quality="cpm")
    levels, reported = judge.right["levels"], judge.right["qualities"]
    assert "was reported" in judge.says(qualities=reported * (1 + 1e-8))
    twice = np.array([*levels, levels[-1]])
    assert "no higher cpm" in judge.says(levels=twice, qualities=np.array([*reported, reported[-1]]))


def test_a_peers_communities_are_left_to_the_reference() -> None:
    peer = {"communities": np.array([0, 0])}
    assert CERTIFICATE.arrays(GRAPHS["one edge"], LouvainOptions(), 0, peer, {}) is None


def test_how_many_words_a_sum_has_is_compared_with_the_kernel() -> None:
    assert "SLOTS" in kernel_unit(CERTIFICATE, HOST).constants
