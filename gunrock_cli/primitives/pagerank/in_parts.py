"""PageRank on several devices: each gathers for its own vertices."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gunrock_cli.engine.devices import MOST_DEVICES
from gunrock_cli.engine.room import Room
from gunrock_cli.graph.model.graph import Array
from gunrock_cli.graph.parts.partition import DEALT
from gunrock_cli.primitives.pagerank.options import PageRankChosen
from gunrock_cli.primitives.pagerank.variants import Pull, scaled
from gunrock_cli.primitives.parts.base import InParts
from gunrock_cli.primitives.variant import Macros, Member, Problem

_ALIGNED = 64
"""The second array of shares begins at a multiple of this many ranks: of whole lines, and of
``DEALT``."""


class PullInParts(InParts[PageRankChosen], Pull):
    """Every vertex gathers over its in-edges, on the device that owns it."""

    kernel = "pagerank/in_parts"
    counts_from_zero = True

    @property
    def defines(self) -> Macros:
        return {**super().defines, "GR_DEALT": DEALT if self.renumbers else 0}

    @property
    def stride(self) -> int:
        """The place of the second array of shares, after the first."""
        return -(-self.graph.n // _ALIGNED) * _ALIGNED

    def heap(self, devices: int) -> Mapping[str, Room]:
        return {
            "shares": Room(2 * self.stride, self.options.precision),
            "totals": Room(3 * 2 * MOST_DEVICES, np.float64, filled=0),
        }

    def members(self) -> Mapping[str, Member]:
        own, degrees, chosen = self.owned, self.part.degrees, self.options
        return {
            "ranks": Room(own, chosen.precision),
            "stride": self.stride,
            "degrees": degrees,
            "long_lists": Room(own, np.int32),
            "long_counts": Room(2, np.int32, filled=0),
            "vertices": self.graph.n,
            "passing": int((degrees > 0).sum()),
            "damping": chosen.damping,
            "tolerance": chosen.tolerance,
            "max_iterations": chosen.max_iterations,
        }

    def start(self, problem: Problem, source: int) -> None:
        """Do nothing: the kernel writes the first shares."""

    def outputs(self, problem: Problem) -> dict[str, Array]:
        return {"ranks": problem["ranks"]}

    def finish(self, outputs: dict[str, Array]) -> dict[str, Array]:
        return {"ranks": scaled(outputs["ranks"], self.graph.n, self.options)}
