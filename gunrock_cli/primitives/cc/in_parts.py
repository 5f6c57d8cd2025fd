"""Connected components on several devices: each builds a forest, and the devices exchange links."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gunrock_cli.engine.devices import MOST_DEVICES
from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.advance import Advance
from gunrock_cli.operators.launch_shapes import FOREST, GATHER
from gunrock_cli.operators.lists import has_no_hubs
from gunrock_cli.primitives.cc.options import CcChosen
from gunrock_cli.primitives.cc.variants import Afforest
from gunrock_cli.primitives.parts.base import InParts, bitmap_words
from gunrock_cli.primitives.references import smallest_vertices
from gunrock_cli.primitives.variant import Macros, Member, Problem

CHUNK = 1 << 20
"""Pairs that a device sends at once."""
_NO_HUB = np.uint64(2**64 - 1)
_LESSER_END = (1 << 32) - 1
"""Selects the smaller end in a word of ``Part.crossing``."""


def components_in_parts(graph: Graph, chosen: CcChosen) -> ComponentsInParts:
    """The variant on several devices that suits the graph, or the sampling asked for."""
    from_hub = chosen.from_hub or not has_no_hubs(graph)
    return FromHub(graph, chosen) if from_hub else Within(graph, chosen)


class ComponentsInParts(InParts[CcChosen], Afforest):
    """The base of both variants."""

    counts_from_zero = True
    vertex_outputs = ("components",)

    @property
    def launch(self) -> Tuning | None:
        shape = super().launch
        return FOREST if shape == GATHER else shape  # measured on one device only, as runs

    @property
    def defines(self) -> Macros:
        return {**super().defines, "GR_RUNS": 0}

    @property
    def chunk(self) -> int:
        """Pairs that a device sends at once."""
        return max(1, min(self.graph.n, CHUNK))

    def heap(self, devices: int) -> Mapping[str, Room]:
        return {
            "counts": Room(MOST_DEVICES, np.int64),
            "inbox": Room(2 * devices * self.chunk, np.uint64),
        }

    def finish(self, outputs: dict[str, Array]) -> dict[str, Array]:
        return {"components": smallest_vertices(outputs["components"], self.graph.xp)}


class FromHub(ComponentsInParts):
    """The giant component is found from the largest hub."""

    kernel = "cc/in_parts"

    @property
    def advance(self) -> Advance:
        return Advance.BALANCED

    def heap(self, devices: int) -> Mapping[str, Room]:
        return {
            **super().heap(devices),
            "inside": Room(bitmap_words(self.graph.n), np.uint32, filled=0),
            "hubs": Room(MOST_DEVICES, np.uint64, filled=_NO_HUB),
            "left": Room(2 * MOST_DEVICES, np.uint64, filled=0),
        }

    def members(self) -> Mapping[str, Member]:
        n, directed = self.graph.n, self.part.directed
        return {
            "parents": Room(n, np.int32),
            "noted": Room(bitmap_words(n), np.uint32, filled=0),
            "pairs": Room(n, np.uint64),
            "chunk": self.chunk,
            "vertices": n,
            "directed": int(directed),
            "sampling": int(not self.options.all_at_once and not directed),
        }

    def outputs(self, problem: Problem) -> dict[str, Array]:
        return {"components": self.own(problem["parents"])}


class Within(ComponentsInParts):
    """Each device links its own vertices first; the edges between parts are exchanged once."""

    kernel = "cc/afforest_in_parts"

    @property
    def within(self) -> bool:
        return True

    def heap(self, devices: int) -> Mapping[str, Room]:
        return {**super().heap(devices), "counts": Room(MOST_DEVICES, np.int64, filled=-1)}

    def members(self) -> Mapping[str, Member]:
        part, xp, n = self.part, self.part.xp, self.graph.n
        keys = xp.unique((part.crossing & np.uint64(_LESSER_END)).astype(np.int32))
        return {
            "parents": Room(part.n, np.int32),
            "others": None,
            "forest": Room(n, np.int32),
            "roots": Room(n, np.int32, filled=-1),
            "crossing": part.crossing,
            "crossing_edges": len(part.crossing),
            "keys": keys,
            "key_count": len(keys),
            "later": Room(max(0, len(keys) - self.chunk), np.uint64),
            "chunk": self.chunk,
        }

    def start(self, problem: Problem, source: int) -> None:
        for name in ("parents", "forest"):
            problem[name][...] = self.xp.arange(len(problem[name]), dtype=np.int32)

    def outputs(self, problem: Problem) -> dict[str, Array]:
        return {"components": self.own(problem["forest"])}
