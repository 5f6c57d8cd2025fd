"""The options of SALSA: as asked, and as a run takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.renumbering import ChosenOrder, Order, Ordered
from gunrock_cli.primitives.two_sides import order_of_sides

RESTART = 0.15


@dataclass(frozen=True)
class SalsaOptions(Ordered, Options):
    """The options as asked."""

    variant: Literal["gather", "edges"] = option(
        "gather",
        "gather: both walks at once, over in-lists, then over out-lists. edges: an advance "
        "over a frontier of all edges, two hops, with atomics (Gunrock's listing); its work grows "
        "with the squares of the degrees. The same iterates.",
        expert=True,
    )
    seeds: str | None = option(
        None,
        "Personalized: the walk begins at these vertices, 0,5,9 or @FILE, evenly at those "
        "that have out-edges. Needs --variant gather.",
        changes_answer=True,
        lists_vertices=True,
    )
    restart: float | None = option(
        None,
        "With --seeds: the chance to begin anew there, whenever the walk comes back to the "
        f"hubs. Default {RESTART}.",
        minimum=0.0,
        maximum=1.0,
        changes_answer=True,
    )
    tolerance: float = option(
        1e-6,
        "Stop when an iteration changed hubs and authorities, which sum to 1, by less than "
        "this (L1) each. float32 settles around 1e-7. 0: always --max-iterations.",
        minimum=0.0,
    )
    max_iterations: int = option(
        50, "Stop after this many iterations, of a step forward and one back.", minimum=0, limit=0
    )
    precision: Literal["float32", "float64"] = option(
        "float32",
        "Of hubs and authorities; long lists are summed in float64.",
        define="GR_RANK_DOUBLE",
        changes_answer=True,
        expert=True,
    )
    order: Order = order_of_sides()

    @property
    def by_edges(self) -> bool:
        """True if walks take frontiers of edges."""
        return self.variant == "edges"

    @property
    def width(self) -> int:
        """Bytes that a vertex passes on: for two walks, or with seeds for one."""
        return np.dtype(self.precision).itemsize * (2 if self.seeds is None else 1)


@dataclass(frozen=True, kw_only=True)
class SalsaChosen(SalsaOptions):
    """The options that a run takes. ``seeds`` are numbers of different vertices; ``restart`` is set if
    there are seeds."""

    order: ChosenOrder
