"""Random bipartite graph: edges from a left part (hubs) to a right part (authorities).

Both ends of an edge are drawn independently. With a skew each end falls into halves of its part, as in
R-MAT, and into the heavier half with probability (1 + skew) / 2, so that few vertices get most of the
edges; vertices are then relabelled at random.
"""

from __future__ import annotations

import math
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


def edges(xp: ModuleType, params: dict[str, Any]) -> EdgeList:
    left, right, m = params["left"], params["right"], params["edges"]
    src, dst = xp.empty(m, dtype=xp.int32), xp.empty(m, dtype=xp.int32)
    for first, count in chunks(xp, m):
        src[first : first + count] = _ends(xp, first, count, 0, left, params)
        dst[first : first + count] = _ends(xp, first, count, 1, right, params) + left
    return EdgeList(left + right, src, dst)


def drawing(params: dict[str, Any]) -> Drawing:
    """The generator's edges as compiled code draws them, each by its number."""
    parts = [_part(side, params[name], params) for side, name in enumerate(("left", "right"))]
    recipe = struct(BIPARTITE, left=parts[0], right=parts[1])
    n = params["left"] + params["right"]
    return Drawing(
        "Bipartite", recipe, n, params["edges"], lambda both, _: _distinct(params) * (2 if both else 1)
    )


def _part(side: int, size: int, params: dict[str, Any]) -> Any:
    seed, bits = params["seed"], (size - 1).bit_length()
    if params["skew"] == 0:
        return struct(PART, keys=[rng.stream_key(seed, side)], size=size, uniform=1)
    streams = range(_FALL + _WORDS * side, _FALL + _WORDS * side + (bits + _LEVELS - 1) // _LEVELS)
    return struct(
        PART,
        keys=[rng.stream_key(seed, stream) for stream in streams],
        size=size,
        bits=bits,
        relabel=relabelling(bits, seed, _PERMUTE + _WORDS * side),
        heavier=_heavier(params),
    )


def _distinct(params: dict[str, Any]) -> float:
    """The expected number of different edges; with a skew, of different places, as some vertices have
    two."""
    left, right, edges = params["left"], params["right"], params["edges"]
    if params["skew"] == 0:
        return thrown(left * right, 1 / (left * right), edges)
    heavy = _heavier(params) / 2**16
    light, bits = 1 - heavy, [(part - 1).bit_length() for part in (left, right)]
    return sum(
        thrown(
            math.comb(bits[0], i) * math.comb(bits[1], j),
            heavy ** (i + j) * light ** (sum(bits) - i - j),
            edges,
        )
        for i in range(bits[0] + 1)
        for j in range(bits[1] + 1)
    )


def _heavier(params: dict[str, Any]) -> int:
    """The number of values, of 2**16, that fall into the heavier half."""
    skew: float = params["skew"]
    return round((1 + skew) / 2 * 2**16)


def _ends(xp: ModuleType, first: int, count: int, side: int, part: int, params: dict[str, Any]) -> Array:
    """The ends of edges first .. first + count - 1 on one side, counted from 0, int64."""
    if params["skew"] == 0:
        return rng.scaled(xp, rng.words(xp, first, count, params["seed"], side), part)
    bits = (part - 1).bit_length()
    place = _fall(xp, first, count, side, bits, params)
    place = rng.scramble(xp, place, bits, params["seed"], _PERMUTE + _WORDS * side)
    place *= xp.uint64(part)  # 2**bits places onto the part's vertices, two on some of them
    return (place >> xp.uint64(bits)).astype(xp.int64)


def _fall(xp: ModuleType, first: int, count: int, side: int, bits: int, params: dict[str, Any]) -> Array:
    """The place of each end among 2**bits places, as uint64."""
    heavier = xp.uint64(_heavier(params))
    place = xp.zeros(count, dtype=xp.uint64)
    for level in range(bits):
        if level % _LEVELS == 0:
            stream = _FALL + _WORDS * side + level // _LEVELS
            word = rng.words(xp, first, count, params["seed"], stream)
        place += place
        place |= (word & xp.uint64(0xFFFF)) >= heavier
        word >>= xp.uint64(16)
    return place
