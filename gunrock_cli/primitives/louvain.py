"""Communities of high modularity by Louvain's method: moving vertices and contracting, level by level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array, Graph, to_numpy
from gunrock_cli.operators.contraction import GIANT_LEAST
from gunrock_cli.operators.launch_shapes import BY_KEY
from gunrock_cli.operators.scan import SCAN_CHUNKS
from gunrock_cli.primitives.base import Primitive, Validation, Work
from gunrock_cli.primitives.edge_weights import check_weights
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.qualities import REPORTED, Quality, Scale, is_near, measured, modularity
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs, Shown
from gunrock_cli.primitives.variant import Macros, Member, Problem, Variant

LEVEL_WORDS, WITHIN, SQUARES, PLACE_OF, SOURCES, STANDING, KEPT = 9, 1, 2, 6, 7, 8, 2
"""Words that the kernel keeps per level in ``sizes``, and their places: its enumerators of the same
names."""
SHARES = 4
"""Rounds of an iteration: of this many consecutive vertices, one decides in each round."""


@dataclass(frozen=True)
class LouvainOptions(Options):
    """The options of a search for communities."""

    quality: Quality = option(
        "modularity",
        "cpm, the constant Potts model: the weight inside, less --resolution for every pair of vertices.",
        changes_answer=True,
        own=True,
    )
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
        "Then move ever larger parts of communities, so many times at most.",
        minimum=0,
        maximum=100,
        limit=2,
    )
    order_seed: int = option(
        0,
        "Another seed, other communities.",
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
        return Scale.of(self.graph, self.options.resolution, self.options.quality)

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
            "factor": self.scale.factor,
            "strength": self.scale.strength,
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
        ``modularities`` (``qualities``) are the kernel's own, first of the single vertices, then of each
        level."""
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
        reported = [_quality(scale, words) for words in (sizes[0], *kept)]
        return {
            "communities": problem["communities"],
            "levels": levels,
            REPORTED[self.options.quality]: xp.asarray(np.array(reported)),
        }


def _quality(scale: Scale, words: np.ndarray[Any, Any]) -> float:
    """The quality of one of the kernel's levels."""
    squares = sum(int(word) << 32 * k for k, word in enumerate(words[SQUARES : SQUARES + 4]))
    return scale.value(int(words[WITHIN]), squares)


class Louvain(Primitive):
    name = "louvain"
    summary = "Communities of high modularity: Louvain's local moving and contraction."
    takes = LouvainOptions
    sweeps = True
    source = None
    needs = Needs(weights_if_any=True, undirected=True)
    shows = Shown(further=("levels",))
    frontier = Frontier(advance_under=None)

    def plan(self, graph: Graph, asked: LouvainOptions) -> Moving:
        if graph.weighted:
            check_weights(graph, "communities need weights that are not negative")
        scale = Scale.of(graph, asked.resolution, asked.quality)
        return Moving(graph, replace(asked, resolution=scale.ratio / 2**scale.shift))

    def work(self, graph: Graph, options: LouvainOptions, outputs: dict[str, Array]) -> Work:
        labels = outputs["communities"]
        reported = REPORTED[options.quality]
        if reported not in outputs:  # from another system
            return Work(metrics={"modularity": modularity(graph, labels, options.resolution)})
        sizes = graph.xp.bincount(labels) if graph.n else np.zeros(0, np.int64)
        return Work(
            metrics={
                options.quality: float(outputs[reported][-1]),
                "levels": len(outputs["levels"]),
                "communities": len(sizes),
                "largest_community": int(sizes.max()) if graph.n else 0,
            }
        )

    def validate(
        self, graph: Graph, options: LouvainOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        """Check that the quality recomputed in float64 matches what was reported and rises from level to
        level, that a level's communities are unions of those of the level before and numbered densely,
        and that the last level is the answer. (No check can tell that the quality is the highest
        possible.)"""
        return Validation(*_verdict(graph, options, outputs))


def _verdict(graph: Graph, options: LouvainOptions, outputs: Outputs) -> tuple[str, str, str]:
    labels, quality = np.asarray(outputs["communities"]), options.quality
    own = "numpy"
    if labels.shape != (graph.n,) or not _dense(labels):
        return "fail", own, "communities are not numbered from 0, each with a vertex"
    if REPORTED[quality] not in outputs:  # another system's labels stand for themselves
        return "pass", own, ""
    levels, reported = np.asarray(outputs["levels"]), np.asarray(outputs[REPORTED[quality]])
    before = np.arange(graph.n)
    for number, level in enumerate((before, *levels)):
        if not _dense(level):
            return "fail", own, f"communities of level {number} are not numbered from 0"
        if not _nests(before, level):
            return "fail", own, f"level {number} splits a community of the level before"
        found, size = measured(graph, level, options.resolution, quality)
        if not is_near(found, reported[number], size):
            told = (
                f"{quality} of level {number} is {found:.12g}, and {reported[number]:.12g} was reported"
            )
            return "fail", own, told
        before = level
    if not np.array_equal(before, labels):
        return "fail", own, "the communities are not those of the last level"
    if (np.diff(reported) <= 0).any():
        return "fail", own, f"a level has no higher {quality} than the level before"
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
