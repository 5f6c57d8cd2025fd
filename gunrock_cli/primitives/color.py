"""Vertex coloring: neighbours have different colors, and there are few.

``colors[v]`` counts from 0. Priorities are fixed before the first vertex is colored, so the coloring is
the same in every run on every backend.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model import Array, Graph
from gunrock_cli.operators.launch_shapes import (
    CLASSED,
    GATHER,
    IN_ORDER,
    RANKED,
    SETTLE_ALONE,
    SETTLE_IN_PIECES,
)
from gunrock_cli.operators.lists import SHORT, has_short_lists, is_regular, lanes_of_lists, longest_list
from gunrock_cli.operators.scan import SCAN_CHUNKS
from gunrock_cli.primitives.base import (
    Accesses,
    Option,
    Options,
    Outputs,
    Primitive,
    Traffic,
    Validation,
    Work,
)

LONGEST_POLLED = LONGEST_CLASSED = SHORT
"""The longest list that a vertex may look through again and again; a set of colors is one word, too."""
CLASS_COUNT, DEGREE_COUNT, PARTS = 128, LONGEST_CLASSED + 1, 8192
"""For by-class: classes of priority, degrees, and parts of the vertices that are counted separately."""
MOST_IN_PIECES = 2_240_000
"""For polled: the vertices that the blocks of an H200 hold together. A GPU that holds fewer waits as if
there were more of them."""
MOST_WAITING = 2_160_000
"""The same where each vertex waits for one: a wait for every vertex in 64 KiB of each block
[D-settle-3]."""
MOST_RANKED = 1_560_000
"""The same for by-number: notes for three vertices in four in 87 KiB of each block [D-number-1]."""
NOTED = 3
"""The mean degree from which vertices note whom they wait for, where one thread looks through a list:
below it they wait for one at a time [D-pieces-1]."""
EVEN = 4
"""Where the longest list is below this multiple of a small mean, by-number takes no more colors than by
degree [D-number-1]."""
LONGEST_RANKED, UNNUMBERED = 15, 255
"""For by-number: the longest list, and the byte of a vertex without a color."""
_CLASSED = {
    "LONGEST_CLASSED": LONGEST_CLASSED,
    "CLASS_COUNT": CLASS_COUNT,
    "DEGREE_COUNT": DEGREE_COUNT,
    "PARTS": PARTS,
    "SCAN_CHUNKS": SCAN_CHUNKS,
}
_SHAPES = {"in-order": IN_ORDER, "by-class": CLASSED, "polled": SETTLE_ALONE, "by-number": RANKED}
_LIMITED = {"polled": LONGEST_POLLED, "by-class": LONGEST_CLASSED, "by-number": LONGEST_RANKED}
"""The longest list of each way that has a limit."""
_FILES = {"polled": "polled", "in-order": "in_order", "by-class": "by_class", "by-number": "by_number"}
METHODS = ("jones-plassmann", "independent-sets")


def _notes(graph: Graph) -> bool:
    return lanes_of_lists(graph) == 1 and graph.m >= NOTED * graph.n


def _is_held_in_pieces(graph: Graph, options: Options) -> bool:
    return options["waiting"] == "polled" and _notes(graph) and graph.n <= MOST_IN_PIECES


def _degrees_say_little(graph: Graph, longest: int) -> bool:
    """Whether colors are as few where degrees do not come first [D-number-1]."""
    few_and_even = graph.m < NOTED * graph.n and longest * graph.n < EVEN * graph.m
    return few_and_even or is_regular(graph)


def _waiting_for(graph: Graph) -> str:
    """The way for a graph's lists."""
    longest = longest_list(graph)
    if longest > SHORT:
        return "in-order"
    if longest <= LONGEST_RANKED and _degrees_say_little(graph, longest):
        return "by-number"
    return "polled" if has_short_lists(graph) else "by-class"


def _held(graph: Graph, options: Options) -> dict[str, str | int]:
    """What blocks keep in shared memory, if there is room: pieces of the graph, or who waits."""
    if options["waiting"] == "by-number":
        return {"GR_SHARED_CACHE": 2} if graph.n <= MOST_RANKED else {}
    if _is_held_in_pieces(graph, options):
        return {"GR_SHARED_CACHE": 2}
    waits_for_one = options["waiting"] == "polled" and lanes_of_lists(graph) == 1 and not _notes(graph)
    return {"GR_SHARED_CACHE": 1} if waits_for_one and graph.n <= MOST_WAITING else {}


