"""The cost of an empty level: the barrier after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.primitives.base import Work
from gunrock_cli.primitives.frontier import NO_FRONTIER
from gunrock_cli.primitives.micro.base import Replay, Replaying, Strategy, strategies
from gunrock_cli.primitives.shown import Outputs
from gunrock_cli.primitives.variant import Macros, Member, Problem
from gunrock_cli.resources import kernels_dir

STRATEGIES = ("grid", "lone")
MOST_BLOCKS = 1 << 16


@dataclass(frozen=True)
class BarrierOptions(Strategy):
    strategy: str = strategies(
        STRATEGIES,
        "grid",
        "Who waits for whom: all blocks of the grid (with --loop host a launch for "
        "each level), or the threads of a single block that works alone.",
    )


class Stepping(Replaying):
    kernel = kernels_dir() / "microbench" / "barrier.cuh"

    @property
    def defines(self) -> Macros:
        return {"GR_SINGLE_BLOCK": int(self.options.strategy == "lone")}

    def members(self) -> Mapping[str, Member]:
        return {"arrived": Room(MOST_BLOCKS, np.uint32, filled=0), "broken": Room(1, np.uint64, filled=0)}

    def outputs(self, problem: Problem) -> dict[str, Array]:
        return {**super().outputs(problem), "broken": problem["broken"], "arrived": problem["arrived"]}


class Barrier(Replay):
    name = "microbench-barrier"
    summary = "As many empty steps as a recorded traversal has levels: what its barriers cost."
    takes = BarrierOptions
    variant = Stepping
    frontier = NO_FRONTIER

    def work(self, graph: Graph, options: Strategy, outputs: dict[str, Array]) -> Work:
        """No edge is inspected."""
        return replace(super().work(graph, options, outputs), edges_for_mteps=None)

    def fault(self, graph: Graph, options: Strategy, labels: Array, outputs: Outputs) -> str:
        broken, levels = int(outputs["broken"][0]), int(labels.max()) + 1
        if broken:
            return f"{broken} times a block was a step behind its neighbour"
        begun = int(outputs["arrived"].max())
        return "" if begun == levels else f"{begun} steps were begun, not {levels}"


PRIMITIVE = Barrier()
