"""The base of all microbenchmarks: they replay a recorded traversal and are checked against it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.launch_shapes import WHOLE_GRAPH
from gunrock_cli.primitives.base import Primitive, Validation, Work
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.micro.recording import Recording
from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.reached import is_reached
from gunrock_cli.primitives.references import reference_labels
from gunrock_cli.primitives.shown import Outputs
from gunrock_cli.primitives.variant import Problem, Variant

SUMS = 1024
"""The constant of ``kernels/microbench/replay.cuh``."""
REFERENCE = "scipy"


class Replayed(dict[str, Any]):
    """A Problem's members, and the recording that they come from."""

    recording: Recording | None = None


@dataclass(frozen=True)
class Strategy(Options):
    """The options of a microbenchmark."""

    strategy: str

    @property
    def words(self) -> list[str]:
        """The words that make up a strategy."""
        return self.strategy.split("+")


def strategies(choices: tuple[str, ...], default: str, what: str, **declared: Any) -> Any:
    """Declare the field ``strategy``."""
    return option(default, what, choices=choices, panel="Strategy", **declared)


class Replaying(Variant[Strategy]):
    """A kernel over frontiers that are recorded off the clock, once per source."""

    recorded: ClassVar[tuple[str, ...]] = ()
    """The members of its Problem that the recording has under the same names."""

    @property
    def launch(self) -> Tuning:
        return WHOLE_GRAPH

    @property
    def constants(self) -> Mapping[str, int]:
        return {"SUMS": SUMS}

    def allocate(self, shared: Mapping[str, Any] | None = None) -> Problem:
        return Replayed(super().allocate(shared))

    def reset(self, problem: Problem, source: int) -> None:
        assert isinstance(problem, Replayed)
        recording, xp = problem.recording, self.graph.xp
        if recording is None or recording.source != source:
            recording = Recording.of(self.graph, source, "cpu" if xp is np else "cuda")
            problem.recording = recording
            problem.update({name: xp.asarray(getattr(recording, name)) for name in self.recorded})
            problem["levels"] = recording.levels
        super().reset(problem, source)

    def outputs(self, problem: Problem) -> dict[str, Array]:
        assert isinstance(problem, Replayed)
        assert problem.recording is not None
        return {"labels": problem.recording.labels}


class Replay(Primitive):
    """The base of the microbenchmarks: how often a frontier is met, and what its vertices must hold
    afterwards."""

    frontier = Frontier(queued=False)

    def work(self, graph: Graph, options: Strategy, outputs: dict[str, Array]) -> Work:
        """Every edge of a frontier counts once; the rate is edges over time."""
        reached = is_reached(outputs["labels"])
        edges = graph.csr.edges_of(reached)
        depth = int(outputs["labels"].max()) if graph.n else 0
        return Work(
            int(reached.sum()),
            edges,
            edges,
            depth,
            means={"levels": depth + 1, **self.counted(outputs, int(reached.sum()) - 1, edges)},
        )

    def counted(self, outputs: dict[str, Array], found: int, edges: int) -> dict[str, float]:
        """Metrics of a run that was to find ``found`` vertices besides the source among ``edges``."""
        return {}

    def validate(
        self, graph: Graph, options: Strategy, source: int | None, outputs: Outputs
    ) -> Validation:
        """Compare the traversal with the reference's, and the kernel's output with the traversal."""
        assert source is not None
        expected = reference_labels(graph, source)
        traversal = Validation.of_vertices(REFERENCE, "labels", outputs["labels"], expected)
        if traversal.verdict == "fail":
            return traversal
        wrong = self.fault(graph, options, expected, outputs)
        return Validation("fail", REFERENCE, wrong) if wrong else traversal

    def fault(self, graph: Graph, options: Strategy, labels: Array, outputs: Outputs) -> str:
        """The output of the kernel that does not fit this traversal; empty if everything fits. All arrays
        are in the graph's memory, and ``labels`` are known to be right."""
        raise NotImplementedError


def times_met(graph: Graph, labels: Array) -> Array:
    """The number of edges from reached vertices that end at each vertex: int64, shape (n,)."""
    xp, reached = graph.xp, labels >= 0
    if graph.undirected:  # as many as begin at it
        return xp.where(reached, graph.csr.degrees(), 0).astype(np.int64)
    ends = graph.csr.column_indices[reached[graph.csr.sources()]]
    return xp.bincount(ends, minlength=graph.n)
