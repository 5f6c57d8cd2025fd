"""Random regular graphs: every vertex has as many ends as its degree, and all ends are paired at random.

A pair that is a loop, or a repetition, swaps ends with another pair if that makes two new edges, until
none is left: nearly all such graphs are about equally likely.
"""

from __future__ import annotations

from types import ModuleType

from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.model.graph import Array
from gunrock_cli.graph.sources.generate.random import unranked

_PATIENCE = 64
"""Rounds of swaps before all ends are paired again: swaps among few vertices may lead nowhere."""


def edges(xp: ModuleType, nodes: int, degree: int, seed: int) -> EdgeList:
    if 2 * degree < nodes:
        pairs = _pairs(xp, nodes, degree, seed)
        return EdgeList(nodes, pairs[:, 0].copy(), pairs[:, 1].copy(), symmetric=True)
    out = _pairs(xp, nodes, nodes - 1 - degree, seed).astype(xp.int64)  # dense: draw the edges left out
    low, high = out.min(axis=1), out.max(axis=1)
    keep = xp.ones(nodes * (nodes - 1) // 2, dtype=bool)
    keep[high * (high - 1) // 2 + low] = False
    return EdgeList(nodes, *unranked(xp, xp.flatnonzero(keep)), symmetric=True)


def _pairs(xp: ModuleType, n: int, degree: int, seed: int) -> Array:
    """All edges, int32, shape (m, 2)."""
    turn = 0
    while True:
        if turn % _PATIENCE == 0:
            ends = rng.shuffled(xp, n * degree, seed, 2 * turn)
            pairs = (ends // max(degree, 1)).astype(xp.int32).reshape(-1, 2)
        bad, known = _bad(xp, pairs)
        if not len(bad):
            return pairs
        word = rng.words(xp, 0, len(bad), seed, 2 * turn + 1)
        _swap(xp, pairs, bad, rng.scaled_wide(xp, word, len(pairs)), known)
        turn += 1


def _keys(xp: ModuleType, one: Array, other: Array) -> Array:
    key = xp.minimum(one, other).astype(xp.int64)
    key <<= 32
    key |= xp.maximum(one, other)
    return key


def _again(xp: ModuleType, keys: Array, order: Array) -> Array:
    """True for each key that repeats an earlier one; ``order`` sorts the keys."""
    repeats = keys[order[1:]] == keys[order[:-1]]
    again = xp.zeros(len(keys), dtype=bool)
    again[order[1:][repeats]] = True
    return again


def _bad(xp: ModuleType, pairs: Array) -> tuple[Array, Array]:
    """The indices of loops and of repeated pairs; all keys, sorted."""
    keys = _keys(xp, pairs[:, 0], pairs[:, 1])
    order = xp.argsort(keys, kind="stable")
    bad = _again(xp, keys, order) | (pairs[:, 0] == pairs[:, 1])
    return xp.flatnonzero(bad), keys[order]


def _swap(xp: ModuleType, pairs: Array, bad: Array, others: Array, known: Array) -> None:
    """Swap ends of each bad pair with another pair if both become new edges that no other swap makes."""
    new = xp.stack((pairs[bad, 0], pairs[others, 0], pairs[bad, 1], pairs[others, 1]), axis=1)
    ends = new.reshape(-1, 2)  # of both new edges, one after the other
    keys = _keys(xp, ends[:, 0], ends[:, 1])
    place = xp.minimum(xp.searchsorted(known, keys), len(known) - 1)
    wrong = (ends[:, 0] == ends[:, 1]) | (known[place] == keys)
    wrong |= _again(xp, keys, xp.argsort(keys, kind="stable"))
    taken = _again(xp, others, xp.argsort(others, kind="stable")) | xp.isin(others, bad)
    done = xp.flatnonzero(~(wrong.reshape(-1, 2).any(axis=1) | taken))
    pairs[bad[done]] = new[done, :2]
    pairs[others[done]] = new[done, 2:]
