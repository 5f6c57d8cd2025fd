"""Breadth-first search on several devices: each finds its own vertices."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gunrock_cli.engine.devices import MOST_DEVICES
from gunrock_cli.engine.room import Room
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.advance_ahead import PADDED, search_lanes_log
from gunrock_cli.primitives.bfs.options import BfsChosen
from gunrock_cli.primitives.bfs.variants import Ahead, InStep, Search, switch_members
from gunrock_cli.primitives.parts.base import InParts, bitmap_words
from gunrock_cli.primitives.parts.borders import border_heap, border_members
from gunrock_cli.primitives.variant import Macros, Member, Problem


def search_in_parts(graph: Graph, chosen: BfsChosen) -> SearchInParts:
    """The variant on several devices that these options name."""
    return AheadInParts(graph, chosen) if chosen.runs_ahead else InStepInParts(graph, chosen)


class SearchInParts(InParts[BfsChosen], Search):
    """The base of both variants: parents of a device's own vertices."""

    vertex_outputs = ("predecessors",)

    def members(self) -> Mapping[str, Member]:
        preds = Room(self.owned, np.int32, filled=-1) if self.options.mark_pred else None
        return {"preds": preds, "source": 0}


class InStepInParts(SearchInParts, InStep):
    """All devices take a level together, pushing or pulling."""

    kernel = "bfs/in_parts"

    @property
    def launch(self) -> None:
        """The largest blocks: other shapes were measured on one device only."""

    @property
    def by_source(self) -> bool:
        return not self.options.only_pulls

    @property
    def by_target(self) -> bool:
        return not self.options.only_pushes

    def heap(self, devices: int) -> Mapping[str, Room]:
        return {
            "bitmaps": Room(3 * bitmap_words(self.graph.n), np.uint32, filled=0),
            "sizes": Room(3 * 4 * MOST_DEVICES, np.uint64, filled=0),
        }

    def members(self) -> Mapping[str, Member]:
        part = self.part
        return {
            **super().members(),
            "labels": Room(self.owned, np.int32, filled=-1),
            "degrees": part.degrees if part.directed or not self.by_target else None,
            "bitmap_stride": bitmap_words(self.graph.n),
            **switch_members(self.options),
        }

    def start(self, problem: Problem, source: int) -> None:
        if self.part.first <= source < self.part.last:
            problem["labels"][source - self.part.first] = 0


class AheadInParts(SearchInParts, Ahead):
    """Blocks run several levels ahead of each other, and of other devices, between two exchanges."""

    kernel = "bfs/ahead_in_parts"

    @property
    def defines(self) -> Macros:
        return {**super().defines, PADDED: 0}

    @property
    def by_source(self) -> bool:
        return True

    @property
    def by_target(self) -> bool:
        return self.options.mark_pred

    def heap(self, devices: int) -> Mapping[str, Room]:
        return border_heap(self.graph.n)

    def members(self) -> Mapping[str, Member]:
        return {
            **super().members(),
            "labels": Room(self.graph.n, np.int32, filled=-1),
            **border_members(self.part),
            "run_ahead": self.options.run_ahead,
            "lanes_log": search_lanes_log(self.part),
        }

    def outputs(self, problem: Problem) -> dict[str, Array]:
        return {**super().outputs(problem), "labels": self.own(problem["labels"])}
