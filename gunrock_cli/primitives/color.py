"""Vertex coloring: neighbors have different colors, and there are few colors.

``colors[v]`` counts from 0. Priorities are fixed before the first vertex is colored, so the coloring is
the same in every run on every backend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.launch_shapes import CLASSED, GATHER, IN_ORDER, RANKED, SETTLE_ALONE
from gunrock_cli.operators.lists import SHORT, has_short_lists, is_regular, lanes_of_lists, longest_list
from gunrock_cli.operators.scan import SCAN_CHUNKS
from gunrock_cli.primitives.base import Accesses, Primitive, Traffic, Validation, Work
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs
from gunrock_cli.primitives.variant import Macros, Member, Problem, Variant

LONGEST_POLLED = LONGEST_CLASSED = SHORT
"""The longest list that a vertex may look through repeatedly; a set of colors is also one word."""
CLASS_COUNT, DEGREE_COUNT, PARTS = 128, LONGEST_CLASSED + 1, 8192
"""Numbers for by-class: classes of priority, degrees, and parts of the vertices that are counted
separately."""
MOST_WAITING = 2_160_000
"""The limit for polled with waits in shared memory: a wait per vertex in 64 KiB of each block
[D-settle-3]."""
MOST_RANKED = 1_560_000
"""The limit for by-number: notes for three vertices in four in 87 KiB of each block [D-number-1]."""
FEW, EVEN = 3, 4
"""If the mean degree is below the first and the longest list below the second's multiple of it, by-number
takes no more colors than by degree [D-number-1]."""
LONGEST_RANKED, UNNUMBERED = 15, 255
"""Numbers for by-number: the longest list, and the byte of a vertex without a color."""
_LIMITED = {"polled": LONGEST_POLLED, "by-class": LONGEST_CLASSED, "by-number": LONGEST_RANKED}
"""The longest list of each limited way."""

Waiting = Literal["in-order", "by-class", "polled", "by-number"]


@dataclass(frozen=True)
class ColorOptions(Options):
    """The options of a coloring."""

    method: Literal["jones-plassmann", "independent-sets"] = option(
        "jones-plassmann",
        "How colors are chosen. jones-plassmann: each vertex takes the smallest color free among "
        "its neighbours, those of largest degree first (Jones 1993). independent-sets: two colors a "
        "round, for the vertices whose random number is above or below those of all neighbours without a "
        "color (Naumov 2015): more colors.",
        changes_answer=True,
    )
    waiting: Literal["auto", "in-order", "by-class", "polled", "by-number"] = option(
        "auto",
        "How a vertex waits for those before it, with jones-plassmann. in-order: vertices "
        "are sorted, and each waits for its neighbours before it. by-class: the same, in a "
        "hundred classes by priority, within which the smaller number goes first. polled: in the "
        "order of their numbers, each waits for one of those before it, and then looks at all "
        "again. These two are for lists of up to 63. by-number: priorities are random numbers "
        "alone, whatever the degrees, and each waits for its neighbours of greater ones; for "
        "lists of up to 15. auto: the last where no list is longer than 15 and nearly all are "
        "equally long, or their mean is below 3 and none is four times as long. Else, for lists "
        "of up to 63, polled where their mean is at most 8, by-class for the others; else in-order.",
        expert=True,
    )
    priority_seed: int = option(
        0,
        "Of the random numbers: another seed, another coloring.",
        minimum=0,
        maximum=2**32 - 1,
        changes_answer=True,
    )


@dataclass(frozen=True, kw_only=True)
class ColorChosen(ColorOptions):
    """The options that a run takes; with independent sets no vertex waits."""

    waiting: Waiting | None  # type: ignore[assignment]


def choose(graph: Graph, asked: ColorOptions) -> ColorChosen:
    """Resolve ``auto`` for this graph; UsageError for a way whose limit its lists exceed."""
    waiting = asked.waiting
    if asked.method == "independent-sets":
        if waiting != "auto":
            raise UsageError(f"--waiting {waiting} needs --method jones-plassmann")
        return ColorChosen.resolved(asked, waiting=None)
    longest = longest_list(graph)
    most = _LIMITED.get(waiting, longest)
    if longest > most:
        raise UsageError(
            f"--waiting {waiting}: a vertex has {longest} edges, and {most} are "
            "the most; use --waiting in-order"
        )
    return ColorChosen.resolved(asked, waiting=_waiting_for(graph) if waiting == "auto" else waiting)


def _waiting_for(graph: Graph) -> Waiting:
    """The way to wait that suits a graph's lists [D-classes-1]."""
    longest = longest_list(graph)
    if longest > SHORT:
        return "in-order"
    if longest <= LONGEST_RANKED and _degrees_say_little(graph, longest):
        return "by-number"
    return "polled" if has_short_lists(graph) else "by-class"


