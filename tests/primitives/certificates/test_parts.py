"""Certificates on graphs in parts: on every answer, right or planted, they agree with the proof on one
device."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from fuzzing import cases
from planned import planned
from primitives.certificates.planting import WAYS, Way, plant
from several import BACKENDS, backend_of

from gunrock_cli.engine.devices import Devices
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.drawn_parts import drawn_in_parts
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import to_numpy
from gunrock_cli.graph.parts.parted import GraphInParts
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.certificates import certificate_of
from gunrock_cli.primitives.certificates.base import Prover
from gunrock_cli.primitives.certificates.parts import ProverInParts, prover_of
from gunrock_cli.primitives.compile import compile_variant
from gunrock_cli.primitives.run_options import RunOptions

OF_PARTS = [
    way
    for way in WAYS
    if getattr(certificate_of(get_primitive(way[0])), "of_parts", False) and "weighted" not in way[2]
]


def sparse(seed: int, undirected: bool) -> GraphSpec:
    """Several components and vertices in every part."""
    return GraphSpec(
        "rmat", params={"scale": 9, "edge_factor": 2, "seed": seed}, undirected=undirected, reverse=True
    )


class Proved:
    """A right answer on one device, and both proofs of it."""

    def __init__(self, way: Way, seed: int, undirected: bool, backend_name: str) -> None:
        name, self.output, given = way
        backend, counts = backend_of(backend_name)
        primitive, spec = get_primitive(name), sparse(seed, undirected)
        whole = load_graph(spec, backend.xp)
        devices = counts[0] if backend_name == "cuda" else 3
        parted = drawn_in_parts(spec, Devices(backend, tuple(range(devices))))
        variant = planned(primitive, whole, given)
        program = compile_variant(primitive, variant, backend, RunOptions())
        problem = variant.allocate()
        self.source = int(np.flatnonzero(to_numpy(whole.csr.degrees()))[seed])
        program.run(problem, lambda: variant.reset(problem, self.source))
        self.outputs = variant.outputs(problem)
        certificate = certificate_of(primitive)
        assert certificate is not None
        self.xp = backend.xp
        self.provers = [
            prover_of(certificate, graph, variant.options, backend) for graph in (whole, parted)
        ]
        assert [type(prover) for prover in self.provers] == [Prover, ProverInParts]

    def verdicts(self, planted: np.ndarray[Any, Any]) -> list[Validation | None]:
        outputs = {**self.outputs, self.output: self.xp.asarray(planted)}
        return [prover.verdict(self.source, outputs, {}) for prover in self.provers]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("way", OF_PARTS, ids=lambda way: "-".join([way[0], way[1], *way[2]]))
@pytest.mark.parametrize("undirected", [True, False])
def test_what_one_device_says_of_an_answer(undirected: bool, way: Way, backend: str) -> None:
    proved = Proved(way, 1, undirected, backend)
    right = to_numpy(proved.outputs[way[1]]).copy()
    draw, wrong = np.random.default_rng(2), 0
    for number in range(max(20, cases(20))):
        planted = right if number == 0 else plant(draw, right, np.arange(len(right)))
        whole, parted = proved.verdicts(planted)
        assert whole is not None
        assert parted is not None
        assert whole.verdict == parted.verdict
        assert way[0] == "pagerank" or whole == parted  # PageRank's sums differ in their last bits
        assert number or whole.verdict == "pass"
        wrong += whole.verdict == "fail"
    assert wrong > 5


def test_which_answers_can_be_proved_in_parts() -> None:
    assert {way[0] for way in OF_PARTS} == {"bfs", "cc", "pagerank"}
    backend, _ = backend_of("cpu")
    graph: GraphInParts = drawn_in_parts(sparse(0, True), Devices(backend, (0, 1)))
    certificate = certificate_of(get_primitive("bc"))
    assert certificate is not None
    with pytest.raises(
        UsageError, match="bc on rmat-s9-e2: its answer cannot be proved on a graph that lies in parts"
    ):
        ProverInParts(certificate, graph, {})
