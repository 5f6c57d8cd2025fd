"""Random geometric graph: n points uniform in the unit square, linked when within a radius.

Coordinates are 30-bit integers and distances are compared as integers, so every machine makes
the same graph. Vertices are numbered by cell, row of cells by row: neighbours then have near
numbers, as in the rgg_n_2_* collection.
"""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

from gunrock_cli.graph import rng
from gunrock_cli.graph.edges import EdgeList
from gunrock_cli.graph.generate.chunks import chunks
from gunrock_cli.graph.model import Array

_BITS = 30
_UNIT = 1 << _BITS


def edges(xp: ModuleType, params: dict[str, Any]) -> EdgeList:
    n = params["nodes"]
    radius = params["radius"]
    if radius is None:
        radius = params["threshold_factor"] * math.sqrt(math.log(n) / n)
    reach = round(min(radius, 2.0) * _UNIT)  # in units of 2**-30; all are closer than 2
    grid = max(1, min(_UNIT // max(reach, 1), math.isqrt(n), 1 << 15))  # cells a side
    x, y, starts = _points_by_cell(xp, n, grid, params["seed"])
    src, dst = _close_pairs(xp, x, y, starts, grid, reach)
    return EdgeList(n, src, dst, symmetric=True)


def _points_by_cell(
    xp: ModuleType, n: int, grid: int, seed: int
) -> tuple[Array, Array, Array]:
    """Coordinates (int32, shape (n,)) ordered by cell, and where each cell begins (int64)."""
    word = rng.words(xp, 0, n, seed)
    x = (word >> xp.uint64(64 - _BITS)).astype(xp.int64)
    y = (word & xp.uint64(_UNIT - 1)).astype(xp.int64)
    del word
    cell = _cell(x, grid) + grid * _cell(y, grid)
    # Points of a cell stay in the order in which they were drawn: the number of the draw breaks ties.
    cell <<= 32
    cell |= xp.arange(n, dtype=xp.int64)
    cell.sort()
    order = cell & 0xFFFFFFFF
    cell >>= 32
    starts = xp.searchsorted(cell, xp.arange(grid * grid + 1, dtype=xp.int64))
    return x[order].astype(xp.int32), y[order].astype(xp.int32), starts


def _cell(coordinate: Array, grid: int) -> Array:
    return (coordinate * grid) >> _BITS


def _close_pairs(
    xp: ModuleType, x: Array, y: Array, starts: Array, grid: int, reach: int
) -> tuple[Array, Array]:
    """All pairs u < v within reach: int32 each.

    Cells of a row are consecutive, so a point's candidates with larger numbers are two ranges:
    the rest of its cell and the next one, and three cells of the row below.
    """
    n = len(x)
    sources: list[Array] = [xp.empty(0, dtype=xp.int32)]
    targets: list[Array] = [xp.empty(0, dtype=xp.int32)]
    per_point = max(1, math.ceil(3 * n / (grid * grid)))
    for first, count in chunks(xp, n, per_point):
        points = xp.arange(first, first + count, dtype=xp.int64)
        column = _cell(x[first : first + count].astype(xp.int64), grid)
        row = _cell(y[first : first + count].astype(xp.int64), grid)
        left, right = xp.maximum(column - 1, 0), xp.minimum(column + 1, grid - 1)
        here = row * grid
        below = xp.minimum(row + 1, grid - 1) * grid
        last_row = row == grid - 1
        begin = starts[below + left]
        end = xp.where(last_row, begin, starts[below + right + 1])
        for lo, hi in ((points + 1, starts[here + right + 1]), (begin, end)):
            u, v = _expand(xp, points, lo, hi)
            dx = x[u].astype(xp.int64) - x[v]
            dy = y[u].astype(xp.int64) - y[v]
            dx *= dx
            dy *= dy
            dx += dy
            near = dx <= reach * reach
            sources.append(u[near].astype(xp.int32))
            targets.append(v[near].astype(xp.int32))
    return xp.concatenate(sources), xp.concatenate(targets)


def _expand(xp: ModuleType, points: Array, lo: Array, hi: Array) -> tuple[Array, Array]:
    """Pairs of each point with every number of its range [lo, hi)."""
    sizes = xp.maximum(hi - lo, 0)
    ends = xp.cumsum(sizes)
    total = int(ends[-1])
    slot = xp.arange(total, dtype=xp.int64)
    owner = xp.searchsorted(ends, slot, side="right")
    return points[owner], slot - (ends - sizes)[owner] + lo[owner]