def _degrees_say_little(graph: Graph, longest: int) -> bool:
    """True if there are as few colors when degrees do not come first [D-number-1]."""
    few_and_even = graph.m < FEW * graph.n and longest * graph.n < EVEN * graph.m
    return few_and_even or is_regular(graph)


class Coloring(Variant[ColorChosen]):
    """The base of all ways; it draws two independent sets per round."""

    kernel = "color/independent_sets"

    @property
    def launch(self) -> Tuning:
        return GATHER

    def members(self) -> Mapping[str, Member]:
        return {"colors": Room(self.graph.n, np.int32, filled=-1), "seed": self.options.priority_seed}

    def outputs(self, problem: Problem) -> dict[str, Array]:
        found = problem["words" if "words" in problem else "colors"]
        return {"colors": found.astype(np.int32, copy=False)}


class InOrder(Coloring):
    """Vertices are sorted, and each waits for its neighbors before it."""

    kernel = "color/in_order"

    @property
    def launch(self) -> Tuning:
        return IN_ORDER

    @property
    def constants(self) -> Mapping[str, int]:
        return {"SCAN_CHUNKS": SCAN_CHUNKS}

    def members(self) -> Mapping[str, Member]:
        n, degrees = self.graph.n, longest_list(self.graph) + 1
        return {
            **super().members(),
            "order": Room(n, np.int32),
            "before": Room(degrees, np.uint32),
            "by_degree": Room(degrees, np.uint32, filled=0),
            "filled": Room(n, np.uint32, filled=0),
            "first": Room(n, np.uint32),
            "sums": Room(SCAN_CHUNKS, np.uint64),
            "tickets": Room(2, np.uint32, filled=0),
        }


class ByClass(Coloring):
    """Vertices are sorted into classes of priority, within which the smaller number goes first."""

    kernel = "color/by_class"

    @property
    def launch(self) -> Tuning:
        return CLASSED

    @property
    def constants(self) -> Mapping[str, int]:
        return {
            "LONGEST_CLASSED": LONGEST_CLASSED,
            "CLASS_COUNT": CLASS_COUNT,
            "DEGREE_COUNT": DEGREE_COUNT,
            "PARTS": PARTS,
            "SCAN_CHUNKS": SCAN_CHUNKS,
        }

    @property
    def defines(self) -> Macros:
        return {"GR_LANES": lanes_of_lists(self.graph)}

    def members(self) -> Mapping[str, Member]:
        n = self.graph.n
        return {
            "words": Room(n, np.uint8),
            "order": Room(n, np.int32),
            "by_degree": Room(DEGREE_COUNT, np.uint32, filled=0),
            "places": Room(CLASS_COUNT * PARTS, np.uint32),
            "sums": Room(SCAN_CHUNKS, np.uint64),
            "seed": self.options.priority_seed,
        }


