"""The options of PageRank: as asked, and as a run takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.renumbering import ChosenOrder, Order, Ordered, order_option

Precision = Literal["float32", "float64"]
PUSH = {"push": True}


@dataclass(frozen=True)
class PageRankOptions(Ordered, Options):
    """The options as asked."""

    damping: float = option(
        0.85,
        "The chance to follow an edge rather than to jump anywhere.",
        minimum=0.0,
        maximum=0.999,
        shared=True,
    )
    tolerance: float = option(
        1e-6,
        "Stop when an iteration's change is less than this in all (L1). The ranks sum to 1; "
        "float32 settles around 1e-7. 0: always --max-iterations.",
        minimum=0.0,
        shared=True,
    )
    max_iterations: int = option(
        50, "Stop after this many iterations (the default is Gunrock's).", minimum=0, shared=True, limit=0
    )
    weighted: bool = option(
        False,
        "Follow edges in proportion to their weights, none of which may be negative. A vertex whose "
        "out-edges weigh nothing is like one without.",
        changes_answer=True,
        own=True,
    )
    precision: Precision = option(
        "float32",
        "Of ranks and of what vertices pass on; lists are summed in float64.",
        define="GR_RANK_DOUBLE",
        changes_answer=True,
        expert=True,
    )
    push: bool = option(
        False,
        "Scatter over out-edges by atomic adds, from a frontier of all vertices, instead "
        "of gathering over in-edges. The same iterates, but for the order of additions.",
        panel="Direction",
        expert=True,
    )
    filter_converged: bool = option(
        False,
        "Push, but only from vertices whose rank has changed since they last pushed; "
        "the others leave the frontier until it has. Changes too small to push move the ranks "
        "by at most half the tolerance, and at most 5e-7, in all (L1).",
        under=PUSH,
        expert=True,
    )
    order: Order = order_option("ranks", "out-degree")
    normalized: bool = option(
        True, "Ranks that sum to 1; otherwise to n, so that the mean is 1.", changes_answer=True
    )

    @property
    def pushes(self) -> bool:
        """True if ranks are pushed, which a filter implies."""
        return self.push or self.filter_converged


@dataclass(frozen=True, kw_only=True)
class PageRankChosen(PageRankOptions):
    """The options that a run takes. ``push`` is set if it pushes in any form."""

    order: ChosenOrder
