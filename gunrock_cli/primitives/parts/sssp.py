"""Shortest paths on several devices: each relaxes the edges that lead to its own vertices."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.engine.devices import MOST_DEVICES, Sizes
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model import Array, Graph
from gunrock_cli.graph.partition import Part
from gunrock_cli.operators.advance import Advance
from gunrock_cli.operators.advance_ahead import ALONE, PADDED, lanes_log
from gunrock_cli.primitives.parts.base import InParts, Options
from gunrock_cli.primitives.parts.borders import border_heap, border_members, reset_borders

_NOTE = 3
"""Words of a Note (kernels/primitives/sssp/in_parts.cuh)."""


class SsspInParts(InParts):
    """``unreached``: the kernel's distance for unreached vertices, with integer weights; ``shown`` makes
    an answer from a graph, the kernel's distances, and whether a path was too long for their type."""

    vertex_outputs = ("predecessors",)
    part_outputs = ("out_of_range",)

    def __init__(self, unreached: int, shown: Callable[[Graph, Array, bool], Array]) -> None:
        self._unreached, self._shown = unreached, shown

    def accept(self, options: Options) -> dict[str, Any]:
        for name, only in (("redundancy", "queue-id"), ("fusion", "on")):
            if options[name] not in (only, "auto"):
                raise UsageError(f"--{name} {options[name]} is for one device; several use {only}")
        options = {**options, ALONE: False}
        if not options["mark_pred"]:
            return options
        if options["direction"] == "optimized":
            raise UsageError("--direction optimized with --mark-pred is for one device; several use push")
        return {**options, "direction": "push"}

    def advances(self, graph: Graph, options: Options) -> Advance:
        return Advance.NONE if _runs_ahead(options) else Advance.BALANCED

    def kernel_file(self, primitive: str, graph: Graph, options: Options) -> Path:
        return self.variant_file(
            primitive,
            "ahead_in_parts"
            if _runs_ahead(options)
            else "bounded_in_parts"
            if _is_bounded(options)
            else "in_parts",
        )

    def by_source(self, options: Options) -> bool:
        return True

    def defines(self, options: Options) -> dict[str, str | int]:
        return {PADDED: 0} if _runs_ahead(options) else {}

    def by_target(self, options: Options) -> bool:
        return bool(options["mark_pred"]) or _is_bounded(options)

    def heap(self, graph: Graph, options: Options, devices: int) -> Sizes:
        if _runs_ahead(options):
            return border_heap(graph.n)
        distances = graph.csr.values.dtype  # type: ignore[union-attr]
        words = 2 * _words(graph.n) if options["mark_pred"] else 0
        told = {
            "received": (2 * graph.n, np.int32),
            "received_distances": (2 * graph.n, distances),
            "notes": (2 * _NOTE * MOST_DEVICES, np.uint64),
        }
        if _is_bounded(options):
            return {**told, "distances": (graph.n, distances)}
        return {**told, "explained": (words, np.uint32)}

    def problem(self, part: Part, options: Options) -> dict[str, Any]:
        xp, own = part.xp, part.last - part.first
        dtype = part.csr.values.dtype  # type: ignore[union-attr]
        if _runs_ahead(options):
            return {
                "distances": xp.empty(part.whole_n, dtype),
                "queued": xp.empty(part.whole_n, np.uint32),
                "out_of_range": xp.zeros(1, np.uint32),
                **border_members(part),
                "source": 0,
                "delta": dtype.type(options["delta"]),
                "lanes_log": lanes_log(part),
            }
        if _is_bounded(options):
            weights = part.csr.values
            assert weights is not None
            return {
                "queued": xp.empty(own, np.uint32),
                "out_of_range": xp.zeros(1, np.uint32),
                "bounds": xp.asarray(part.bounds, dtype=np.int64),
                "stride": part.whole_n,
                "source": 0,
                "bound": dtype.type(options["bound"]),
                "directed": int(part.directed),
                # As bits, by which devices compare them, -0.0 would be the greatest of all.
                "least": weights.min().item() + 0 if len(weights) else dtype.type(options["bound"]),
            }
        return {
            "distances": xp.empty(part.whole_n, dtype),
            "queued": xp.empty(own, np.uint32),
            "far": xp.empty(2 * own, np.int32) if options["priority_queue"] else None,
            "out_of_range": xp.zeros(1, np.uint32),
            "bounds": xp.asarray(part.bounds, dtype=np.int64),
            "stride": part.whole_n,
            "preds": xp.empty(own, np.int32) if options["mark_pred"] else None,
            "bitmap_stride": _words(part.whole_n),
            "source": 0,
            "delta": dtype.type(options["delta"]),
        }

    def reset(self, problem: dict[str, Any], part: Part, options: Options, source: int) -> None:
        problem["source"] = source
        distances = problem["distances"]
        distances.fill(self._unreached if distances.dtype == np.int32 else np.inf)
        distances[source] = 0
        for name, value in (("queued", 0), ("out_of_range", 0), ("explained", 0), ("preds", -1)):
            if problem.get(name) is not None:
                problem[name].fill(value)
        if _runs_ahead(options):
            reset_borders(problem)

    def outputs(self, problem: dict[str, Any], part: Part, options: Options) -> dict[str, Array]:
        found = {
            "distances": problem["distances"][part.first : part.last],
            "out_of_range": problem["out_of_range"],
        }
        if options["mark_pred"]:
            found["predecessors"] = problem["preds"]
        return found

    def finish(self, outputs: dict[str, Array], graph: Graph, options: Options) -> dict[str, Array]:
        too_long = bool(outputs.pop("out_of_range").any())
        return {**outputs, "distances": self._shown(graph, outputs["distances"], too_long)}


def _is_bounded(options: Options) -> bool:
    return bool(options.get("direction") == "optimized")


def _runs_ahead(options: Options) -> bool:
    return bool(options.get("run_ahead") == "on")


def _words(n: int) -> int:
    """Words of a bitmap, padded so that the next one begins at a multiple of 16 bytes."""
    return (n + 127) // 128 * 4
