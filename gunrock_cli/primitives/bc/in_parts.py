"""Betweenness centrality on several devices: each scores its own vertices."""

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
from gunrock_cli.operators.advance_ahead import PADDED, flow_lanes_log, search_lanes_log
from gunrock_cli.operators.launch_shapes import LEVELS
from gunrock_cli.primitives.bc.options import BcOptions
from gunrock_cli.primitives.bc.variants import NOT_YET, ONE_PATH
from gunrock_cli.primitives.parts.base import InParts
from gunrock_cli.primitives.parts.borders import border_bitmap, border_heap, border_members, reset_borders

_LEVELS = 1024
"""LEVELS of kernels/primitives/bc/in_parts.cuh."""
_NOTE = 4
"""Words of a Note (kernels/primitives/bc/in_parts.cuh)."""
_KEPT = 16
"""Bitmaps of levels (TeamLevels, kernels/operators/team_levels.cuh)."""


class BcInParts(InParts):
    def launch(self, shape: Tuning | None) -> Tuning | None:
        return None if shape == LEVELS else shape  # LEVELS was measured on one device only

    def accept(self, options: BcOptions) -> BcOptions:
        if options.variant != "vertices":
            raise UsageError(f"--variant {options.variant} is for one device; several use vertices")
        if options.frontiers != "stored":
            raise UsageError(f"--frontiers {options.frontiers} is for one device; several use stored")
        if options.backward == "push":
            raise UsageError("--backward push is for one device; several use pull or optimized")
        return options

    def advances(self, graph: Graph, options: BcOptions) -> Advance:
        return Advance.NONE if options.runs_ahead else Advance.BALANCED

    def kernel_file(self, primitive: str, graph: Graph, options: BcOptions) -> Path:
        return self.variant_file(primitive, "ahead_in_parts" if options.runs_ahead else "in_parts")

    def defines(self, options: BcOptions) -> dict[str, str | int]:
        return {PADDED: 0} if options.runs_ahead else {}

    def by_source(self, options: BcOptions) -> bool:
        return True

    def outward(self, graph: Graph, options: BcOptions) -> bool:
        return not graph.undirected and not options.runs_ahead

    def both(self, graph: Graph, options: BcOptions) -> bool:
        return not graph.undirected and options.runs_ahead

    def heap(self, graph: Graph, options: BcOptions, devices: int) -> Sizes:
        if options.runs_ahead:
            return {
                "counts": (graph.n, np.uint64),
                "ratios": (graph.n, np.uint64),
                **border_heap(graph.n),
            }
        return {
            "received": (graph.n, np.int32),
            "divisors": (graph.n, np.uint64),
            "levels": (_KEPT * _words(graph.n), np.uint32),
            "notes": (2 * _NOTE * MOST_DEVICES, np.uint64),
        }

    def problem(self, part: Part, options: BcOptions) -> dict[str, Any]:
        xp, n, own = part.xp, part.whole_n, part.last - part.first
        if options.runs_ahead:
            members = border_members(part, either_way=True)
            return {
                "labels": xp.empty(n, np.int32),
                "scores": xp.empty(own, np.float32),
                "order": xp.empty(own, np.int32),
                "level_ends": xp.empty(n + 1, np.int32),
                **members,
                "at_border": border_bitmap(part, members["border"]),
                "source": 0,
                "directed": int(part.directed),
                "run_ahead": options.run_ahead,
                "lanes_log": flow_lanes_log(part),
                "search_lanes_log": search_lanes_log(part),
            }
        sends_up = options.backward == "optimized" and not part.directed
        return {
            "labels": xp.empty(own, np.int32),
            "degrees": part.degrees,
            "scores": xp.empty(own, np.float32),
            "sums": xp.empty(own, np.float64) if sends_up else None,
            "sends_up": int(sends_up),
            "counts": xp.empty(own, np.uint64),
            "level_starts": xp.zeros(n + 2, np.int32),
            "level_edges": xp.zeros(_LEVELS, np.int64),
            "bitmap_stride": _words(n),
            "bounds": xp.asarray(part.bounds, dtype=np.int64),
            "source": 0,
            "directed": int(part.directed),
        }

    def reset(self, problem: dict[str, Any], part: Part, options: BcOptions, source: int) -> None:
        problem["source"] = source
        if options.runs_ahead:
            for name, value in (
                ("labels", -1),
                ("scores", 0),
                ("counts", NOT_YET),
                ("ratios", NOT_YET),
                ("level_ends", 0),
            ):
                problem[name].fill(value)
            reset_borders(problem)
            problem["labels"][source] = 0
            problem["counts"][source] = ONE_PATH
            return
        for name, value in (("labels", -1), ("scores", 0), ("counts", 0), ("levels", 0), ("sums", 0)):
            if problem[name] is not None:
                problem[name].fill(value)
        if part.first <= source < part.last:
            problem["labels"][source - part.first] = 0

    def outputs(self, problem: dict[str, Any], part: Part, options: BcOptions) -> dict[str, Array]:
        labels = problem["labels"]
        return {
            "scores": problem["scores"],
            "labels": labels[part.first : part.last] if options.runs_ahead else labels,
        }

    def evidence(self, problem: dict[str, Any], part: Part, options: BcOptions) -> dict[str, Array]:
        counts = problem["counts"]
        return {"counts": counts[part.first : part.last] if options.runs_ahead else counts}


def _words(n: int) -> int:
    """Words of a bitmap, padded so that the next one begins at a multiple of 16 bytes."""
    return (n + 127) // 128 * 4
