"""The cost of a level that does nothing: the barrier after it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gunrock_cli.graph.model import Array, Graph
from gunrock_cli.primitives.base import Options, Outputs, Work
from gunrock_cli.primitives.micro.base import Replay, strategies

STRATEGIES = ("grid", "lone")
MOST_BLOCKS = 1 << 16


class Barrier(Replay):
    name = "microbench-barrier"
    summary = "As many empty steps as a recorded traversal has levels: what its barriers cost."
    advance_under = None
    options = (
        strategies(
            STRATEGIES,
            "grid",
            "Who waits for whom: all blocks of the grid (with --loop host a launch for "
            "each level), or the threads of a single block that works alone.",
        ),
    )

    def defines(self, graph: Graph, options: Options) -> dict[str, str | int]:
        return {"GR_SINGLE_BLOCK": int(options["strategy"] == "lone")}

    def state(self, graph: Graph, options: Options) -> dict[str, Any]:
        return {"arrived": graph.xp.empty(MOST_BLOCKS, np.uint32), "broken": graph.xp.empty(1, np.uint64)}

    def clear(self, problem: dict[str, Any], options: Options, source: int) -> None:
        problem["arrived"].fill(0)
        problem["broken"].fill(0)

    def outputs(self, problem: dict[str, Any], graph: Graph, options: Options) -> dict[str, Array]:
        return {
            **super().outputs(problem, graph, options),
            "broken": problem["broken"],
            "arrived": problem["arrived"],
        }

    def work(self, graph: Graph, options: Options, outputs: dict[str, Array]) -> Work:
        """No edge is inspected."""
        return replace(super().work(graph, options, outputs), edges_for_mteps=None)

    def fault(self, graph: Graph, options: Options, labels: Array, outputs: Outputs) -> str:
        broken, levels = int(outputs["broken"][0]), int(labels.max()) + 1
        if broken:
            return f"{broken} times a block was a step behind its neighbour"
        begun = int(outputs["arrived"].max())
        return "" if begun == levels else f"{begun} steps were begun, not {levels}"


PRIMITIVE = Barrier()
