"""What all microbenchmarks share: they replay a recorded traversal and are checked against it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.launch_shapes import WHOLE_GRAPH
from gunrock_cli.primitives.base import Option, Options, Outputs, Primitive, Validation, Work
from gunrock_cli.primitives.micro.recording import Recording
from gunrock_cli.primitives.reached import is_reached
from gunrock_cli.primitives.references import reference_labels
from gunrock_cli.resources import kernels_dir

SUMS = 1024
"""As in ``kernels/microbench/replay.cuh``."""
REFERENCE = "scipy"


class Replayed(dict[str, Any]):
    """A Problem's members, and the recording that they come from."""

    recording: Recording | None = None


class Replay(Primitive):
    """A kernel over recorded frontiers, which are recorded off the clock, once for each source."""

    members: ClassVar[tuple[str, ...]] = ()
    """The members of its Problem that the recording has under the same names."""
    queue_factor = 0.0  # it has no frontier of its own
    mean_metrics: ClassVar[tuple[str, ...]] = ("levels",)

    def kernel_file(self, graph: Graph, options: Options) -> Path:
        return kernels_dir() / "microbench" / f"{self.name.rpartition('-')[2]}.cuh"

    def launch(self, graph: Graph, options: Options) -> Tuning | None:
        return WHOLE_GRAPH

    def constants(self, graph: Graph, options: Options) -> Mapping[str, int]:
        return {"SUMS": SUMS}

    def problem(self, graph: Graph, options: Options) -> dict[str, Any]:
        return Replayed(self.state(graph, options))

    def state(self, graph: Graph, options: Options) -> dict[str, Any]:
        """The members that do not come from the recording."""
        raise NotImplementedError

    def clear(self, problem: dict[str, Any], options: Options, source: int) -> None:
        """Bring these members to their initial state."""
        raise NotImplementedError

    def reset(self, problem: dict[str, Any], graph: Graph, options: Options, source: int) -> None:
        assert isinstance(problem, Replayed)
        recording = problem.recording
        if recording is None or recording.source != source:
            recording = Recording.of(graph, source, "cpu" if graph.xp is np else "cuda")
            problem.recording = recording
            problem.update({name: graph.xp.asarray(getattr(recording, name)) for name in self.members})
            problem["levels"] = recording.levels
        self.clear(problem, options, source)

    def outputs(self, problem: dict[str, Any], graph: Graph, options: Options) -> dict[str, Array]:
        assert isinstance(problem, Replayed)
        assert problem.recording is not None
        return {"labels": problem.recording.labels}

    def work(self, graph: Graph, options: Options, outputs: dict[str, Array]) -> Work:
        """Every edge of a frontier counts once; the rate is edges over time."""
        reached = is_reached(outputs["labels"])
        edges = graph.csr.edges_of(reached)
        depth = int(outputs["labels"].max()) if graph.n else 0
        return Work(
            int(reached.sum()),
            edges,
            edges,
            depth,
            metrics={"levels": depth + 1, **self.counted(outputs, int(reached.sum()) - 1, edges)},
        )

    def counted(self, outputs: dict[str, Array], found: int, edges: int) -> dict[str, Any]:
        """Metrics of a run that was to find ``found`` vertices besides the source among ``edges``."""
        return {}

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        """The traversal is compared with the reference's, and what the kernel left with the
        traversal."""
        assert source is not None
        expected = reference_labels(graph, source)
        traversal = Validation.of_vertices(REFERENCE, "labels", outputs["labels"], expected)
        if traversal.verdict == "fail":
            return traversal
        wrong = self.fault(graph, options, expected, outputs)
        return Validation("fail", REFERENCE, wrong) if wrong else traversal

    def fault(self, graph: Graph, options: Options, labels: Array, outputs: Outputs) -> str:
        """What the kernel left that does not fit this traversal; empty if everything fits. All arrays
        are in the graph's memory, and ``labels`` are known to be right."""
        raise NotImplementedError


def times_met(graph: Graph, labels: Array) -> Array:
    """How often each vertex is the end of an edge out of a reached one: int64, shape (n,)."""
    xp, reached = graph.xp, labels >= 0
    if graph.undirected:  # as often as it is the start of one
        return xp.where(reached, graph.csr.degrees(), 0).astype(np.int64)
    ends = graph.csr.column_indices[reached[graph.csr.sources()]]
    return xp.bincount(ends, minlength=graph.n)


def strategies(choices: tuple[str, ...], default: str, what: str, **attributes: Any) -> Option:
    """The option ``--strategy``."""
    return Option("strategy", default, choices=choices, help=what, panel="Strategy", **attributes)
