"""Communities of high modularity by Louvain's method: moving vertices and contracting, level by level."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import InputError
from gunrock_cli.graph.model.graph import Array, Graph, to_numpy
from gunrock_cli.operators.contraction import GIANT_LEAST
from gunrock_cli.operators.launch_shapes import BY_KEY
from gunrock_cli.operators.scan import SCAN_CHUNKS
from gunrock_cli.primitives.base import Primitive, Validation, Work
from gunrock_cli.primitives.edge_weights import check_weights
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs, Shown
from gunrock_cli.primitives.variant import Macros, Member, Problem, Variant

LEVEL_WORDS, WITHIN, SQUARES, PLACE_OF, SOURCES, STANDING, KEPT = 9, 1, 2, 6, 7, 8, 2
"""Words that the kernel keeps per level in ``sizes``, and their places: its enumerators of the same
names."""
SHARES = 4
"""Rounds of an iteration: of this many consecutive vertices, one decides in each round."""
NARROW_BITS, WIDE_BITS = 62, 126
"""The bits that exact gains may take of 64 and of 128."""
RATIO_BITS = 20
"""The resolution is rounded to a multiple of 2**-RATIO_BITS."""
FLOAT_BITS = 52
"""Float weights are rounded so that their total is an integer of about this many bits."""


@dataclass(frozen=True)
class LouvainOptions(Options):
    """The options of a search for communities."""

    resolution: float = option(
        1.0,
        "Larger: more, smaller communities. Rounded to a multiple of 2^-20.",
        minimum=0.0,
        maximum=1000.0,
        shared=True,
    )
    threshold: float = option(
        1e-4,
        "Another level only where the last one added at least this to modularity.",
        minimum=0.0,
        maximum=1.0,
    )
    max_levels: int = option(32, "Stop after this many levels.", minimum=1, maximum=1000, limit=1)
    refine: int = option(
        0,
        "Then go through the levels again, moving vertices and ever larger parts of the "
        "communities found between them, and so on, so many times at most. Higher modularity, "
        "in more time.",
        minimum=0,
        maximum=100,
        limit=2,
    )
    order_seed: int = option(
        0,
        "Of the order in which vertices decide: another seed, other communities, the same in every run.",
        minimum=0,
        maximum=2**32 - 1,
        changes_answer=True,
        python="seed",
    )
    max_iterations: int = option(
        20,
        "Stop moving vertices in a level after so many times round them all.",
        minimum=1,
        expert=True,
        limit=0,
    )
    few_moves: int = option(
        64,
        "Or after a time in which at most 1 in this many of them has moved (in 16 times as "
        "many, where levels refine).",
        minimum=1,
        expert=True,
    )


class Moving(Variant[LouvainOptions]):
    """Local moving and contraction, level by level."""

    kernel = "louvain"

    @cached_property
    def scale(self) -> Scale:
        """The integers in which the kernel compares gains."""
        return Scale.of(self.graph, self.options.resolution)

    @property
    def launch(self) -> Tuning:
        return BY_KEY

    @property
    def defines(self) -> Macros:
        return {
            "GR_WIDE": int(self.scale.wide),
            "GR_SHARES": SHARES,
            "GR_REFINES": int(self.options.refine > 0),
            "GR_LEIDEN": 0,
        }

    @property
    def constants(self) -> Mapping[str, int]:
        return {
            "LEVEL_WORDS": LEVEL_WORDS,
            "WITHIN": WITHIN,
            "SQUARES": SQUARES,
            "PLACE_OF": PLACE_OF,
            "SOURCES": SOURCES,
            "STANDING": STANDING,
            "KEPT": KEPT,
            "SCAN_CHUNKS": SCAN_CHUNKS,
            "GIANT_LEAST": GIANT_LEAST,
        }

    def members(self) -> Mapping[str, Member]:
        return {**self._of_vertices(), **self._of_levels(), **self._scalars()}

    def _of_vertices(self) -> Mapping[str, Member]:
        n, edge = self.graph.n, self.graph.csr.row_offsets.dtype
        total = np.int64 if self.scale.wide else np.int32
        split = n if self.defines["GR_REFINES"] else 1  # vertices whose communities may be split
        return {
            "communities": Room(n, np.int32, filled=-1),
            **{
                name: Room(n, np.int32)
                for name in ("joined", "wanted", "members", "numbers", "long_lists")
            },
            "wholes": Room(split, np.int32),
            "firsts": Room(split, np.int32),
            "active": Room(n, np.uint32),
            "strengths": Room(n, total, filled=0),
            "totals": Room(n, total),
            "rooms": Room(n, edge),
            "place": Room(n, edge),
            "room_ends": Room(n, edge),
            "begins": Room(2 * n, edge),
            "ends": Room(2 * n, edge),
        }

    def _of_levels(self) -> Mapping[str, Member]:
        """The arrays of levels and contracted graphs."""
        m, passes = self.graph.m, 1 + self.options.refine
        total = np.int64 if self.scale.wide else np.int32
        return {
            "giants": Room(m // GIANT_LEAST + 1, np.int32),
            "levels": Room(min(passes, 2) * self._room, np.int32),
            "sizes": Room((passes * self.options.max_levels + 2) * LEVEL_WORDS, np.uint64, filled=0),
            "scan_sums": Room(SCAN_CHUNKS, np.uint64),
            "columns": Room(3 * m, np.int32),
            "sums": Room(3 * m, total),
        }

    def _scalars(self) -> Mapping[str, Member]:
        enough = self.scale.whole(Fraction(self.options.threshold))
        return {
            "entries": self.graph.m,
            "room": self._room,
            "all_weight": self.scale.all_weight,
            "loop_weight": self.scale.loop_weight,
            "ratio": self.scale.ratio,
            "shift": self.scale.shift,
            "enough_low": enough % 2**64,
            "enough_high": enough >> 64,
            "max_levels": self.options.max_levels,
            "refinements": self.options.refine,
            "max_iterations": self.options.max_iterations,
            "few_moves": self.options.few_moves,
            "seed": self.options.order_seed,
            "scale": self.scale.unit,
        }

    @property
    def _room(self) -> int:
        return 4 * self.graph.n + (1 << 16)

    def outputs(self, problem: Problem) -> dict[str, Array]:
        """``levels`` has a row for each level of the last pass: the community of every vertex.
        ``modularities`` are the kernel's own, first of the single vertices, then of each level."""
        graph, xp, scale = self.graph, self.graph.xp, self.scale
        sizes = to_numpy(problem["sizes"].reshape(-1, LEVEL_WORDS))
        kept = sizes[sizes[:, STANDING] == KEPT]
        levels = xp.empty((len(kept), graph.n), np.int32)
        rows, before = iter(levels), xp.arange(graph.n)
        for words in sizes[sizes[:, STANDING] > 0]:
            place, count = int(words[PLACE_OF]), int(words[SOURCES])
            before = problem["levels"][place : place + count][before]
            if words[STANDING] == KEPT:
                next(rows)[...] = before
        modularities = np.array([scale.modularity(words) for words in (sizes[0], *kept)])
        return {
            "communities": problem["communities"],
            "levels": levels,
            "modularities": xp.asarray(modularities),
        }


