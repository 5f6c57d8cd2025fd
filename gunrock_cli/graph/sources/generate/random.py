"""G(n, M) of Erdos and Renyi: M different pairs of different vertices, all sets equally likely.

Pairs are drawn in order of a counter and the first M different ones are taken, which is uniform.
"""

from __future__ import annotations

import math
from types import ModuleType

from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.chunks import chunks
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.model.graph import Array


def edges(xp: ModuleType, nodes: int, edges: int, seed: int) -> EdgeList:
    pairs = nodes * (nodes - 1) // 2
    if 2 * edges <= pairs:
        chosen = _distinct(xp, pairs, edges, seed)
    else:  # dense: draw the pairs to leave out
        out = _distinct(xp, pairs, pairs - edges, seed)
        keep = xp.ones(pairs, dtype=bool)
        keep[out] = False
        chosen = xp.flatnonzero(keep)
    u, v = unranked(xp, chosen)
    return EdgeList(nodes, u, v, symmetric=True)


def _distinct(xp: ModuleType, bound: int, m: int, seed: int) -> Array:
    """The first m different numbers of a random sequence below bound: int64, ascending."""
    if m == 0:
        return xp.empty(0, dtype=xp.int64)
    # Expected draws until m are different, and some more; drawn again from the start if short.
    expected = -bound * math.log1p(-m / bound) if m < bound else bound * (math.log(bound) + 1)
    draws = math.ceil(expected + 6 * math.sqrt(expected) + 16)
    while True:
        numbers = _draw(xp, bound, draws, seed)
        order = xp.argsort(numbers, kind="stable")
        numbers = numbers[order]
        first = xp.empty(draws, dtype=bool)
        first[:1] = True
        first[1:] = numbers[1:] != numbers[:-1]
        order, numbers = order[first], numbers[first]
        if len(numbers) >= m:
            cut = xp.sort(order)[m - 1]  # the draw that completes the set
            return numbers[order <= cut]
        draws *= 2


def _draw(xp: ModuleType, bound: int, draws: int, seed: int) -> Array:
    numbers = xp.empty(draws, dtype=xp.int64)
    for first, count in chunks(xp, draws):
        word = rng.words(xp, first, count, seed)
        numbers[first : first + count] = rng.scaled_wide(xp, word, bound)
    return numbers


def unranked(xp: ModuleType, rank: Array) -> tuple[Array, Array]:
    """The pair v > u of each number: rank = v (v - 1) / 2 + u."""
    v = ((1.0 + xp.sqrt(1.0 + 8.0 * rank)) / 2.0).astype(xp.int64)
    v -= (v * (v - 1)) // 2 > rank  # the square root rounds
    v += (v * (v + 1)) // 2 <= rank
    u = rank - (v * (v - 1)) // 2
    return u.astype(xp.int32), v.astype(xp.int32)
