"""PageRank on several devices: each gathers for its own vertices."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gunrock_cli.engine.devices import MOST_DEVICES, Sizes
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.graph.parts.partition import DEALT, Part
from gunrock_cli.operators.advance import Advance
from gunrock_cli.primitives.pagerank.options import PageRankChosen, PageRankOptions
from gunrock_cli.primitives.pagerank.variants import scaled
from gunrock_cli.primitives.parts.base import InParts

_ALIGNED = 64
"""The second array of shares begins at a multiple of this many ranks: of whole lines, and of
``DEALT``."""


class PageRankInParts(InParts):
    counts_from_zero = True

    def advances(self, graph: Graph, options: PageRankChosen) -> Advance:
        return Advance.NONE

    def accept(self, options: PageRankOptions) -> PageRankOptions:
        if options.pushes:
            given = "--push" if options.push else "--filter-converged"
            raise UsageError(f"{given} is for one device; several gather")
        return options

    def within_partition(self, options: PageRankOptions) -> PageRankOptions:
        return replace(options, order="degree" if options.order == "degree" else "graph")

    def defines(self, options: PageRankChosen) -> dict[str, str | int]:
        return {"GR_DEALT": DEALT if options.order == "degree" else 0}

    def heap(self, graph: Graph, options: PageRankChosen, devices: int) -> Sizes:
        return {
            "shares": (2 * _stride(graph.n), options.precision),
            "totals": (3 * 2 * MOST_DEVICES, np.float64),
        }

    def problem(self, part: Part, options: PageRankChosen) -> dict[str, Any]:
        xp, own = part.xp, part.last - part.first
        return {
            "ranks": xp.empty(own, options.precision),
            "stride": _stride(part.whole_n),
            "degrees": part.degrees,
            "long_lists": xp.empty(own, np.int32),
            "long_counts": xp.empty(2, np.int32),
            "vertices": part.whole_n,
            "passing": int((part.degrees > 0).sum()),
            "damping": options.damping,
            "tolerance": options.tolerance,
            "max_iterations": options.max_iterations,
        }

    def reset(self, problem: dict[str, Any], part: Part, options: PageRankChosen, source: int) -> None:
        problem["totals"].fill(0)
        problem["long_counts"].fill(0)

    def outputs(self, problem: dict[str, Any], part: Part, options: PageRankChosen) -> dict[str, Array]:
        return {"ranks": problem["ranks"]}

    def finish(
        self, outputs: dict[str, Array], graph: Graph, options: PageRankChosen
    ) -> dict[str, Array]:
        return {"ranks": scaled(outputs["ranks"], graph.n, options)}


def _stride(n: int) -> int:
    return -(-n // _ALIGNED) * _ALIGNED
