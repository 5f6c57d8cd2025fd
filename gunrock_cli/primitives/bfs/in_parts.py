"""Breadth-first search on several devices: each finds its own vertices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.engine.devices import MOST_DEVICES, Sizes
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.graph.parts.partition import Part
from gunrock_cli.operators.advance import Advance
from gunrock_cli.operators.advance_ahead import PADDED, search_lanes_log
from gunrock_cli.operators.launch_shapes import LEVELS
from gunrock_cli.primitives.bfs.options import BfsChosen, BfsOptions
from gunrock_cli.primitives.bfs.variants import switch_members
from gunrock_cli.primitives.parts.base import InParts
from gunrock_cli.primitives.parts.borders import border_heap, border_members, reset_borders


class BfsInParts(InParts):
    vertex_outputs = ("predecessors",)

    def launch(self, shape: Tuning | None) -> Tuning | None:
        return None if shape == LEVELS else shape  # LEVELS was measured on one device only

    def accept(self, options: BfsOptions) -> BfsOptions:
        if options.idempotence:
            raise UsageError("--idempotence is for one device; on several each vertex is claimed once")
        if options.strategy != "fused" or options.fusion != "on":
            raise UsageError(
                "--strategy and --fusion off are for one device; several run the fused advance"
            )
        return options

    def advances(self, graph: Graph, options: BfsChosen) -> Advance:
        if options.runs_ahead:
            return Advance.NONE
        return Advance.BY_MODE if options.direction == "pull" else Advance.BALANCED

    def kernel_file(self, primitive: str, graph: Graph, options: BfsChosen) -> Path:
        return self.variant_file(primitive, "ahead_in_parts" if options.runs_ahead else "in_parts")

    def defines(self, options: BfsChosen) -> dict[str, str | int]:
        return {PADDED: 0} if options.runs_ahead else {}

    def by_source(self, options: BfsOptions) -> bool:
        return bool(options.direction != "pull")

    def by_target(self, options: BfsOptions) -> bool:
        return bool(options.direction != "push" or (options.runs_ahead and options.mark_pred))

    def heap(self, graph: Graph, options: BfsOptions, devices: int) -> Sizes:
        if options.runs_ahead:
            return border_heap(graph.n)
        return {"bitmaps": (3 * _words(graph.n), np.uint32), "sizes": (3 * 3 * MOST_DEVICES, np.uint64)}

    def problem(self, part: Part, options: BfsChosen) -> dict[str, Any]:
        xp, own = part.xp, part.last - part.first
        if options.runs_ahead:
            return {
                "labels": xp.empty(part.whole_n, np.int32),
                "preds": xp.empty(own, np.int32) if options.mark_pred else None,
                **border_members(part),
                "source": 0,
                "run_ahead": options.run_ahead,
                "lanes_log": search_lanes_log(part),
            }
        return {
            "labels": xp.empty(own, np.int32),
            "preds": xp.empty(own, np.int32) if options.mark_pred else None,
            "degrees": part.degrees if part.directed or not self.by_target(options) else None,
            "bitmap_stride": _words(part.whole_n),
            "source": 0,
            **switch_members(options),
        }

    def reset(self, problem: dict[str, Any], part: Part, options: BfsChosen, source: int) -> None:
        problem["source"] = source
        for name, value in (("labels", -1), ("preds", -1), ("bitmaps", 0), ("sizes", 0)):
            if problem.get(name) is not None:
                problem[name].fill(value)
        if options.runs_ahead:
            reset_borders(problem)
            problem["labels"][source] = 0
        elif part.first <= source < part.last:
            problem["labels"][source - part.first] = 0

    def outputs(self, problem: dict[str, Any], part: Part, options: BfsChosen) -> dict[str, Array]:
        labels = problem["labels"]
        found = {"labels": labels[part.first : part.last] if options.runs_ahead else labels}
        if options.mark_pred:
            found["predecessors"] = problem["preds"]
        return found


def _words(n: int) -> int:
    """Words of a bitmap, padded so that the next one begins at a multiple of 16 bytes."""
    return (n + 127) // 128 * 4