class Polled(Coloring):
    """Each vertex waits for one of its neighbors that go first, then looks at all again. If there is
    room, blocks keep in shared memory who waits for whom."""

    kernel = "color/polled"

    @property
    def constants(self) -> Mapping[str, int]:
        return {"LONGEST_POLLED": LONGEST_POLLED}

    @property
    def launch(self) -> Tuning:
        return SETTLE_ALONE

    @property
    def defines(self) -> Macros:
        lanes = lanes_of_lists(self.graph)
        fits = lanes == 1 and self.graph.n <= MOST_WAITING
        return {
            "GR_LANES": lanes,
            "GR_FEW": int(longest_list(self.graph) < 32),
            **({"GR_SHARED_CACHE": 1} if fits else {}),
        }

    def members(self) -> Mapping[str, Member]:
        return {**super().members(), "waits": Room(self.graph.n, np.uint64)}


class ByNumber(Coloring):
    """Priorities are random numbers alone, and each vertex waits for its neighbors of greater
    priority."""

    kernel = "color/by_number"

    @property
    def launch(self) -> Tuning:
        return RANKED

    @property
    def constants(self) -> Mapping[str, int]:
        return {"LONGEST_RANKED": LONGEST_RANKED, "UNNUMBERED": UNNUMBERED}

    @property
    def defines(self) -> Macros:
        return {"GR_SHARED_CACHE": 2} if self.graph.n <= MOST_RANKED else {}

    def members(self) -> Mapping[str, Member]:
        n = self.graph.n
        return {
            "words": Room(n, np.uint8, filled=UNNUMBERED),
            "room": Room(6 * n + 4, np.uint32),
            "seed": self.options.priority_seed,
        }


_WAYS: Mapping[Waiting | None, type[Coloring]] = {
    None: Coloring,
    "in-order": InOrder,
    "by-class": ByClass,
    "polled": Polled,
    "by-number": ByNumber,
}


class Color(Primitive):
    name = "color"
    summary = "Vertex coloring: neighbours have different colors."
    takes = ColorOptions
    source = None
    needs = Needs(undirected=True)
    frontier = Frontier(advance_under=None)

    def plan(self, graph: Graph, asked: ColorOptions) -> Coloring:
        chosen = choose(graph, asked)
        return _WAYS[chosen.waiting](graph, chosen)

    def work(self, graph: Graph, options: ColorOptions, outputs: dict[str, Array]) -> Work:
        colors = outputs["colors"]
        count = int(colors.max()) + 1 if graph.n else 0
        return Work(metrics={"colors": count, "color_sum": int(colors.sum(dtype=np.int64))})

    def traffic(self, graph: Graph, options: ColorOptions, work: Work) -> Traffic:
        """Each vertex is told its color. If that is the smallest free color, an edge for each smaller
        color shows that it is taken."""
        greedy = options.method == "jones-plassmann"
        return Traffic(read=4 * int(work.metrics["color_sum"]) if greedy else 0, written=4 * graph.n)

    def accesses(self, graph: Graph, options: ColorOptions, work: Work) -> Accesses | None:
        """Every edge is read, and gathers a word of the neighbor; sorting moves eight words per vertex.
        None if lists are read again, or in rounds."""
        if options.waiting != "in-order":
            return None
        row = graph.csr.row_offsets.dtype.itemsize
        return Accesses(4 * graph.m + (2 * row + 8 * 4) * graph.n, graph.m, 4 * graph.n)

    def validate(
        self, graph: Graph, options: ColorOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        """Check that every vertex has a color and no edge joins two of the same; loops do not count."""
        reference = "definition"
        colors = np.asarray(outputs["colors"])
        if colors.shape != (graph.n,) or (colors < 0).any():
            return Validation(
                "fail", reference, f"colors: expected a number from 0 on for each of {graph.n} vertices"
            )
        csr = graph.csr
        sources, targets = csr.sources(), csr.column_indices
        wrong = np.flatnonzero((colors[sources] == colors[targets]) & (sources != targets))
        if len(wrong):
            shown = "; ".join(f"{sources[e]} - {targets[e]}: {colors[sources[e]]}" for e in wrong[:5])
            return Validation("fail", reference, f"{len(wrong)} edges have ends of one color: {shown}")
        return Validation("pass", reference)


PRIMITIVE = Color()
