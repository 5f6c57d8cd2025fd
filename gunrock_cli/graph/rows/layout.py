"""The layout of compiled code that makes the rows of a graph: the width of keys, the number of buckets
and of passes.

A pass makes the rows of some buckets, and needs room only for its keys besides the finished rows. Keys of
32 bits are stored where their columns will be, so they need no room of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

_KEYS_PER_BUCKET = 1 << 16
_MOST_BUCKETS = 1 << 10
_MOST_SMALL_BUCKETS = 1 << 14
"""The most buckets in a pass that keys of 32 bits are worth."""
_NARROW = 32
"""Bits of a narrow key (fewer in tests)."""
_FEW_PASSES = 4
"""The most passes with keys of 32 bits before wide keys, in their own passes, are quicker."""
_SHARE = 0.3
"""The memory of a pass's keys besides the columns, as a share of the columns', so that everything takes
at most 1.4 times the graph."""
_SMALL = 1 << 28
"""So few bytes of keys are never worth a second pass."""


@dataclass(frozen=True)
class Layout:
    """``shift``: rows of a bucket as a power of two. A pass has at most ``span`` buckets and ``most``
    keys, unless one bucket alone has more. ``apart``: keys are not stored where their columns will be."""

    shift: int
    buckets: int
    key: np.dtype[Any]
    span: int
    most: int
    apart: bool = False

    def rounds(self, keys: int) -> int:
        """The approximate number of passes, for a progress bar."""
        return max(-(-self.buckets // self.span), -(-keys // self.most))

    def passes(self, starts: np.ndarray[Any, Any]) -> Iterator[tuple[int, int]]:
        """The first bucket of each pass and the one after its last, given where buckets' keys begin."""
        first = 0
        while first < self.buckets:
            within = int(np.searchsorted(starts, starts[first] + self.most, side="right")) - 1
            last = min(max(within, first + 1), first + self.span, self.buckets)
            yield first, last
            first = last


def layout(
    n: int,
    keys: int,
    weight_bytes: int = 0,
    frugal: bool = False,
    made: int | None = None,
    columns: int | None = None,
) -> Layout:
    """The layout for at most ``keys`` keys of n rows, of which ``made`` columns are expected to be left.
    ``frugal``: as many passes as keep memory little above the result's; otherwise one, which is quicker.
    ``columns``: the number of vertices, if more than rows."""
    bits = max(1, ((columns or n) - 1).bit_length())
    shift, buckets = _buckets(n, keys, bits)
    key = np.dtype(np.uint32 if bits + shift <= _NARROW else np.uint64)
    span, most = buckets, max(1, keys)
    if not frugal:
        return Layout(shift, buckets, key, span, most)
    made = keys if made is None else made
    room = max(_SMALL, int(_SHARE * made * (4 + weight_bytes)))
    narrow, last = _NARROW - bits, max(n, 1) - 1
    if key.itemsize == 8 and narrow >= 0 and last >> narrow < _FEW_PASSES * _MOST_SMALL_BUCKETS:
        shift, buckets, key = narrow, (last >> narrow) + 1, np.dtype(np.uint32)
        span = _MOST_SMALL_BUCKETS
    apart = key.itemsize == 8
    if apart or keys > (1 + _SHARE) * made:  # otherwise dropped keys fit in the share
        most = max(1, room // (key.itemsize + weight_bytes))
    return Layout(shift, buckets, key, span, most, apart)


def is_large(keys: int) -> bool:
    """True if so many keys are worth several passes."""
    return keys * 8 > _SMALL


def _buckets(n: int, keys: int, bits: int) -> tuple[int, int]:
    """Rows of a bucket as a power of two, and the number of buckets."""
    last = max(n, 1) - 1
    wanted = min(_MOST_BUCKETS, max(1, keys // _KEYS_PER_BUCKET))
    shift = 0
    while last >> shift >= wanted:
        shift += 1
    narrow = _NARROW - bits  # rows that leave keys narrow
    if narrow < shift and narrow >= 0 and last >> narrow < _MOST_SMALL_BUCKETS:
        shift = narrow
    return shift, (last >> shift) + 1
