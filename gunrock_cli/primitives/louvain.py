"""Communities of high modularity by Louvain's method: moving vertices and contracting, level by level."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import InputError
from gunrock_cli.graph.model.graph import Array, Graph, to_numpy
from gunrock_cli.operators.contraction import GIANT_LEAST
from gunrock_cli.operators.launch_shapes import BY_KEY
from gunrock_cli.operators.scan import SCAN_CHUNKS
from gunrock_cli.primitives.base import Option, Options, Outputs, Primitive, Validation, Work
from gunrock_cli.primitives.edge_weights import check_weights

LEVEL_WORDS, WITHIN, SQUARES, PLACE_OF, SOURCES, STANDING, KEPT = 9, 1, 2, 6, 7, 8, 2
"""What the kernel keeps of each level in ``sizes``: its enumerators of the same names."""
SHARES = 4
"""Rounds of an iteration: of this many consecutive vertices, one decides in each round."""
NARROW_BITS, WIDE_BITS = 62, 126
"""The bits that exact gains may take of 64 and of 128."""
RATIO_BITS = 20
"""The resolution is rounded to a multiple of 2 to the minus this."""
FLOAT_BITS = 52
"""Float weights are rounded so that their total is an integer of about this many bits."""


class Louvain(Primitive):
    name = "louvain"
    summary = "Communities of high modularity: Louvain's local moving and contraction, level by level."
    sweeps = True
    needs_source = False
    uses_weights = True
    needs_undirected = True
    advance_under = None
    shared_options = ("resolution",)
    limits = ("max_iterations", "max_levels", "refine")
    options = (
        Option(
            "resolution",
            1.0,
            kind=float,
            minimum=0.0,
            maximum=1000.0,
            help="Larger: more, smaller communities. Rounded to a multiple of 2^-20.",
        ),
        Option(
            "threshold",
            1e-4,
            kind=float,
            minimum=0.0,
            maximum=1.0,
            help="Another level only where the last one added at least this to modularity.",
        ),
        Option("max-levels", 32, kind=int, minimum=1, maximum=1000, help="Stop after this many levels."),
        Option(
            "refine",
            0,
            kind=int,
            minimum=0,
            maximum=100,
            help="Then go through the levels anew, moving vertices and ever larger parts of the "
            "communities found between them, and so on, so many times at most. Higher modularity, "
            "in more time.",
        ),
        Option(
            "max-iterations",
            20,
            kind=int,
            minimum=1,
            help="Stop moving vertices in a level after so many times round them all.",
        ),
        Option(
            "few-moves",
            64,
            kind=int,
            minimum=1,
            help="Or after a time in which at most 1 in this many of them has moved (in 16 times as "
            "many, where levels refine).",
        ),
    )

    def check_options(self, graph: Graph, options: Options) -> dict[str, Any]:
        if graph.weighted:
            check_weights(graph, "modularity needs weights that are not negative")
        scale = Scale.of(graph, options)
        return {**options, "resolution": scale.ratio / 2**scale.shift}

    def launch(self, graph: Graph, options: Options) -> Tuning | None:
        return BY_KEY

    def defines(self, graph: Graph, options: Options) -> dict[str, str | int]:
        return {
            "GR_WIDE": int(Scale.of(graph, options).wide),
            "GR_SHARES": SHARES,
            "GR_REFINES": int(options["refine"] > 0),
        }

    def constants(self, graph: Graph, options: Options) -> dict[str, int]:
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

    def problem(self, graph: Graph, options: Options) -> dict[str, Array | int | float]:
        xp, n, m = graph.xp, graph.n, graph.m
        scale = Scale.of(graph, options)
        total = np.int64 if scale.wide else np.int32
        edge = graph.csr.row_offsets.dtype
        passes = 1 + options["refine"]
        split = n if options["refine"] else 1  # vertices whose communities may be
        room = 4 * n + (1 << 16)
        enough = scale.whole(Fraction(options["threshold"]))
        return {
            **{
                name: xp.empty(n, np.int32)
                for name in ("communities", "joined", "wanted", "members", "numbers", "long_lists")
            },
            "wholes": xp.empty(split, np.int32),
            "firsts": xp.empty(split, np.int32),
            "giants": xp.empty(m // GIANT_LEAST + 1, np.int32),
            "levels": xp.empty(min(passes, 2) * room, np.int32),
            "sizes": xp.empty((passes * options["max_levels"] + 2) * LEVEL_WORDS, np.uint64),
            "active": xp.empty(n, np.uint32),
            "strengths": xp.empty(n, total),
            "totals": xp.empty(n, total),
            "rooms": xp.empty(n, edge),
            "place": xp.empty(n, edge),
            "room_ends": xp.empty(n, edge),
            "scan_sums": xp.empty(SCAN_CHUNKS, np.uint64),
            "begins": xp.empty(2 * n, edge),
            "ends": xp.empty(2 * n, edge),
            "columns": xp.empty(3 * m, np.int32),
            "sums": xp.empty(3 * m, total),
            "entries": m,
            "room": room,
            "all_weight": scale.all_weight,
            "loop_weight": scale.loop_weight,
            "ratio": scale.ratio,
            "shift": scale.shift,
            "enough_low": enough % 2**64,
            "enough_high": enough >> 64,
            "max_levels": options["max_levels"],
            "refinements": options["refine"],
            "max_iterations": options["max_iterations"],
            "few_moves": options["few_moves"],
            "scale": scale.unit,
        }

    def reset(self, problem: dict[str, Any], graph: Graph, options: Options, source: int) -> None:
        problem["sizes"].fill(0)
        problem["strengths"].fill(0)
        problem["communities"].fill(-1)

    def outputs(self, problem: dict[str, Any], graph: Graph, options: Options) -> dict[str, Array]:
        """``levels`` has a row for each level of the last pass: the community of every vertex.
        ``modularities`` are those that the kernel found, of the single vertices and of each level."""
        xp, scale = graph.xp, Scale.of(graph, options)
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

    def work(self, graph: Graph, options: Options, outputs: dict[str, Array]) -> Work:
        labels = outputs["communities"]
        if "modularities" not in outputs:  # another system's
            return Work(metrics={"modularity": modularity(graph, labels, options["resolution"])})
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
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        """Modularity recomputed in float64 matches what was reported, and rises from level to level; a
        level's communities are unions of those of the level before; they are numbered densely; and the
        last level's are the answer. (Whether the modularity is the highest possible, no one can tell.)"""
        return Validation(*_verdict(graph, options["resolution"], outputs))


@dataclass(frozen=True)
class Scale:
    """The integers in which the kernel compares gains (kernels/primitives/louvain.cuh)."""

    all_weight: int  # over both directions; a loop's counts twice
    loop_weight: int  # of all loops, doubled
    unit: float  # what a float weight of 1 becomes; 1 where weights are integers
    ratio: int
    shift: int  # the resolution is ratio / 2**shift

    @classmethod
    def of(cls, graph: Graph, options: Options) -> Scale:
        ratio = round(Fraction(options["resolution"]) * 2**RATIO_BITS)
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
                f"gains at --resolution {options['resolution']}; scale them down, or "
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
        """A difference in modularity, rounded up to the kernel's integers."""
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
    """The sums of all entries, and of the loops among them, in the kernel's integers."""
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
    """By Newman's formula in float64, for any labels: the share of weight within communities, less
    ``resolution`` times what it would be at random. A loop counts as both directions of an edge."""
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
    if "modularities" not in outputs:  # another system's: its labels stand for themselves
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
    """Whether each fine community lies within one coarse one."""
    of = np.zeros(len(fine), coarse.dtype)
    of[fine] = coarse
    return bool((of[fine] == coarse).all())


PRIMITIVE = Louvain()
