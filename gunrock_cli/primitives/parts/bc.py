"""Betweenness centrality on several devices: each scores its own vertices."""

from __future__ import annotations

from typing import Any

import numpy as np

from gunrock_cli.engine.devices import MOST_DEVICES, Sizes
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model import Array, Graph
from gunrock_cli.graph.partition import Part
from gunrock_cli.primitives.parts.base import InParts, Options

_LEVELS = 1024
"""LEVELS of kernels/primitives/bc/in_parts.cuh."""
_NOTE = 3
"""Words of a Note (kernels/primitives/bc/in_parts.cuh)."""


class BcInParts(InParts):
    """``one_path``: the kernel's word for a single one."""

    def __init__(self, one_path: np.uint64) -> None:
        self._one_path = one_path

    def accept(self, options: Options) -> dict[str, Any]:
        for name, only in (("variant", "vertices"), ("frontiers", "stored")):
            if options[name] not in (only, "auto"):
                raise UsageError(f"--{name} {options[name]} is for one device; several use {only}")
        if options["backward"] == "push":
            raise UsageError("--backward push is for one device; several use pull or optimized")
        if options["run_ahead"] not in ("auto", "1"):
            raise UsageError(f"--run-ahead {options['run_ahead']}: several devices keep step; use 1")
        return {**options, "run_ahead": "1",
                "backward": "optimized" if options["backward"] == "auto" else options["backward"]}

    def by_source(self, options: Options) -> bool:
        return True

    def outward(self, graph: Graph, options: Options) -> bool:
        return not graph.undirected

    def heap(self, graph: Graph, options: Options, devices: int) -> Sizes:
        return {"told": (2 * graph.n, np.int32), "told_values": (2 * graph.n, np.uint64),
                "notes": (2 * _NOTE * MOST_DEVICES, np.uint64)}

    def problem(self, part: Part, options: Options) -> dict[str, Any]:
        xp, n, own = part.xp, part.whole_n, part.last - part.first
        sends_up = options["backward"] == "optimized" and not part.directed
        return {
            "labels": xp.empty(own, np.int32),
            "degrees": part.degrees,
            "scores": xp.empty(own, np.float32),
            "sums": xp.empty(own, np.float64) if sends_up else None,
            "sends_up": int(sends_up),
            "counts": xp.empty(n, np.uint64),
            "ratios": xp.empty(n, np.uint64),
            "order": xp.empty(own, np.int32),
            "level_starts": xp.zeros(n + 2, np.int32),
            "level_edges": xp.zeros(_LEVELS, np.int64),
            "levels": xp.empty(2 * _words(n), np.uint32),
            "bitmap_stride": _words(n),
            "bounds": xp.asarray(part.bounds, dtype=np.int64),
            "stride": n,
            "source": 0,
            "directed": int(part.directed),
        }

    def reset(self, problem: dict[str, Any], part: Part, options: Options, source: int) -> None:
        problem["source"] = source
        for name, value in (("labels", -1), ("scores", 0), ("counts", 0), ("levels", 0),
                            ("sums", 0)):
            if problem[name] is not None:
                problem[name].fill(value)
        if part.first <= source < part.last:
            problem["labels"][source - part.first] = 0
            problem["counts"][source] = self._one_path

    def outputs(self, problem: dict[str, Any], part: Part, options: Options) -> dict[str, Array]:
        return {"scores": problem["scores"], "labels": problem["labels"]}

    def evidence(self, problem: dict[str, Any], part: Part, options: Options) -> dict[str, Array]:
        return {"counts": problem["counts"][part.first : part.last]}


def _words(n: int) -> int:
    return (n + 31) // 32
