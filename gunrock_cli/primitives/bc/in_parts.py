"""Betweenness centrality on several devices: each scores its own vertices."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gunrock_cli.engine.devices import MOST_DEVICES
from gunrock_cli.engine.room import Room
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.advance_ahead import PADDED, flow_lanes_log, search_lanes_log
from gunrock_cli.primitives.bc.options import BcChosen
from gunrock_cli.primitives.bc.variants import NOT_YET, Ahead, Dependencies
from gunrock_cli.primitives.parts.base import InParts, bitmap_words
from gunrock_cli.primitives.parts.borders import border_bitmap, border_heap, border_members
from gunrock_cli.primitives.variant import Macros, Member, Problem

_LEVELS = 1024
"""LEVELS of kernels/primitives/bc/in_parts.cuh."""
_NOTE = 4
"""Words of a Note (kernels/primitives/bc/in_parts.cuh)."""
_KEPT = 16
"""Bitmaps of levels (TeamLevels, kernels/operators/team_levels.cuh)."""


def scores_in_parts(graph: Graph, chosen: BcChosen) -> ScoresInParts:
    """The variant on several devices that these options name."""
    return AheadInParts(graph, chosen) if chosen.runs_ahead else InStepInParts(graph, chosen)


class ScoresInParts(InParts[BcChosen], Dependencies):
    """The base of both variants: scores of a device's own vertices."""

    @property
    def by_source(self) -> bool:
        return True

    def members(self) -> Mapping[str, Member]:
        return {
            "scores": Room(self.owned, np.float32, filled=0),
            "source": 0,
            "directed": int(self.part.directed),
        }


class InStepInParts(ScoresInParts):
    """All devices take a level together, out and back."""

    kernel = "bc/in_parts"

    @property
    def defines(self) -> Macros:
        either = self.options.switches_back
        return {"GR_AHEAD": 0, "GR_BC_PUSH": 0, "GR_BC_EITHER": int(either)}

    @property
    def outward(self) -> bool:
        return not self.graph.undirected

    def heap(self, devices: int) -> Mapping[str, Room]:
        n = self.graph.n
        return {
            "received": Room(n, np.int32),
            "divisors": Room(n, np.uint64),
            "levels": Room(_KEPT * bitmap_words(n), np.uint32, filled=0),
            "notes": Room(2 * _NOTE * MOST_DEVICES, np.uint64),
        }

    def members(self) -> Mapping[str, Member]:
        part, xp, n, own = self.part, self.part.xp, self.graph.n, self.owned
        sends_up = self.options.switches_back and not part.directed
        return {
            **super().members(),
            "labels": Room(own, np.int32, filled=-1),
            "degrees": part.degrees,
            "sums": Room(own, np.float64, filled=0) if sends_up else None,
            "sends_up": int(sends_up),
            "counts": Room(own, np.uint64, filled=0),
            "level_starts": xp.zeros(n + 2, np.int32),
            "level_edges": xp.zeros(_LEVELS, np.int64),
            "bitmap_stride": bitmap_words(n),
            "bounds": xp.asarray(part.bounds, dtype=np.int64),
        }

    def start(self, problem: Problem, source: int) -> None:
        if self.part.first <= source < self.part.last:
            problem["labels"][source - self.part.first] = 0

    def evidence(self, problem: Problem) -> dict[str, Array]:
        return {"counts": problem["counts"]}


class AheadInParts(ScoresInParts, Ahead):
    """Blocks run several levels ahead; counts and scores wait vertex by vertex, also for other
    devices."""

    kernel = "bc/ahead_in_parts"

    @property
    def defines(self) -> Macros:
        return {**super().defines, PADDED: 0}

    @property
    def both(self) -> bool:
        return not self.graph.undirected

    def heap(self, devices: int) -> Mapping[str, Room]:
        n = self.graph.n
        return {
            "counts": Room(n, np.uint64, filled=NOT_YET),
            "ratios": Room(n, np.uint64, filled=NOT_YET),
            **border_heap(n),
        }

    def members(self) -> Mapping[str, Member]:
        part, n = self.part, self.graph.n
        borders = border_members(part, either_way=True)
        return {
            **super().members(),
            "labels": Room(n, np.int32, filled=-1),
            "order": Room(self.owned, np.int32),
            "level_ends": Room(n + 1, np.int32, filled=0),
            **borders,
            "at_border": border_bitmap(part, borders["border"]),
            "run_ahead": self.options.run_ahead,
            "lanes_log": flow_lanes_log(part),
            "search_lanes_log": search_lanes_log(part),
        }

    def outputs(self, problem: Problem) -> dict[str, Array]:
        return {"scores": problem["scores"], "labels": self.own(problem["labels"])}

    def evidence(self, problem: Problem) -> dict[str, Array]:
        return {"counts": self.own(problem["counts"])}
