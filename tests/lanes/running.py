"""Run primitives on the lanes backend: small graphs of several kinds, threads in the order of several
seeds, each answer against its reference, and one of them by its certificate, too."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from operators.cases import One
from updated_helper import updated

from gunrock_cli.engine.lanes import Lanes, LanesProgram
from gunrock_cli.engine.program import RunResult
from gunrock_cli.engine.relay import Relay
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.on_gpu import as_on_gpu
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.certificates import certificate_of
from gunrock_cli.primitives.certificates.base import Prover
from gunrock_cli.primitives.execution import Execution
from gunrock_cli.primitives.run_options import RunOptions

Numbers = np.ndarray[Any, Any]
SEEDS = (0, 1, 2)
"""Seeds of the orders in which threads run. A seed modulo 4 says how often they are switched."""
DEVICE = Lanes(blocks=3)


def graph_of(n: int, edges: Iterable[tuple[int, int]], **how: Any) -> Graph:
    ends = np.array(list(edges), np.int64).reshape(-1, 2)
    return build_graph(n, ends[:, 0], ends[:, 1], None, xp=np, **how)


def _grid(width: int, height: int) -> Iterable[tuple[int, int]]:
    """A lattice with a few edges missing."""
    for v in range(width * height):
        if v % width < width - 1 and v % 11:
            yield v, v + 1
        if v < width * (height - 1) and v % 7:
            yield v, v + width


_KINDS: dict[str, Callable[[], Graph]] = {
    "mesh": lambda: graph_of(72, _grid(9, 8)),
    "hubs": lambda: load_graph(GraphSpec("rmat", params={"scale": 6}), np),
    "directed": lambda: load_graph(GraphSpec("rmat", params={"scale": 6}, undirected=False), np),
    "even": lambda: graph_of(
        60, [(v, (v + step) % 60) for v in range(60) for step in (1, 7, 9, 13, 22, 26)]
    ),
    "star": lambda: graph_of(150, [(0, v) for v in range(1, 150)]),
    "path": lambda: graph_of(40, [(v, v + 1) for v in range(39)]),
    "parts": lambda: graph_of(30, [(0, 1), (1, 2), (2, 0), (2, 3), (9, 10), (20, 29), (29, 28)]),
    "long": lambda: graph_of(360, _grid(120, 3)),  # long enough that running ahead pays
    "one vertex": lambda: graph_of(1, []),
}
GRAPHS = tuple(_KINDS)


@cache
def graph(kind: str, weights: str = "") -> Graph:
    """A graph by name, with weights drawn as given."""
    return with_weights(graph(kind), weights) if weights else _KINDS[kind]()


def machine(case: int, device: Lanes = DEVICE) -> OnLanes:
    """A case of machine.cuh."""
    one = One("advance.cuh", {"words": np.zeros(64, np.uint32)}, ("words",), GR_CASE=case)
    one.kernel = Path(__file__).with_name("machine.cuh")
    return OnLanes(one, graph_of(1, []), device=device)


class OnLanes:
    """A primitive compiled for a graph. ``options`` are the options that are not left at their
    defaults."""

    def __init__(
        self,
        primitive: Primitive,
        graph: Graph,
        options: dict[str, Any] | None = None,
        device: Lanes = DEVICE,
        count: bool = False,
        **run: Any,
    ) -> None:
        self.primitive, self.device = primitive, device
        self.graph = as_on_gpu(graph)
        self._execution = Execution(primitive, self.graph, options or {}, device, RunOptions(**run))
        self._execution.prepare(lambda _, work: work())
        if (renumbering := self._execution._renumbering) is not None:
            renumbering.__dict__["graph"] = as_on_gpu(renumbering.graph)  # made again, of NumPy's arrays
        self.options = self._execution.options
        self.program = self._execution.program(count)
        self._problem = self._execution.problem()

    def run(self, source: int = 0, seed: int = 0) -> RunResult:
        """Run in this order."""
        for program in self.programs:
            program.lanes = replace(self.device, seed=seed)
        return self._execution.run(self.program, self._problem, source)

    def answer(self, source: int = 0, seed: int = 0) -> dict[str, Numbers]:
        """The outputs of a run in this order."""
        self.run(source, seed)
        return {name: np.array(array) for name, array in self._execution.outputs(self._problem).items()}

    @property
    def programs(self) -> list[LanesProgram]:
        """The program, or the two that share a run."""
        found = self.program.programs if isinstance(self.program, Relay) else [self.program]
        return [program for program in found if isinstance(program, LanesProgram)]

    def proof(self, source: int, outputs: dict[str, Numbers]) -> str:
        """The verdict of the certificate, which also runs on lanes."""
        certificate = certificate_of(self.primitive)
        assert certificate is not None
        prover = Prover(certificate, self.graph, self.options, self.device)
        found = prover.verdict(source, outputs, self._execution.evidence(self._problem))
        return "not decided" if found is None else f"{found.verdict} {found.message}".strip()


def check(
    name: str,
    kinds: Iterable[str] = GRAPHS,
    seeds: Iterable[int] = SEEDS,
    proves: bool = True,
    weights: str = "random:1:64",
    device: Lanes = DEVICE,
    run: dict[str, Any] | None = None,
    changes: int = 0,
    **options: Any,
) -> None:
    """Check that all answers are right, of runs from scratch or of those that go on from an answer for a
    graph before ``changes`` edges. Graphs that the primitive is not made for are left out."""
    primitive = get_primitive(name)
    for kind in kinds:
        if kind == "directed" and primitive.needs.undirected:
            continue
        here = graph(kind, weights if primitive.reads_weights(primitive.asked(options)) else "")
        source = int(here.csr.degrees().argmax())
        if changes:
            here = updated(primitive, here, options, source, size=changes)
        lanes = OnLanes(primitive, here, options, device, **(run or {}))
        given = source if primitive.reads_source(lanes.options) else None
        outputs = {}
        for seed in seeds:
            outputs = lanes.answer(source, seed)
            found = primitive.validate(here, lanes.options, given, outputs)
            assert found.verdict == "pass", f"{kind}, seed {seed}: {found.message}"
        if proves:
            proof = lanes.proof(source, outputs)
            assert proof == "not decided" or proof.startswith("pass"), f"{kind}: {proof}"
