"""Isolated neighbour gathering, by each of advance's strategies (Merrill 2012, section 4.1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.advance import ADVANCE_MODES, mode_constant
from gunrock_cli.primitives.base import Options, Outputs
from gunrock_cli.primitives.micro.base import SUMS, Replay, strategies, times_met

STRATEGIES = tuple(mode for mode in ADVANCE_MODES if mode != "AUTO")


class Gather(Replay):
    name = "microbench-gather"
    summary = (
        "Load the neighbours of a recorded traversal's frontiers into registers, and nothing else "
        "(Merrill 2012, section 4.1)."
    )
    advance_under = None
    members = ("items", "scan", "rows", "vertex_starts", "edge_starts")
    options = (
        strategies(
            STRATEGIES,
            "TWC",
            "How a frontier's lists are shared out: the modes of advance. It takes the "
            "place of --advance-mode.",
            define="GR_ADVANCE_MODE",
            constants=tuple(map(mode_constant, STRATEGIES)),
        ),
    )

    def check_options(self, graph: Graph, options: Options) -> dict[str, Any]:
        return {**options, "advance_mode": options["strategy"]}

    def state(self, graph: Graph, options: Options) -> dict[str, Any]:
        return {"sums": graph.xp.empty(SUMS, np.uint64)}

    def clear(self, problem: dict[str, Any], options: Options, source: int) -> None:
        problem["sums"].fill(0)

    def outputs(self, problem: dict[str, Any], graph: Graph, options: Options) -> dict[str, Array]:
        return {**super().outputs(problem, graph, options), "sums": problem["sums"]}

    def fault(self, graph: Graph, options: Options, labels: Array, outputs: Outputs) -> str:
        wanted = int((times_met(graph, labels) * graph.xp.arange(graph.n)).sum())
        found = int(outputs["sums"].sum(dtype=np.uint64))
        return "" if found == wanted else f"the neighbours gathered add up to {found}, not {wanted}"


PRIMITIVE = Gather()
