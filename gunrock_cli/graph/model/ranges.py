"""Ranges of places: the entries of some rows, and rows that together have a bounded number of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

_Numbers = np.ndarray[Any, Any]


def ranges(begins: _Numbers, lengths: _Numbers) -> _Numbers:
    """``begins[i]``, ``begins[i] + 1``, ..., ``lengths[i]`` of them, for each i: int64, shape
    (lengths.sum(),)."""
    before = np.cumsum(lengths) - lengths
    return np.repeat(begins - before, lengths) + np.arange(lengths.sum())


def shares(amounts: _Numbers, most: int) -> Iterator[tuple[int, int]]:
    """Yield ranges (first, last) that cover all items, each of items whose amounts are at most ``most``
    together, or of one item."""
    ends, first = np.cumsum(amounts), 0
    while first < len(ends):
        before = ends[first] - amounts[first]
        last = max(first + 1, int(np.searchsorted(ends, before + most, "right")))
        yield first, last
        first = last
