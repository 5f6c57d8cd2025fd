"""Isolated neighbor gathering, by each of advance's strategies (Merrill 2012, section 4.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.advance import ADVANCE_MODES, BY_THRESHOLD, mode_constant
from gunrock_cli.primitives.frontier import NO_FRONTIER
from gunrock_cli.primitives.micro.base import SUMS, Replay, Replaying, Strategy, strategies, times_met
from gunrock_cli.primitives.options import option
from gunrock_cli.primitives.shown import Outputs
from gunrock_cli.primitives.variant import Member, Problem
from gunrock_cli.resources import kernels_dir

WITHOUT_TILES = ("LB", "LB_NODES")
STRATEGIES = tuple(mode for mode in ADVANCE_MODES if mode not in BY_THRESHOLD)


@dataclass(frozen=True)
class GatherOptions(Strategy):
    strategy: str = strategies(
        STRATEGIES,
        "TWC",
        "How a frontier's lists are shared out: the modes of advance. It takes the "
        "place of --advance-mode.",
        define="GR_ADVANCE_MODE",
        constants=tuple(map(mode_constant, STRATEGIES)),
    )
    tiles: Literal["dealt", "stolen"] = option(
        "dealt",
        "How blocks get tiles of as many lists as they have threads: in turn, or as each asks for its "
        "next (Merrill's tile stealing; not for LB and LB_NODES, which have none).",
        define="GR_STEALS",
        constants=("0", "1"),
    )


@dataclass(frozen=True)
class GatherChosen(GatherOptions):
    advance_mode: str = ""  # the name in records of other primitives


class Gathering(Replaying):
    kernel = kernels_dir() / "microbench" / "gather.cuh"
    recorded = ("items", "scan", "rows", "vertex_starts", "edge_starts")

    def members(self) -> Mapping[str, Member]:
        return {"sums": Room(SUMS, np.uint64, filled=0), "taken": Room(3, np.uint64, filled=0)}

    def outputs(self, problem: Problem) -> dict[str, Array]:
        return {**super().outputs(problem), "sums": problem["sums"]}


class Gather(Replay):
    name = "microbench-gather"
    summary = (
        "Load the neighbours of a recorded traversal's frontiers into registers, and nothing else "
        "(Merrill 2012, section 4.1)."
    )
    takes = GatherOptions
    frontier = NO_FRONTIER

    def plan(self, graph: Graph, asked: GatherOptions) -> Gathering:
        if asked.tiles == "stolen" and asked.strategy in WITHOUT_TILES:
            raise UsageError(f"--tiles stolen: {asked.strategy} has no tiles; leave it out")
        return Gathering(graph, GatherChosen.resolved(asked, advance_mode=asked.strategy))

    def fault(self, graph: Graph, options: Strategy, labels: Array, outputs: Outputs) -> str:
        wanted = int((times_met(graph, labels) * graph.xp.arange(graph.n)).sum())
        found = int(outputs["sums"].sum(dtype=np.uint64))
        return "" if found == wanted else f"the neighbours gathered add up to {found}, not {wanted}"


PRIMITIVE = Gather()
