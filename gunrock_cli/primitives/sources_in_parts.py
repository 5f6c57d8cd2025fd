"""Searches from many sources on several devices: each has the whole graph, and a share of the sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array
from gunrock_cli.primitives.parts.base import InParts
from gunrock_cli.primitives.portions import InPortions
from gunrock_cli.primitives.variant import Macros, Member, Problem

JOINED = {
    **dict.fromkeys(("reached", "sums", "harmonic", "at"), "sum"),
    **dict.fromkeys(("farthest", "depths", "out_of_range"), "max"),
    "keys": "min",
}
"""The members that devices find, and how those of all are joined: what a device does not find is zero, or
stands for nothing."""


@dataclass(frozen=True, kw_only=True)
class SourcesInParts(InParts[Any]):
    """``alone`` is the variant of one device, whose kernel each device runs."""

    alone: InPortions[Any]
    everything = True
    in_order = True
    part_outputs = ("starts", "pairs", *JOINED)

    @property
    def kernel_file(self) -> Path:
        return self.alone.kernel_file

    @property
    def launch(self) -> Tuning | None:
        return self.alone.launch

    @property
    def constants(self) -> Mapping[str, int]:
        return self.alone.constants

    @property
    def defines(self) -> Macros:
        return self.alone.defines

    @property
    def by_target(self) -> bool:
        return self.alone.reads_in_edges

    def heap(self, devices: int) -> Mapping[str, Room]:
        return {}

    def members(self) -> Mapping[str, Member]:
        return self.alone.on(self.part).members()

    def start(self, problem: Problem, source: int) -> None:
        self.alone.on(self.part).start(problem, source)

    def outputs(self, problem: Problem) -> dict[str, Array]:
        return {name: problem[name] for name in self.part_outputs if problem.get(name) is not None}

    def finish(self, outputs: dict[str, Array]) -> dict[str, Array]:
        devices = max(1, len(outputs["starts"]) // max(1, self.alone.tasks))

        def joined(name: str, arrays: Array) -> Array:
            each = arrays.reshape(devices, len(arrays) // devices, *arrays.shape[1:])
            how = JOINED.get(name, "max" if arrays.dtype.kind == "i" else "min")
            return getattr(each, how)(axis=0)

        return self.alone.outputs({name: joined(name, arrays) for name, arrays in outputs.items()})
