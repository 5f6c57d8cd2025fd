"""The base of certificates, and how they are run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from gunrock_cli.engine.backend import Backend
from gunrock_cli.engine.program import Program
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array, Graph, moved
from gunrock_cli.operators.launch_shapes import WHOLE_GRAPH
from gunrock_cli.primitives.base import Primitive, Validation
from gunrock_cli.primitives.compile import compile_primitive
from gunrock_cli.primitives.frontier import NO_FRONTIER
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.run_options import RunOptions
from gunrock_cli.primitives.shown import Outputs
from gunrock_cli.primitives.variant import Variant
from gunrock_cli.resources import kernels_dir

METHOD = "certificate"
"""The ``method`` of a Validation, and its ``reference``."""
PROVED = "gunrock's answer, proved by certificate"
"""The ``reference`` of a Validation that compared an answer with a proved answer."""
SLOTS = 64
"""Words over which a sum over the grid is spread (kernels/certificates/proof.cuh)."""
Answer = Mapping[str, Array]


@dataclass(frozen=True)
class Proof(Variant[Options]):
    """The kernel of a certificate."""

    stem: str
    conditions: tuple[str, ...]

    @property
    def kernel_file(self) -> Path:
        return kernels_dir() / "certificates" / f"{self.stem}.cuh"

    @property
    def launch(self) -> Tuning:
        return WHOLE_GRAPH

    @property
    def constants(self) -> Mapping[str, int]:
        return {"SLOTS": SLOTS, **{name: number for number, name in enumerate(self.conditions)}}


class Certificate(Primitive):
    """The Python half of a kernel that counts, for each condition, where an answer breaks it."""

    source = None
    frontier = NO_FRONTIER
    proof: ClassVar[str] = ""
    """The kernel below ``kernels/certificates``, if it has another name."""
    of_parts: ClassVar[bool] = False
    """True if several devices can each check the in-edges of their own vertices (``ProverInParts``)."""
    summed: ClassVar[tuple[str, ...]] = ()
    """Members that ``judge`` reads as sums over several devices."""
    handed_on: ClassVar[tuple[str, ...]] = ()
    """Members that a device gets from the one before, if several check one after the other."""
    conditions: ClassVar[Mapping[str, str]]
    """Names in the kernel's ``enum Condition``, in its order, and what was found where each is broken."""

    def plan(self, graph: Graph, asked: Any) -> Proof:
        return Proof(graph, Options(), self.proof or self.name, tuple(self.conditions))

    def arrays(
        self, graph: Graph, options: Any, source: int, outputs: Answer, problem: Answer
    ) -> dict[str, Any] | None:
        """The kernel's ``Problem`` without the tally: ``outputs`` are the primitive's, ``problem`` is
        what it ran with, both in ``graph.xp``. None if they lack what the proof needs."""
        raise NotImplementedError

    def prove(
        self,
        run: Callable[[dict[str, Any]], None],
        graph: Graph,
        options: Any,
        source: int,
        outputs: Answer,
        problem: Answer,
    ) -> Validation | None:
        """Return the verdict; ``run`` runs the kernel on the arrays of its ``Problem``. None if the
        answer cannot be proved."""
        arrays = self.members(graph, options, source, outputs, problem)
        if arrays is None:
            return None
        run(arrays)
        return self.verdict(arrays, outputs, graph, options)

    def members(
        self, graph: Graph, options: Any, source: int, outputs: Answer, problem: Answer
    ) -> dict[str, Any] | None:
        """Return ``arrays`` with an empty tally."""
        arrays = self.arrays(graph, options, source, outputs, problem)
        if arrays is None:
            return None
        count, xp = len(self.conditions), graph.xp
        return arrays | {
            "broken": xp.zeros(count, np.uint64),
            "first": moved(np.full(count, graph.n, np.int64), xp),
        }

    def verdict(
        self, arrays: Answer, outputs: Answer, graph: Graph, options: Options
    ) -> Validation | None:
        """The verdict from arrays as the kernel left them."""
        return _broken(self, arrays) or self.judge(arrays, outputs, graph, options)

    def agrees(self, options: Any, outputs: Outputs, proved: Outputs) -> Validation | None:
        """Compare a peer's answer with one of ours that this certificate proved; both are on the host.
        None if the comparison decides nothing, as two right answers may differ: then the primitive's
        ``validate`` decides."""
        return None

    def judge(self, arrays: Answer, outputs: Answer, graph: Graph, options: Any) -> Validation | None:
        """The verdict if no condition is broken, from arrays as the kernel left them; None if they prove
        nothing either way."""
        return Validation("pass", METHOD, method=METHOD)


class Prover:
    """A certificate compiled for one graph and backend; it can check any number of answers."""

    def __init__(self, certificate: Certificate, graph: Graph, options: Any, backend: Backend) -> None:
        self._certificate, self._graph, self._options = certificate, graph, options
        self._backend = backend
        self._program: Program | None = None

    def verdict(self, source: int, outputs: Answer, problem: Answer) -> Validation | None:
        """Return the verdict on an answer, or None if it cannot be proved."""
        return self._certificate.prove(self.run, self._graph, self._options, source, outputs, problem)

    def run(self, arrays: dict[str, Any]) -> None:
        """Run the kernel."""
        if self._program is None:
            self._program = compile_primitive(
                self._certificate, self._graph, {}, self._backend, RunOptions()
            )
        self._program.run(arrays, lambda: None)


def _broken(certificate: Certificate, arrays: Mapping[str, Array]) -> Validation | None:
    counts, first = arrays["broken"].tolist(), arrays["first"].tolist()
    words = [
        f"{count} times: {text} (first: vertex {vertex})"
        for count, vertex, text in zip(counts, first, certificate.conditions.values(), strict=True)
        if count
    ]
    return Validation("fail", METHOD, "; ".join(words), method=METHOD) if words else None
