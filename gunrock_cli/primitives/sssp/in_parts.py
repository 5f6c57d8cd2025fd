"""Shortest paths on several devices: each relaxes the edges that lead to its own vertices."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.engine.devices import MOST_DEVICES, Sizes
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.graph.parts.partition import Part
from gunrock_cli.operators.advance import Advance
from gunrock_cli.operators.advance_ahead import PADDED, lanes_log
from gunrock_cli.primitives.parts.base import InParts
from gunrock_cli.primitives.parts.borders import border_heap, border_members, reset_borders
from gunrock_cli.primitives.sssp.distances import INT_UNREACHED, shown_distances, weights_of
from gunrock_cli.primitives.sssp.options import SsspOptions

_NOTE = 3
"""Words of a Note (kernels/primitives/sssp/in_parts.cuh)."""


class SsspInParts(InParts):
    vertex_outputs = ("predecessors",)
    part_outputs = ("out_of_range",)

    def accept(self, options: SsspOptions) -> SsspOptions:
        if options.redundancy != "queue-id":
            raise UsageError(f"--redundancy {options.redundancy} is for one device; several use queue-id")
        if options.fusion != "on":
            raise UsageError(f"--fusion {options.fusion} is for one device; several use on")
        if not options.mark_pred:
            return options
        if options.bounded:
            raise UsageError("--direction optimized with --mark-pred is for one device; several use push")
        return replace(options, direction="push")

    def advances(self, graph: Graph, options: SsspOptions) -> Advance:
        return Advance.NONE if options.runs_ahead else Advance.BALANCED

    def kernel_file(self, primitive: str, graph: Graph, options: SsspOptions) -> Path:
        if options.runs_ahead:
            return self.variant_file(primitive, "ahead_in_parts")
        return self.variant_file(primitive, "bounded_in_parts" if options.bounded else "in_parts")

    def by_source(self, options: SsspOptions) -> bool:
        return True

    def defines(self, options: SsspOptions) -> dict[str, str | int]:
        return {PADDED: 0} if options.runs_ahead else {}

    def by_target(self, options: SsspOptions) -> bool:
        return options.mark_pred or options.bounded

    def heap(self, graph: Graph, options: SsspOptions, devices: int) -> Sizes:
        if options.runs_ahead:
            return border_heap(graph.n)
        distances = weights_of(graph).dtype
        words = 2 * _words(graph.n) if options.mark_pred else 0
        told = {
            "received": (2 * graph.n, np.int32),
            "received_distances": (2 * graph.n, distances),
            "notes": (2 * _NOTE * MOST_DEVICES, np.uint64),
        }
        if options.bounded:
            return {**told, "distances": (graph.n, distances)}
        return {**told, "explained": (words, np.uint32)}

    def problem(self, part: Part, options: SsspOptions) -> dict[str, Any]:
        xp, own, weights = part.xp, part.last - part.first, part.csr.values
        assert weights is not None
        dtype = weights.dtype
        if options.runs_ahead:
            return {
                "distances": xp.empty(part.whole_n, dtype),
                "queued": xp.empty(part.whole_n, np.uint32),
                "out_of_range": xp.zeros(1, np.uint32),
                **border_members(part),
                "source": 0,
                "delta": dtype.type(options.delta),
                "lanes_log": lanes_log(part),
            }
        if options.bounded:
            return {
                "queued": xp.empty(own, np.uint32),
                "out_of_range": xp.zeros(1, np.uint32),
                "bounds": xp.asarray(part.bounds, dtype=np.int64),
                "stride": part.whole_n,
                "source": 0,
                "bound": dtype.type(options.bound),
                "directed": int(part.directed),
                # devices compare bits, in which -0.0 would be the greatest
                "least": weights.min().item() + 0 if len(weights) else dtype.type(options.bound),
            }
        return {
            "distances": xp.empty(part.whole_n, dtype),
            "queued": xp.empty(own, np.uint32),
            "far": xp.empty(2 * own, np.int32) if options.priority_queue else None,
            "out_of_range": xp.zeros(1, np.uint32),
            "bounds": xp.asarray(part.bounds, dtype=np.int64),
            "stride": part.whole_n,
            "preds": xp.empty(own, np.int32) if options.mark_pred else None,
            "bitmap_stride": _words(part.whole_n),
            "source": 0,
            "delta": dtype.type(options.delta),
        }

    def reset(self, problem: dict[str, Any], part: Part, options: SsspOptions, source: int) -> None:
        problem["source"] = source
        distances = problem["distances"]
        distances.fill(INT_UNREACHED if distances.dtype == np.int32 else np.inf)
        distances[source] = 0
        for name, value in (("queued", 0), ("out_of_range", 0), ("explained", 0), ("preds", -1)):
            if problem.get(name) is not None:
                problem[name].fill(value)
        if options.runs_ahead:
            reset_borders(problem)

    def outputs(self, problem: dict[str, Any], part: Part, options: SsspOptions) -> dict[str, Array]:
        found = {
            "distances": problem["distances"][part.first : part.last],
            "out_of_range": problem["out_of_range"],
        }
        if options.mark_pred:
            found["predecessors"] = problem["preds"]
        return found

    def finish(self, outputs: dict[str, Array], graph: Graph, options: SsspOptions) -> dict[str, Array]:
        too_long = bool(outputs.pop("out_of_range").any())
        return {**outputs, "distances": shown_distances(graph, outputs["distances"], too_long)}


def _words(n: int) -> int:
    """Words of a bitmap, padded so that the next one begins at a multiple of 16 bytes."""
    return (n + 127) // 128 * 4
