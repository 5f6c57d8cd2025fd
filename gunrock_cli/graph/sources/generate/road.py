"""A road-like planar graph: a lattice of highways, each of its faces filled with streets.

Highways cross at K x K junctions, four segments apart. Each face holds a block of 13 x 13 street
corners: a random spanning tree (every corner keeps its street to the left or upwards), in which some
leaves stay dead ends; most streets and some diagonals between the other corners; and four roads out
to the highways around. This gives degrees and a diameter like roadNet-CA's (mean degree 2.8, most
degrees 1 to 4, diameter about 0.6 sqrt(n)), unlike a plain lattice's (4, and 2 sqrt(n)).
"""

from __future__ import annotations

import math
from types import ModuleType

from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.model.graph import Array

BLOCK = 13
SEGMENTS = 4
DEAD_ENDS = 0.60  # of the tree's leaves
EXTRA_STREETS = 0.75  # between corners that are not dead ends
DIAGONALS = 0.02


def edges(xp: ModuleType, nodes: int, seed: int) -> EdgeList:
    k = _junctions(nodes)
    highway = _Highways(xp, k)
    parts = [highway.edges(), _streets(xp, k, highway.count, seed), highway.exits()]
    n = highway.count + (k - 1) ** 2 * BLOCK * BLOCK
    src = xp.concatenate([part[0] for part in parts]).astype(xp.int32)
    dst = xp.concatenate([part[1] for part in parts]).astype(xp.int32)
    return EdgeList(n, src, dst, symmetric=True)


def _junctions(nodes: int) -> int:
    """The K, at least 2, whose graph has nearest to ``nodes`` vertices."""

    def vertices(k: int) -> int:
        return k * k + 2 * k * (k - 1) * (SEGMENTS - 1) + (k - 1) ** 2 * BLOCK * BLOCK

    guess = math.isqrt(nodes // (BLOCK * BLOCK + 2 * SEGMENTS - 1))
    return min(range(max(2, guess), guess + 4), key=lambda k: abs(vertices(k) - nodes))


class _Highways:
    """The vertices of highways: junction (row, column) is row * k + column; the inner points of the
    segments follow, those of horizontal highways first."""

    def __init__(self, xp: ModuleType, k: int) -> None:
        self.xp, self.k = xp, k
        self.inner = SEGMENTS - 1
        self.down = k * k + k * (k - 1) * self.inner  # first inner point of vertical highways
        self.count = k * k + 2 * k * (k - 1) * self.inner

    def _across(self, row: Array, column: Array, point: int) -> Array:
        """Point 0 .. SEGMENTS of the highway from (row, column) to (row, column + 1)."""
        if point in (0, SEGMENTS):
            return row * self.k + column + point // SEGMENTS
        return self.k * self.k + (row * (self.k - 1) + column) * self.inner + point - 1

    def _downward(self, row: Array, column: Array, point: int) -> Array:
        """Point 0 .. SEGMENTS of the highway from (row, column) to (row + 1, column)."""
        if point in (0, SEGMENTS):
            return (row + point // SEGMENTS) * self.k + column
        return self.down + (row * self.k + column) * self.inner + point - 1

    def edges(self) -> tuple[Array, Array]:
        xp, k = self.xp, self.k
        long, short = xp.arange(k, dtype=xp.int64), xp.arange(k - 1, dtype=xp.int64)
        row, column = (a.ravel() for a in xp.meshgrid(long, short, indexing="ij"))
        src = [self._across(row, column, point) for point in range(SEGMENTS)]
        dst = [self._across(row, column, point + 1) for point in range(SEGMENTS)]
        src += [self._downward(column, row, point) for point in range(SEGMENTS)]
        dst += [self._downward(column, row, point + 1) for point in range(SEGMENTS)]
        return xp.concatenate(src), xp.concatenate(dst)

    def exits(self) -> tuple[Array, Array]:
        """Edges from the middle of each side of a block to the middle of the highway along it."""
        xp, k = self.xp, self.k
        face = xp.arange((k - 1) ** 2, dtype=xp.int64)
        row, column = face // (k - 1), face % (k - 1)
        corner = self.count + face * (BLOCK * BLOCK)
        middle, half, last = BLOCK // 2, SEGMENTS // 2, BLOCK - 1
        src = [
            corner + middle,
            corner + last * BLOCK + middle,
            corner + middle * BLOCK,
            corner + middle * BLOCK + last,
        ]
        dst = [
            self._across(row, column, half),
            self._across(row + 1, column, half),
            self._downward(row, column, half),
            self._downward(row, column + 1, half),
        ]
        return xp.concatenate(src), xp.concatenate(dst)


def _streets(xp: ModuleType, k: int, base: int, seed: int) -> tuple[Array, Array]:
    """The streets inside all blocks; corner (x, y) of block f is base + (f * 13 + y) * 13 + x."""
    shape = ((k - 1) ** 2, BLOCK, BLOCK)
    corner = xp.arange(shape[0] * BLOCK * BLOCK, dtype=xp.int64).reshape(shape)
    word = rng.hash_counters(xp, corner, seed)
    inner_x, inner_y = xp.arange(BLOCK) > 0, xp.arange(BLOCK)[:, None] > 0
    tree_left = inner_x & (((word & xp.uint64(1)) == 0) | ~inner_y)
    tree_up = inner_y & ~tree_left
    # A leaf of the tree has no corner below or to the right that leads to it.
    leaf = xp.ones(shape, dtype=bool)
    leaf[:, :, :-1] &= ~tree_left[:, :, 1:]
    leaf[:, :-1, :] &= ~tree_up[:, 1:, :]
    dead_end = leaf & rng.bernoulli(xp, rng.hash_counters(xp, corner, seed, 1), DEAD_ENDS)
    open_end = ~dead_end
    extra = open_end & rng.bernoulli(xp, word, EXTRA_STREETS)
    diagonal = open_end & rng.bernoulli(xp, rng.hash_counters(xp, corner, seed, 2), DIAGONALS)
    extra_left, extra_up = extra & inner_x, extra & inner_y
    diagonal &= inner_x & inner_y
    extra_left[:, :, 1:] &= open_end[:, :, :-1]
    extra_up[:, 1:, :] &= open_end[:, :-1, :]
    diagonal[:, 1:, 1:] &= open_end[:, :-1, :-1]
    kept = ((tree_left | extra_left, 1), (tree_up | extra_up, BLOCK), (diagonal, BLOCK + 1))
    src = [corner[street] + base for street, _ in kept]
    dst = [ends - step for ends, (_, step) in zip(src, kept, strict=True)]
    return xp.concatenate(src), xp.concatenate(dst)
