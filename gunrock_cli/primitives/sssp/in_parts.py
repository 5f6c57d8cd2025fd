"""Shortest paths on several devices: each relaxes the edges that lead to its own vertices."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gunrock_cli.engine.devices import MOST_DEVICES
from gunrock_cli.engine.room import Room
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.advance_ahead import PADDED, lanes_log
from gunrock_cli.primitives.parts.base import InParts, bitmap_words
from gunrock_cli.primitives.parts.borders import border_heap, border_members
from gunrock_cli.primitives.sssp.distances import shown_distances, weights_of
from gunrock_cli.primitives.sssp.options import SsspChosen
from gunrock_cli.primitives.sssp.variants import Ahead, InStep, Paths
from gunrock_cli.primitives.variant import Macros, Member, Problem

_NOTE = 3
"""Words of a Note (kernels/primitives/sssp/in_parts.cuh)."""


def paths_in_parts(graph: Graph, chosen: SsspChosen) -> PathsInParts:
    """The variant on several devices that these options name."""
    if chosen.runs_ahead:
        return AheadInParts(graph, chosen)
    return BoundedInParts(graph, chosen) if chosen.bounded else InStepInParts(graph, chosen)


class PathsInParts(InParts[SsspChosen], Paths):
    """The base of all variants."""

    vertex_outputs = ("predecessors",)
    part_outputs = ("out_of_range",)

    @property
    def by_source(self) -> bool:
        return True

    @property
    def by_target(self) -> bool:
        return self.options.mark_pred or self.options.bounded

    def members(self) -> Mapping[str, Member]:
        return {"out_of_range": Room(1, np.uint32, filled=0), "source": 0}

    def outputs(self, problem: Problem) -> dict[str, Array]:
        found = {"distances": self.own(problem["distances"]), "out_of_range": problem["out_of_range"]}
        return found | ({"predecessors": problem["preds"]} if self.options.mark_pred else {})

    def finish(self, outputs: dict[str, Array]) -> dict[str, Array]:
        too_long = bool(outputs.pop("out_of_range").any())
        return {**outputs, "distances": shown_distances(self.graph, outputs["distances"], too_long)}


class InStepInParts(PathsInParts, InStep):
    """All devices relax a slice together, or everything found."""

    kernel = "sssp/in_parts"

    def heap(self, devices: int) -> Mapping[str, Room]:
        words = 2 * bitmap_words(self.graph.n) if self.options.mark_pred else 0
        return {**_told(self.graph), "explained": Room(words, np.uint32, filled=0)}

    def members(self) -> Mapping[str, Member]:
        part, own, chosen = self.part, self.owned, self.options
        return {
            **super().members(),
            "distances": self.distances,
            "queued": Room(own, np.uint32, filled=0),
            "far": Room(2 * own, np.int32) if chosen.priority_queue else None,
            "bounds": part.xp.asarray(part.bounds, dtype=np.int64),
            "stride": self.graph.n,
            "preds": Room(own, np.int32, filled=-1) if chosen.mark_pred else None,
            "bitmap_stride": bitmap_words(self.graph.n),
            "delta": weights_of(part).dtype.type(chosen.delta),
        }


class BoundedInParts(PathsInParts, InStep):
    """All devices settle together what is within a bound, then the vertices left over."""

    kernel = "sssp/bounded_in_parts"

    def heap(self, devices: int) -> Mapping[str, Room]:
        return {**_told(self.graph), "distances": self.distances}

    def members(self) -> Mapping[str, Member]:
        part, weights = self.part, weights_of(self.part)
        bound = weights.dtype.type(self.options.bound)
        return {
            **super().members(),
            "queued": Room(self.owned, np.uint32, filled=0),
            "bounds": part.xp.asarray(part.bounds, dtype=np.int64),
            "stride": self.graph.n,
            "bound": bound,
            "directed": int(part.directed),
            # devices compare bits, in which -0.0 would be the greatest
            "least": weights.min().item() + 0 if len(weights) else bound,
        }


class AheadInParts(PathsInParts, Ahead):
    """Blocks run ahead of each other, and of other devices, within a slice."""

    kernel = "sssp/ahead_in_parts"

    @property
    def defines(self) -> Macros:
        return {**super().defines, PADDED: 0}

    def heap(self, devices: int) -> Mapping[str, Room]:
        return border_heap(self.graph.n)

    def members(self) -> Mapping[str, Member]:
        part = self.part
        return {
            **super().members(),
            "distances": self.distances,
            "queued": Room(self.graph.n, np.uint32, filled=0),
            **border_members(part),
            "delta": weights_of(part).dtype.type(self.options.delta),
            "lanes_log": lanes_log(part),
        }


def _told(graph: Graph) -> Mapping[str, Room]:
    """The vertices that got closer, and their distances, for two steps in turn."""
    return {
        "received": Room(2 * graph.n, np.int32),
        "received_distances": Room(2 * graph.n, weights_of(graph).dtype),
        "notes": Room(2 * _NOTE * MOST_DEVICES, np.uint64),
    }
