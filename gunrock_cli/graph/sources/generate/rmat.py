"""R-MAT (Chakrabarti, Zhan, Faloutsos 2004): each edge falls through ``scale`` quadrants.

Like the Graph500 it adds no noise between the levels; 32 random bits decide a level. Self loops and
duplicates occur and are left to the builder.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from types import ModuleType

from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.chunks import chunks
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.model.graph import Array
from gunrock_cli.graph.rows.drawing import RMAT, Drawing, relabelling, struct, thrown

_PERMUTE = 100  # the stream that relabels


def edges(
    xp: ModuleType,
    scale: int,
    edges: int,
    a: float,
    b: float,
    c: float,
    permute: bool,
    seed: int,
    **_: int,
) -> EdgeList:
    bounds = _thresholds(a, b, c)
    src = xp.empty(edges, dtype=xp.int32)
    dst = xp.empty(edges, dtype=xp.int32)
    for first, count in chunks(xp, edges):
        u, v = _fall(xp, first, count, scale, bounds, seed)
        if permute:
            u = rng.scramble(xp, u, scale, seed, _PERMUTE)
            v = rng.scramble(xp, v, scale, seed, _PERMUTE)
        src[first : first + count] = u.astype(xp.int32)
        dst[first : first + count] = v.astype(xp.int32)
    return EdgeList(1 << scale, src, dst)


def drawing(
    scale: int, edges: int, a: float, b: float, c: float, permute: bool, seed: int, **_: int
) -> Drawing:
    """The generator's edges as compiled code draws them, each by its number."""
    bounds = _thresholds(a, b, c)
    recipe = struct(
        RMAT,
        keys=[rng.stream_key(seed, word) for word in range((scale + 1) // 2)],
        bounds=bounds,
        relabel=relabelling(scale if permute else 0, seed, _PERMUTE),
        scale=scale,
    )
    return Drawing(
        "Rmat",
        recipe,
        1 << scale,
        edges,
        lambda both, loops: _distinct(scale, edges, bounds, both, loops),
    )


def _distinct(scale: int, edges: int, bounds: tuple[int, int, int], both: bool, loops: bool) -> float:
    """The expected number of different directed edges. All pairs of vertices that fall through equally
    many quadrants of each kind are equally likely."""
    edge = (0, *bounds, 2**32)
    a, b, c, d = ((edge[i + 1] - edge[i]) / 2**32 for i in range(4))
    total = 0.0
    for i, j, k, rest in _compositions(scale):
        cells = math.comb(scale, i) * math.comb(scale - i, j) * math.comb(scale - i - j, k)
        chance = a**i * b**j * c**k * d**rest
        if j == k == 0:
            total += thrown(cells, chance, edges) if loops else 0.0
            continue
        if both:  # or the edge drawn from the other end
            chance += a**i * c**j * b**k * d**rest
        total += thrown(cells, chance, edges)
    return total


def _compositions(scale: int) -> Iterator[tuple[int, int, int, int]]:
    """All ways to write ``scale`` as a sum of four."""
    for i in range(scale + 1):
        for j in range(scale + 1 - i):
            for k in range(scale + 1 - i - j):
                yield i, j, k, scale - i - j - k


def _thresholds(a: float, b: float, c: float) -> tuple[int, int, int]:
    """The places where quadrants B, C and D begin among the 2**32 values of a draw."""
    first, second, third = (min(round(p * 2**32), 2**32) for p in (a, a + b, a + b + c))
    return first, second, third


def _fall(
    xp: ModuleType, first: int, count: int, scale: int, bounds: tuple[int, int, int], seed: int
) -> tuple[Array, Array]:
    """Both ends of edges first .. first + count - 1, as uint64."""
    counters = xp.arange(first, first + count, dtype=xp.uint64)
    in_b, in_c, in_d = (xp.uint64(bound) for bound in bounds)
    u = xp.zeros(count, dtype=xp.uint64)
    v = xp.zeros(count, dtype=xp.uint64)
    for level in range(scale):
        if level % 2 == 0:
            word = rng.hash_counters(xp, counters, seed, level // 2)
            draw = word >> xp.uint64(32)
        else:
            draw = word & xp.uint64(0xFFFFFFFF)
        lower = draw >= in_c
        right = (draw >= in_b) ^ lower ^ (draw >= in_d)
        u += u
        u |= lower
        v += v
        v |= right
    return u, v
