"""Generators whose edges are each a function of their number: recipes for the compiled code that draws
them again instead of keeping them (``cpp/draw.hpp``, which has these structs)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gunrock_cli.graph.model import rng

_U32, _I32, _U64 = np.uint32, np.int32, np.uint64
_MORE = 1.03
BUCKET_BITS = 20
"""Bits in the number of buckets in which drawn edges are counted."""
RELABELLING = np.dtype([("factors", _U32, 4), ("summands", _U32, 4), ("bits", _I32)], align=True)
RMAT = np.dtype(
    [("keys", _U64, 15), ("bounds", _U64, 3), ("relabel", RELABELLING), ("scale", _I32)], align=True
)
PART = np.dtype(
    [
        ("keys", _U64, 8),
        ("relabel", RELABELLING),
        ("bits", _I32),
        ("size", _U32),
        ("heavier", _U32),
        ("uniform", _I32),
    ],
    align=True,
)
BIPARTITE = np.dtype([("left", PART), ("right", PART)], align=True)
SMALL_WORLD = np.dtype([("keys", _U64, 2), ("rewired", _U64), ("n", _U32)], align=True)


@dataclass(frozen=True)
class Window:
    """The directed edges from vertices ``first`` to ``last - 1`` that lead to ``low`` to ``high - 1``.
    Its rows count from ``first``; columns keep their numbers."""

    first: int
    last: int
    low: int
    high: int

    @property
    def rows(self) -> int:
        return self.last - self.first


@dataclass(frozen=True)
class Piece:
    """A window, and the number of directed edges drawn in it, repetitions counted."""

    window: Window
    keys: int


def bucket_shift(rows: int) -> int:
    """Rows in a bucket, as a power of two, that leave few enough buckets to count in."""
    return max(0, max(1, (rows - 1).bit_length()) - BUCKET_BITS)


def buckets_of(window: Window, shift: int) -> int:
    """The number of groups of 1 << ``shift`` rows; the last may be smaller."""
    return -(-window.rows >> shift)


@dataclass(frozen=True)
class Drawing:
    """``recipe`` is a struct of ``cpp/draw.hpp``, called ``struct`` there, for ``edges`` edges between n
    vertices. ``symmetric``: as in ``EdgeList``. ``distinct(both, loops)`` is the largest number of
    different directed edges to expect: ``both`` directions of each, self loops counted or not."""

    struct: str
    recipe: np.ndarray[Any, Any]
    n: int
    edges: int
    distinct: Callable[[bool, bool], float]
    symmetric: bool = False

    @property
    def whole(self) -> Window:
        """The window of all edges."""
        return Window(0, self.n, 0, self.n)

    def directed(self, both: bool) -> int:
        """The most directed edges before cleaning."""
        return self.edges * (2 if both else 1)

    def expected(self, both: bool, loops: bool, duplicates: bool) -> int:
        """The most edges left after cleaning, except with a probability below 10**-15: the number of
        different edges varies less than that of as many independent throws."""
        most = self.directed(both)
        if duplicates:
            return most
        mean = self.distinct(both, loops)
        return min(most, math.ceil(mean + 16 * math.sqrt(mean) + 1024))

    def expected_of(self, keys: int, both: bool, loops: bool, duplicates: bool) -> int:
        """About how many of the ``keys`` counted in some rows are left: their share of all, and a little
        more, as hubs are in few rows and have most of the repetitions."""
        share = self.expected(both, loops, duplicates) / max(1, self.directed(both))
        return min(keys, int(_MORE * share * keys) + 1024)


def struct(dtype: np.dtype[Any], **fields: Any) -> np.ndarray[Any, Any]:
    """One struct of a dtype, its other fields 0. Of an array field only the given entries are set."""
    record = np.zeros((), dtype)
    for name, value in fields.items():
        if isinstance(value, (list, tuple)):
            record[name][: len(value)] = value
        else:
            record[name] = value
    return record


def relabelling(bits: int, seed: int, stream: int) -> np.ndarray[Any, Any]:
    """The relabelling of ``rng.scramble``."""
    keys = [rng.stream_key(seed, stream + turn) for turn in range(4)]
    return struct(
        RELABELLING,
        bits=bits,
        factors=[(key | 1) % 2**32 for key in keys],
        summands=[rng.mix_scalar(key) % 2**32 for key in keys],
    )


def thrown(cells: float, chance: float, throws: int) -> float:
    """The expected number of ``cells`` cells, each with this chance, that are hit at least once."""
    if chance >= 1:
        return cells if throws else 0.0
    return cells * -math.expm1(throws * math.log1p(-chance))
