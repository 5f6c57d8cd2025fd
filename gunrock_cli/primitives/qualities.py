"""Qualities of communities: of any labels in floats, and in the integers that Louvain's kernel compares.

Modularity is the share of weight within communities, less the resolution times its expected share at
random (Newman). The constant Potts model's quality is the weight within communities, less the resolution
times the number of pairs of vertices within them (CPM; Traag, Van Dooren and Nesterov, 2011). Of both
directions of an edge modularity counts each, and a loop twice; CPM counts each edge and loop once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.model.graph import Array, Graph

Quality = Literal["modularity", "cpm"]
REPORTED: dict[Quality, str] = {"modularity": "modularities", "cpm": "qualities"}
"""The output that has a quality of every level."""
NARROW_BITS, WIDE_BITS, NARROW_SUM = 62, 126, 2**31
"""The bits that exact gains may take of 64 and of 128; with 64 bits the sums are below NARROW_SUM."""
RATIO_BITS = 20
"""The resolution is rounded to a multiple of 2**-RATIO_BITS."""
FLOAT_BITS = 52
"""Float weights are rounded so that their total is an integer of about this many bits."""
_MOST_UNIT_BITS = 60
"""The most bits of a float weight of 1 for CPM, whose pairs of vertices are in the same unit."""
TOLERANCE = 1e-9
"""Of qualities that are computed in another way."""


@dataclass(frozen=True)
class Scale:
    """The integers in which the kernel compares gains (kernels/primitives/louvain.cuh)."""

    quality: Quality
    vertices: int
    all_weight: int  # over both directions; a loop's counts twice
    loop_weight: int  # of all loops, doubled
    unit: float  # what a float weight of 1 becomes; 1 if weights are integers
    ratio: int
    shift: int  # the resolution is ratio / 2**shift

    @classmethod
    def of(cls, graph: Graph, resolution: float, quality: Quality = "modularity") -> Scale:
        ratio = round(Fraction(resolution) * 2**RATIO_BITS)
        shift = RATIO_BITS
        while shift and ratio % 2 == 0:
            ratio, shift = ratio // 2, shift - 1
        unit = 1.0
        if graph.weighted and graph.csr.values.dtype.kind == "f":  # type: ignore[union-attr]
            total = _float_sum(graph)
            bits = FLOAT_BITS - math.frexp(total)[1] if total > 0 else 0
            if quality == "cpm":  # a square, as the product of two vertices' strengths is in it
                bits = min(max(bits // 2 * 2, 0), _MOST_UNIT_BITS)
            unit = 2.0**bits
        entries, loops = _sums(graph, unit)
        found = cls(quality, graph.n, entries + loops, 2 * loops, unit, ratio, shift)
        if found.bits > WIDE_BITS:
            raise InputError(
                f"{graph.name}: weights add up to {found.all_weight}"
                + (f", and there are {graph.n} vertices" if quality == "cpm" else "")
                + f": too much for exact gains at --resolution {resolution}; scale weights down, or "
                "take a resolution that is a whole number"
            )
        return found

    @property
    def factor(self) -> int:
        """The number that weights are multiplied by in gains; 0 if there are none."""
        return min(self.all_weight, 1) if self.quality == "cpm" else self.all_weight

    @property
    def strength(self) -> int:
        """The strength of one vertex; 0 if it is the sum of its edges."""
        return round(math.sqrt(self.unit)) if self.quality == "cpm" else 0

    @property
    def bits(self) -> int:
        """The most bits that a gain takes."""
        if self.quality == "modularity":
            return (self.all_weight**2 * max(self.ratio, 1 << self.shift)).bit_length()
        pairs = self.ratio * (self.vertices * self.strength) ** 2
        return max(self.all_weight << self.shift, pairs).bit_length()

    @property
    def wide(self) -> bool:
        sums = max(self.all_weight, self.vertices * self.strength)
        return self.bits > NARROW_BITS or sums >= NARROW_SUM

    def whole(self, difference: Fraction) -> int:
        """Round a difference in modularity, or in CPM's quality divided by the edges' weight, up to the
        kernel's integers."""
        return math.ceil(difference * self.all_weight * max(self.factor, 1) * 2**self.shift)

    def value(self, within: int, squares: int) -> float:
        """The quality, from the kernel's sums: of weight within communities, and of their strengths
        squared."""
        if self.all_weight == 0:
            return 0.0
        exact = Fraction((self.factor * within << self.shift) - self.ratio * squares)
        if self.quality == "modularity":
            return float(exact / (self.all_weight**2 << self.shift))
        return float((exact / Fraction(self.unit) + self.ratio * self.vertices) / (2 << self.shift))


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


def quality_of(
    quality: Quality, within: Any, squares: Any, whole: float, vertices: int, resolution: float
) -> tuple[Any, Any]:
    """The quality, and the size of what cancels in it. ``within`` is the weight within communities and
    ``whole`` that of all edges, both over both directions, ``squares`` the sum of communities' strengths
    squared."""
    if quality == "cpm":
        pairs = resolution * (squares - vertices)
        return (within - pairs) / 2, (within + resolution * squares) / 2
    if whole == 0:
        return 0.0 * within, 1.0
    return within / whole - resolution * squares / whole**2, 1.0


def measured(graph: Graph, labels: Array, resolution: float, quality: Quality) -> tuple[float, float]:
    """``quality_of`` any labels, in float64 on the host."""
    labels = np.asarray(labels)
    host = graph.to(np).csr
    sources = host.sources()
    weights = np.ones(graph.m) if host.values is None else host.values.astype(np.float64)
    weights = np.where(sources == host.column_indices, 2 * weights, weights)
    within = weights[labels[sources] == labels[host.column_indices]].sum()
    by_size = quality == "cpm"
    strengths = np.bincount(labels if by_size else labels[sources], None if by_size else weights)
    squares = np.square(strengths.astype(np.float64)).sum()
    value, size = quality_of(quality, within, squares, float(weights.sum()), graph.n, resolution)
    return float(value), float(size)


def modularity(graph: Graph, labels: Array, resolution: float) -> float:
    """Newman's modularity in float64, for any labels. A loop counts as both directions of an edge."""
    return measured(graph, labels, resolution, "modularity")[0]


def is_near(found: float, reported: float, size: float) -> bool:
    """True if a quality is the reported one but for rounding."""
    return math.isclose(found, reported, rel_tol=TOLERANCE, abs_tol=TOLERANCE * size)
