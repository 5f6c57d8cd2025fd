"""What the operator ``pick`` (kernels/operators/pick.cuh) needs to pick edges by their weights."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.graph import Array, Graph, to_numpy

Numbers = np.ndarray[Any, Any]
UNIT = 2**28
"""The mean weight of a list in whole numbers, to which weights are rounded so that sums are exact. The
sum over all entries of a graph fits 63 bits."""
NOTHING = np.uint64(2**64 - 1)
"""ByWeight::NOTHING: the word of entries whose list weighs nothing."""


def alias_table(graph: Graph) -> Array:
    """Make the table of Walker's alias method for every list, whose weights are not negative: uint64,
    shape (m,), in the graph's memory. The host makes it, once for a graph.

    An entry that weighs less than the mean of its list needs a heavier one to take the rest of its turn.
    In one sweep over light and heavy entries (Hübschle-Schneider and Sanders 2022), each heavy one takes
    turns until it is light itself, and the next heavy one takes what it then lacks. So who takes whose
    turn follows from sums of what light ones lack and heavy ones have too much of. Each list has as much
    of either, so the sums run through all lists at once."""
    weights, offsets = to_numpy(graph.csr.values), to_numpy(graph.csr.row_offsets).astype(np.int64)
    rows = np.repeat(np.arange(graph.n), np.diff(offsets))
    units, nothing = _units(weights, offsets, rows)
    light, heavy = np.flatnonzero(units <= UNIT), np.flatnonzero(units > UNIT)
    lacks = UNIT - units[light]
    lacked, left = np.cumsum(lacks), np.cumsum(units[heavy] - UNIT)
    chance, taker = np.full(graph.m, UNIT, np.int64), np.arange(graph.m)
    chance[light] = units[light]
    if len(heavy):
        first = np.searchsorted(left, lacked - lacks, side="right")
        short = lacks > 0
        taker[light[short]] = heavy[first[short]]
        last = np.minimum(np.searchsorted(lacked, left, side="right"), len(light) - 1)
        within = (lacked[last] > left) & (
            lacked[last] - lacks[last] < left
        )  # one that lacks more than is left
        spent = (rows[light[last]] == rows[heavy]) & within
        chance[heavy[spent]] = UNIT - (lacked[last] - left)[spent]
        taker[heavy[spent]] = heavy[np.flatnonzero(spent) + 1]
    words = (taker - offsets[rows]).astype(np.uint64) << np.uint64(32)
    words |= (chance % UNIT).astype(np.uint64) * np.uint64(2**32 // UNIT)  # a whole turn is one's own
    words[nothing] = NOTHING
    return graph.xp.asarray(words)


def picked(xp: ModuleType, begin: Array, length: Array, words: Array, table: Array | None) -> Array:
    """The entries that the operator picks by these words of lists that begin at ``begin``, by arrays:
    int64, -1 if there is none. Without a table each entry has the same chance."""
    entries = begin + rng.scaled_wide_each(xp, words, length)
    some = length > 0
    if table is not None and len(table):
        turns = table[xp.where(some, entries, 0)]
        own = rng.mixed(xp, words) >> np.uint64(32) < turns & np.uint64(2**32 - 1)
        entries = xp.where(own, entries, begin + (turns >> np.uint64(32)).astype(np.int64))
        some &= turns != NOTHING
    return xp.where(some, entries, -1)


def _units(weights: Numbers, offsets: Numbers, rows: Numbers) -> tuple[Numbers, Numbers]:
    """The weights as whole numbers whose mean in each list is UNIT, and the entries whose list weighs
    nothing (bool), of which each is UNIT."""
    lengths = np.diff(offsets)
    some = lengths > 0
    begun = offsets[:-1][some]
    scaled, totals, most = weights.astype(np.float64), np.zeros(len(lengths)), np.zeros(len(lengths))
    if not len(begun):
        return np.zeros(0, np.int64), np.zeros(0, bool)
    most[some] = np.maximum.reduceat(scaled, begun)
    nothing = most[rows] == 0
    scaled /= np.where(nothing, 1, most[rows])  # sums of large weights would be infinite
    totals[some] = np.add.reduceat(scaled, begun)
    shares = np.divide(scaled * lengths[rows], totals[rows], out=np.ones(len(scaled)), where=~nothing)
    units: Numbers = np.rint(shares * UNIT).astype(np.int64)
    lacking = UNIT * lengths[some] - np.add.reduceat(units, begun)  # by rounding
    _, first = np.unique(rows[is_top := np.flatnonzero((scaled == 1) | nothing)], return_index=True)
    units[is_top[first]] += lacking  # to the first of the heaviest
    return units, nothing