class Color(Primitive):
    name = "color"
    summary = "Vertex coloring: neighbours have different colors."
    needs_source = False
    needs_undirected = True
    advance_under = None
    options = (
        Option(
            "method",
            "jones-plassmann",
            choices=METHODS,
            changes_answer=True,
            help="jones-plassmann: each vertex takes the smallest color free among its neighbours, "
            "those of largest degree first (Jones 1993). independent-sets: two colors a round, for "
            "the vertices whose random number is above or below those of all neighbours without a "
            "color (Naumov 2015): more colors.",
        ),
        Option(
            "waiting",
            "auto",
            choices=("auto", "in-order", "by-class", "polled", "by-number"),
            help="How a vertex waits for those before it, with jones-plassmann. in-order: vertices "
            "are sorted, and each waits for its neighbours before it. by-class: the same, in a "
            "hundred classes by priority, within which the smaller number goes first. polled: in the "
            "order of their numbers, each waits for one of those before it, and then looks at all "
            "again. These two are for lists of up to 63. by-number: priorities are random numbers "
            "alone, whatever the degrees, and each waits for its neighbours of greater ones; for "
            "lists of up to 15. auto: the last where no list is longer than 15 and nearly all are "
            "equally long, or their mean is below 3 and none is four times as long. Else, for lists "
            "of up to 63, polled where their mean is at most 8, and by-class where it is more; else "
            "in-order.",
        ),
        Option(
            "priority-seed",
            0,
            kind=int,
            minimum=0,
            maximum=2**32 - 1,
            changes_answer=True,
            help="Of the random numbers: another seed, another coloring.",
        ),
    )

    def check_options(self, graph: Graph, options: Options) -> dict[str, Any]:
        waiting = options["waiting"]
        if options["method"] == "independent-sets":
            if waiting != "auto":
                raise UsageError(f"--waiting {waiting} needs --method jones-plassmann")
            return {**options, "waiting": None}
        longest = longest_list(graph)
        most = _LIMITED.get(waiting, longest)
        if longest > most:
            raise UsageError(
                f"--waiting {waiting}: a vertex has {longest} edges, and {most} are "
                "the most; use --waiting in-order"
            )
        return {**options, "waiting": _waiting_for(graph) if waiting == "auto" else waiting}

    def constants(self, graph: Graph, options: Options) -> dict[str, int]:
        known = {
            "in-order": {"SCAN_CHUNKS": SCAN_CHUNKS},
            "by-class": _CLASSED,
            "polled": {"LONGEST_POLLED": LONGEST_POLLED},
            "by-number": {"LONGEST_RANKED": LONGEST_RANKED, "UNNUMBERED": UNNUMBERED},
        }
        return known.get(options["waiting"], {})

    def kernel_file(self, graph: Graph, options: Options) -> Path:
        return self.variant_file(_FILES.get(options["waiting"], "independent_sets"))

    def defines(self, graph: Graph, options: Options) -> dict[str, str | int]:
        if options["waiting"] not in _LIMITED:
            return {}
        if options["waiting"] == "by-number":
            return _held(graph, options)
        polled, notes = options["waiting"] == "polled", _notes(graph)
        noting = {"GR_NOTES": int(notes)} if polled else {}
        few = {"GR_FEW": int(longest_list(graph) < 32)} if polled and not notes else {}
        return {"GR_LANES": lanes_of_lists(graph), **noting, **few, **_held(graph, options)}

    def launch(self, graph: Graph, options: Options) -> Tuning | None:
        if _is_held_in_pieces(graph, options):
            return SETTLE_IN_PIECES
        return _SHAPES.get(options["waiting"], GATHER)

    def problem(self, graph: Graph, options: Options) -> dict[str, Array | int | float]:
        xp, n = graph.xp, graph.n
        if options["waiting"] == "by-class":
            return {
                "words": xp.empty(n, np.uint8),
                "order": xp.empty(n, np.int32),
                "by_degree": xp.empty(DEGREE_COUNT, np.uint32),
                "places": xp.empty(CLASS_COUNT * PARTS, np.uint32),
                "sums": xp.empty(SCAN_CHUNKS, np.uint64),
                "seed": options["priority_seed"],
            }
        if options["waiting"] == "by-number":
            return {
                "words": xp.empty(n, np.uint8),
                "room": xp.empty(6 * n + 4, np.uint32),
                "seed": options["priority_seed"],
            }
        found = {"colors": xp.empty(n, np.int32), "seed": options["priority_seed"]}
        if options["waiting"] == "in-order":
            degrees = longest_list(graph) + 1
            found |= {
                "order": xp.empty(n, np.int32),
                "before": xp.empty(degrees, np.uint32),
                "by_degree": xp.empty(degrees, np.uint32),
                "filled": xp.empty(n, np.uint32),
                "first": xp.empty(n, np.uint32),
                "sums": xp.empty(SCAN_CHUNKS, np.uint64),
                "tickets": xp.empty(2, np.uint32),
            }
        if options["waiting"] == "polled":
            found |= {"waits": xp.empty(2 * n if _notes(graph) else n, np.uint64)}
        return found

    def reset(self, problem: dict[str, Any], graph: Graph, options: Options, source: int) -> None:
        if "colors" in problem:
            problem["colors"].fill(-1)
        if options["waiting"] == "by-number":
            problem["words"].fill(UNNUMBERED)
        for name in problem.keys() & {"by_degree", "filled", "tickets"}:
            problem[name].fill(0)

    def outputs(self, problem: dict[str, Any], graph: Graph, options: Options) -> dict[str, Array]:
        found = problem["words" if "words" in problem else "colors"]
        return {"colors": found.astype(np.int32, copy=False)}

    def work(self, graph: Graph, options: Options, outputs: dict[str, Array]) -> Work:
        colors = outputs["colors"]
        count = int(colors.max()) + 1 if graph.n else 0
        return Work(metrics={"colors": count, "color_sum": int(colors.sum(dtype=np.int64))})

    def traffic(self, graph: Graph, options: Options, work: Work) -> Traffic:
        """Each vertex is told its color. Where that is the smallest free one, an edge for each smaller
        color shows that this color is taken."""
        greedy = options["method"] == "jones-plassmann"
        return Traffic(read=4 * int(work.metrics["color_sum"]) if greedy else 0, written=4 * graph.n)

    def accesses(self, graph: Graph, options: Options, work: Work) -> Accesses | None:
        """Every edge is read, and gathers a word of the neighbour; sorting moves eight words for every
        vertex. None where lists are read again, or in rounds."""
        if options["waiting"] != "in-order":
            return None
        row = graph.csr.row_offsets.dtype.itemsize
        return Accesses(4 * graph.m + (2 * row + 8 * 4) * graph.n, graph.m, 4 * graph.n)

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        """Whether every vertex has a color and no edge joins two of the same; loops do not count."""
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
