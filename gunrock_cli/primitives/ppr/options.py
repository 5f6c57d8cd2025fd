"""The options of personalized PageRank: as asked, and as a run takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from gunrock_cli.operators.gather_rows import ROW
from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.pagerank.options import Precision
from gunrock_cli.primitives.renumbering import ChosenOrder, Order, Ordered, order_option

TOLERANCE, MAX_ITERATIONS, EPSILON, WALKS, WALK_SEED = 1e-6, 100, 1e-7, 10**6, 0
"""A run's values for options not given."""


@dataclass(frozen=True)
class PprOptions(Ordered, Options):
    """The options as asked. Options of one method are unset by default, so that they can be refused with
    the other."""

    seeds: str | None = option(
        None,
        "Begin at these, not at --src: 0,5,9, or @FILE. Each is as likely as the others; commas or "
        "blanks separate them in a file.",
        lists_vertices=True,
        shared=True,
    )
    batch: int | None = option(
        None,
        "This many seeds, each with its own ranks. They are those of --seeds, or as many "
        "vertices with out-edges, drawn at random (always the same ones).",
        minimum=1,
        maximum=ROW,
        shared=True,
    )
    method: Literal["power", "push", "walks"] = option(
        "power",
        "How ranks are found. power: power iteration, gathered over in-edges. push: from a frontier "
        "of vertices that have more than --epsilon a neighbour to pass on (Andersen 2006). "
        "walks: by where random walks end.",
        changes_answer=True,
    )
    damping: float = option(
        0.85,
        "The chance to follow an edge. A walk that does not begins again.",
        minimum=0.0,
        maximum=0.999,
        shared=True,
    )
    tolerance: float | None = option(
        None,
        "For power: stop when ranks change by less (L1). The ranks of each seed sum to 1; an "
        "iteration must change those of no seed by more in all. 0: always --max-iterations.",
        unset=TOLERANCE,
        minimum=0.0,
        shared=True,
    )
    max_iterations: int | None = option(
        None, "For power: at most so many.", unset=MAX_ITERATIONS, minimum=0, shared=True, limit=0
    )
    epsilon: float | None = option(
        None,
        "For push: kept per edge. A vertex may keep that much of what it has to pass on for each of its "
        "neighbours; the metric unsettled says how much of the ranks' sum that leaves out.",
        unset=EPSILON,
        minimum=1e-12,
        maximum=1.0,
    )
    walks: int | None = option(
        None,
        "For walks: how many. The metric error bounds how far any rank is off, with 95 % certainty.",
        unset=WALKS,
        minimum=1,
        changes_answer=True,
    )
    walk_seed: int | None = option(
        None,
        "For walks: of the random numbers.",
        unset=WALK_SEED,
        minimum=0,
        maximum=2**63 - 1,
        changes_answer=True,
        expert=True,
    )
    weighted: bool = option(
        False,
        "Follow edges in proportion to their weights. For power and walks, of one set of seeds. No "
        "weight may be negative; a vertex whose out-edges weigh nothing is like one without.",
        changes_answer=True,
        own=True,
    )
    precision: Precision = option(
        "float32",
        "Of ranks and, for power, of what vertices pass on; sums are in float64.",
        define="GR_RANK_DOUBLE",
        changes_answer=True,
        expert=True,
    )
    order: Order = order_option("ranks", "out-degree", only=", without --batch,")

    @property
    def width(self) -> int:
        """Bytes of a rank."""
        return np.dtype(self.precision).itemsize

    @property
    def pushes(self) -> bool:
        """True for the method push."""
        return self.method == "push"

    @property
    def gathers(self) -> bool:
        """True for the method power."""
        return self.method == "power"


@dataclass(frozen=True, kw_only=True)
class PprChosen(PprOptions):
    """The options that a run takes. ``seeds`` are numbers of vertices, None if each run names one; a
    batch has that many. Options of other methods are None."""

    order: ChosenOrder


def seeds_of(options: PprOptions, source: int | None) -> list[int]:
    """The seeds of a run by its resolved options, without repetition unless each has its own ranks."""
    if options.seeds is None:
        assert source is not None
        return [source]
    seeds = [int(seed) for seed in options.seeds.split(",")]
    return seeds if options.batch else sorted(set(seeds))
