"""PageRank on several devices: each gathers for its own vertices."""

from __future__ import annotations

from typing import Any

import numpy as np

from gunrock_cli.engine.devices import MOST_DEVICES, Sizes
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.graph.parts.partition import DEALT, Part
from gunrock_cli.operators.advance import Advance
from gunrock_cli.primitives.parts.base import InParts, Options

_ALIGNED = 64
"""Ranks; the second array of shares begins at a multiple of this: of whole lines, and of
``DEALT``."""


class PageRankInParts(InParts):
    counts_from_zero = True

    def advances(self, graph: Graph, options: Options) -> Advance:
        return Advance.NONE

    def accept(self, options: Options) -> dict[str, Any]:
        for name in ("push", "filter_converged"):
            if options[name]:
                raise UsageError(f"--{name.replace('_', '-')} is for one device; several gather")
        return dict(options)

    def within_partition(self, options: Options) -> dict[str, Any]:
        return {**options, "order": "degree" if _by_degree(options) else "graph"}

    def defines(self, options: Options) -> dict[str, str | int]:
        return {"GR_DEALT": DEALT if _by_degree(options) else 0}

    def heap(self, graph: Graph, options: Options, devices: int) -> Sizes:
        return {
            "shares": (2 * _stride(graph.n), options["precision"]),
            "totals": (3 * 2 * MOST_DEVICES, np.float64),
        }

    def problem(self, part: Part, options: Options) -> dict[str, Any]:
        xp, own = part.xp, part.last - part.first
        return {
            "ranks": xp.empty(own, options["precision"]),
            "stride": _stride(part.whole_n),
            "degrees": part.degrees,
            "long_lists": xp.empty(own, np.int32),
            "long_counts": xp.empty(2, np.int32),
            "vertices": part.whole_n,
            "passing": int((part.degrees > 0).sum()),
            "damping": options["damping"],
            "tolerance": options["tolerance"],
            "max_iterations": options["max_iterations"],
        }

    def reset(self, problem: dict[str, Any], part: Part, options: Options, source: int) -> None:
        problem["totals"].fill(0)
        problem["long_counts"].fill(0)

    def outputs(self, problem: dict[str, Any], part: Part, options: Options) -> dict[str, Array]:
        return {"ranks": problem["ranks"]}

    def finish(self, outputs: dict[str, Array], graph: Graph, options: Options) -> dict[str, Array]:
        ranks = outputs["ranks"]
        return {"ranks": ranks if options["normalized"] else ranks * ranks.dtype.type(graph.n)}


def _by_degree(options: Options) -> bool:
    return bool(options["order"] == "degree")


def _stride(n: int) -> int:
    return -(-n // _ALIGNED) * _ALIGNED