class Louvain(Primitive):
    name = "louvain"
    summary = "Communities of high modularity: Louvain's local moving and contraction, level by level."
    takes = LouvainOptions
    sweeps = True
    source = None
    needs = Needs(weights_if_any=True, undirected=True)
    shows = Shown(further=("levels",))
    frontier = Frontier(advance_under=None)

    def plan(self, graph: Graph, asked: LouvainOptions) -> Moving:
        if graph.weighted:
            check_weights(graph, "modularity needs weights that are not negative")
        scale = Scale.of(graph, asked.resolution)
        return Moving(graph, replace(asked, resolution=scale.ratio / 2**scale.shift))

    def work(self, graph: Graph, options: LouvainOptions, outputs: dict[str, Array]) -> Work:
        labels = outputs["communities"]
        if "modularities" not in outputs:  # from another system
            return Work(metrics={"modularity": modularity(graph, labels, options.resolution)})
        sizes = graph.xp.bincount(labels) if graph.n else np.zeros(0, np.int64)
        return Work(
            metrics={
                "modularity": float(outputs["modularities"][-1]),
                "levels": len(outputs["levels"]),
                "communities": len(sizes),
                "largest_community": int(sizes.max()) if graph.n else 0,
            }
        )

    def validate(
        self, graph: Graph, options: LouvainOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        """Check that modularity recomputed in float64 matches what was reported and rises from level to
        level, that a level's communities are unions of those of the level before and numbered densely,
        and that the last level is the answer. (No check can tell that the modularity is the highest
        possible.)"""
        return Validation(*_verdict(graph, options.resolution, outputs))


@dataclass(frozen=True)
class Scale:
    """The integers in which the kernel compares gains (kernels/primitives/louvain.cuh)."""

    all_weight: int  # over both directions; a loop's counts twice
    loop_weight: int  # of all loops, doubled
    unit: float  # what a float weight of 1 becomes; 1 if weights are integers
    ratio: int
    shift: int  # the resolution is ratio / 2**shift

    @classmethod
    def of(cls, graph: Graph, resolution: float) -> Scale:
        ratio = round(Fraction(resolution) * 2**RATIO_BITS)
        shift = RATIO_BITS
        while shift and ratio % 2 == 0:
            ratio, shift = ratio // 2, shift - 1
        unit = 1.0
        if graph.weighted and graph.csr.values.dtype.kind == "f":  # type: ignore[union-attr]
            total = _float_sum(graph)
            unit = 2.0 ** (FLOAT_BITS - math.frexp(total)[1]) if total > 0 else 1.0
        entries, loops = _sums(graph, unit)
        found = cls(entries + loops, 2 * loops, unit, ratio, shift)
        if found.bits > WIDE_BITS:
            raise InputError(
                f"{graph.name}: weights add up to {found.all_weight}, too much for exact "
                f"gains at --resolution {resolution}; scale them down, or "
                "take a resolution that is a whole number"
            )
        return found

    @property
    def bits(self) -> int:
        """The most bits that a gain takes."""
        return (self.all_weight**2 * max(self.ratio, 1 << self.shift)).bit_length()

    @property
    def wide(self) -> bool:
        return self.bits > NARROW_BITS

    def whole(self, difference: Fraction) -> int:
        """Round a difference in modularity up to the kernel's integers."""
        return math.ceil(difference * self.all_weight**2 * 2**self.shift)

    def modularity(self, words: np.ndarray[Any, Any]) -> float:
        """The modularity of one of the kernel's levels."""
        if self.all_weight == 0:
            return 0.0
        squares = sum(int(word) << 32 * k for k, word in enumerate(words[SQUARES : SQUARES + 4]))
        exact = (self.all_weight * int(words[WITHIN]) << self.shift) - self.ratio * squares
        return float(Fraction(exact, self.all_weight**2 << self.shift))


def _float_sum(graph: Graph) -> float:
    return float(graph.csr.values.sum(dtype=np.float64))  # type: ignore[union-attr]


def _sums(graph: Graph, unit: float) -> tuple[int, int]:
    """The sums of all entries and of all loops, in the kernel's integers."""
    xp, csr = graph.xp, graph.csr
    loops = csr.column_indices == csr.sources()
    if csr.values is None:
        return graph.m, int(loops.sum())
    whole = csr.values
    if csr.values.dtype.kind == "f":
        whole = xp.floor(csr.values.astype(np.float64) * unit + 0.5)
    whole = whole.astype(np.int64)
    return int(whole.sum()), int(whole[loops].sum())


def modularity(graph: Graph, labels: Array, resolution: float) -> float:
    """Newman's modularity in float64, for any labels: the share of weight within communities, less
    ``resolution`` times its expected share at random. A loop counts as both directions of an edge."""
    labels = np.asarray(labels)
    host = graph.to(np).csr
    sources = host.sources()
    weights = np.ones(graph.m) if host.values is None else host.values.astype(np.float64)
    weights = np.where(sources == host.column_indices, 2 * weights, weights)
    total = weights.sum()
    if total == 0:
        return 0.0
    within = weights[labels[sources] == labels[host.column_indices]].sum()
    strengths = np.bincount(labels[sources], weights)
    return float(within / total - resolution * np.square(strengths / total).sum())


def _verdict(graph: Graph, resolution: float, outputs: Outputs) -> tuple[str, str, str]:
    labels = np.asarray(outputs["communities"])
    own = "numpy"
    if labels.shape != (graph.n,) or not _dense(labels):
        return "fail", own, "communities are not numbered from 0, each with a vertex"
    if "modularities" not in outputs:  # another system's labels stand for themselves
        return "pass", own, ""
    levels, reported = np.asarray(outputs["levels"]), np.asarray(outputs["modularities"])
    before = np.arange(graph.n)
    for number, level in enumerate((before, *levels)):
        if not _dense(level):
            return "fail", own, f"communities of level {number} are not numbered from 0"
        if not _nests(before, level):
            return "fail", own, f"level {number} splits a community of the level before"
        found = modularity(graph, level, resolution)
        if not math.isclose(found, reported[number], rel_tol=1e-9, abs_tol=1e-9):
            return (
                "fail",
                own,
                (
                    f"modularity of level {number} is {found:.12g}, and "
                    f"{reported[number]:.12g} was reported"
                ),
            )
        before = level
    if not np.array_equal(before, labels):
        return "fail", own, "the communities are not those of the last level"
    if (np.diff(reported) <= 0).any():
        return "fail", own, "a level has no higher modularity than the level before"
    return "pass", own, ""


def _dense(labels: np.ndarray[Any, Any]) -> bool:
    if len(labels) == 0:
        return True
    return bool(labels.min() >= 0 and labels.max() < len(labels) and np.bincount(labels).all())


def _nests(fine: np.ndarray[Any, Any], coarse: np.ndarray[Any, Any]) -> bool:
    """True if each fine community lies within one coarse one."""
    of = np.zeros(len(fine), coarse.dtype)
    of[fine] = coarse
    return bool((of[fine] == coarse).all())


PRIMITIVE = Louvain()
