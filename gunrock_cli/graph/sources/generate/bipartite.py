"""Random bipartite graph: edges from a left part (hubs) to a right part (authorities).

Both ends of an edge are drawn independently. With a skew each end falls into halves of its part, as in
R-MAT, and into the heavier half with probability (1 + skew) / 2, so that few vertices get most of the
edges; vertices are then relabelled at random.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.chunks import chunks
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.model.graph import Array
from gunrock_cli.graph.rows.drawing import BIPARTITE, PART, Drawing, relabelling, struct, thrown

_LEVELS = 4
"""The halvings that one random word decides, each by 16 bits."""
_WORDS = 8
"""The words that an end may need: 32 halvings."""
_FALL = 2  # the first stream of words by which skewed ends fall
_PERMUTE = 100  # and the first of those that relabel


def edges(xp: ModuleType, left: int, right: int, edges: int, skew: float, seed: int) -> EdgeList:
    hubs, authorities = _Part(0, left, skew, seed), _Part(1, right, skew, seed)
    src, dst = xp.empty(edges, dtype=xp.int32), xp.empty(edges, dtype=xp.int32)
    for first, count in chunks(xp, edges):
        src[first : first + count] = hubs.ends(xp, first, count)
        dst[first : first + count] = authorities.ends(xp, first, count) + left
    return EdgeList(left + right, src, dst)


def drawing(left: int, right: int, edges: int, skew: float, seed: int) -> Drawing:
    """The generator's edges as compiled code draws them, each by its number."""
    hubs, authorities = _Part(0, left, skew, seed), _Part(1, right, skew, seed)
    recipe = struct(BIPARTITE, left=hubs.recipe(), right=authorities.recipe())
    return Drawing(
        "Bipartite",
        recipe,
        left + right,
        edges,
        lambda both, _: _distinct(hubs, authorities, edges) * (2 if both else 1),
    )


@dataclass(frozen=True)
class _Part:
    """One side of the graph."""

    side: int  # 0 or 1
    size: int
    skew: float
    seed: int

    @property
    def bits(self) -> int:
        return (self.size - 1).bit_length()

    @property
    def heavier(self) -> int:
        """The number of values, of 2**16, that fall into the heavier half."""
        return round((1 + self.skew) / 2 * 2**16)

    def recipe(self) -> Any:
        """The part as compiled code has it."""
        if self.skew == 0:
            return struct(PART, keys=[rng.stream_key(self.seed, self.side)], size=self.size, uniform=1)
        first = _FALL + _WORDS * self.side
        streams = range(first, first + (self.bits + _LEVELS - 1) // _LEVELS)
        return struct(
            PART,
            keys=[rng.stream_key(self.seed, stream) for stream in streams],
            size=self.size,
            bits=self.bits,
            relabel=relabelling(self.bits, self.seed, _PERMUTE + _WORDS * self.side),
            heavier=self.heavier,
        )

    def ends(self, xp: ModuleType, first: int, count: int) -> Array:
        """The ends of edges first .. first + count - 1 on this side, counted from 0, int64."""
        if self.skew == 0:
            return rng.scaled(xp, rng.words(xp, first, count, self.seed, self.side), self.size)
        place = self._fall(xp, first, count)
        place = rng.scramble(xp, place, self.bits, self.seed, _PERMUTE + _WORDS * self.side)
        place *= xp.uint64(self.size)  # 2**bits places onto the part's vertices, two on some of them
        return (place >> xp.uint64(self.bits)).astype(xp.int64)

    def _fall(self, xp: ModuleType, first: int, count: int) -> Array:
        """The place of each end among 2**bits places, as uint64."""
        heavier = xp.uint64(self.heavier)
        place = xp.zeros(count, dtype=xp.uint64)
        for level in range(self.bits):
            if level % _LEVELS == 0:
                stream = _FALL + _WORDS * self.side + level // _LEVELS
                word = rng.words(xp, first, count, self.seed, stream)
            place += place
            place |= (word & xp.uint64(0xFFFF)) >= heavier
            word >>= xp.uint64(16)
        return place


def _distinct(left: _Part, right: _Part, edges: int) -> float:
    """The expected number of different edges; with a skew, of different places, as some vertices have
    two."""
    if left.skew == 0:
        return thrown(left.size * right.size, 1 / (left.size * right.size), edges)
    heavy = left.heavier / 2**16
    light = 1 - heavy
    return sum(
        thrown(
            math.comb(left.bits, i) * math.comb(right.bits, j),
            heavy ** (i + j) * light ** (left.bits + right.bits - i - j),
            edges,
        )
        for i in range(left.bits + 1)
        for j in range(right.bits + 1)
    )
