"""Rows with some entries taken out and others put in: a few passes over the entries, without sorting
[D-change-1]."""

from __future__ import annotations

import numpy as np

from gunrock_cli.graph.model.graph import Array, Csr, array_module, offset_dtype


def places_of(csr: Csr, rows: Array, columns: Array) -> tuple[Array, Array]:
    """For each (row, column) the place of the first entry of that row that is not below the column, and
    True if it is that column: int64 and bool, of the shape of ``rows``. Rows beyond the last are
    empty."""
    xp, entries = array_module(rows), csr.column_indices
    offsets = csr.row_offsets.astype(np.int64, copy=False)
    low = offsets[xp.minimum(rows, csr.n)]
    high = offsets[xp.minimum(rows + 1, csr.n)]
    end = high.copy()
    if not csr.m:
        return low, xp.zeros(len(rows), bool)
    for _ in range(int(csr.longest).bit_length()):  # as many halvings as the longest row needs
        middle = (low + high) // 2
        below = (low < high) & (entries[xp.minimum(middle, csr.m - 1)] < columns)
        low, high = xp.where(below, middle + 1, low), xp.where(below, high, xp.maximum(middle, low))
    return low, (low < end) & (entries[xp.minimum(low, csr.m - 1)] == columns)


def merged(
    csr: Csr, n: int, gone: Array, at: Array, rows: Array, columns: Array, values: Array | None
) -> Csr:
    """``n`` rows without the entries at the places ``gone`` (ascending), and with new ones, each before
    the entry that was at a place ``at`` (ascending). ``values`` are the new entries' if rows have values.
    Shares no memory with ``csr``."""
    xp, m = array_module(at), csr.m - len(gone) + len(at)
    offsets = xp.empty(n + 1, np.int64)
    offsets[: csr.n + 1] = csr.row_offsets
    offsets[csr.n + 1 :] = csr.m
    fresh, places = xp.zeros(m, bool), at
    if len(at):
        offsets[1:] += xp.cumsum(xp.bincount(rows, minlength=n))
        places = at + xp.arange(len(at))
    if len(gone):
        shortened = xp.searchsorted(csr.row_offsets, gone, side="right") - 1
        offsets[1:] -= xp.cumsum(xp.bincount(shortened, minlength=n))
        places = places - xp.searchsorted(gone, at)
    fresh[places] = True
    old = ~fresh
    kept = xp.ones(csr.m, bool)
    kept[gone] = False

    def put(before: Array, new: Array) -> Array:
        found = xp.empty(m, before.dtype)
        found[old] = before[kept] if len(gone) else before
        found[fresh] = new
        return found

    return Csr(
        offsets.astype(offset_dtype(xp, m), copy=False),
        put(csr.column_indices, columns),
        None if csr.values is None else put(csr.values, values),
    )
