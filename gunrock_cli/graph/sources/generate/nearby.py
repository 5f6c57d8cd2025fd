"""Points uniform in the unit square or cube, and the pairs of them within a radius.

Coordinates are 30-bit integers and distances are compared as integers, so every machine makes the same
graph. Points are numbered by cell, row of cells by row: neighbours then have similar numbers, as in the
rgg_n_2_* collection.
"""

from __future__ import annotations

import math
from itertools import product
from types import ModuleType

from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.chunks import chunks
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.model.graph import Array
from gunrock_cli.graph.sources.generate.catalog import rgg_radius

_BITS = 30
_UNIT = 1 << _BITS
_FARTHEST = 2.0
"""An upper bound on the distance of two points."""


def rgg(xp: ModuleType, nodes: int, threshold_factor: float, radius: float | None, seed: int) -> EdgeList:
    """Random geometric graph: n points uniform in the unit square, linked when within a radius."""
    return linked_points(xp, nodes, rgg_radius(nodes, threshold_factor, radius), 2, seed)


def rgg3d(xp: ModuleType, nodes: int, radius: float, seed: int) -> EdgeList:
    """Random geometric graph in space: n points uniform in the unit cube, linked when within a radius."""
    return linked_points(xp, nodes, radius, 3, seed)


def linked_points(xp: ModuleType, n: int, radius: float, dimensions: int, seed: int) -> EdgeList:
    """All pairs of n points within the radius of each other."""
    reach = round(min(radius, _FARTHEST) * _UNIT)  # in units of 2**-30
    grid = max(1, min(_UNIT // max(reach, 1), _root(n, dimensions), 1 << (_BITS // dimensions)))
    places, starts = points_by_cell(xp, n, grid, seed, dimensions)
    src, dst = _close_pairs(xp, places, starts, grid, reach)
    return EdgeList(n, src, dst, symmetric=True)


def _root(n: int, degree: int) -> int:
    """The integer root, rounded down."""
    near: int = round(n ** (1 / degree))
    return near if near**degree <= n else near - 1


def points_by_cell(
    xp: ModuleType, n: int, grid: int, seed: int, dimensions: int
) -> tuple[list[Array], Array]:
    """Each coordinate (int32, shape (n,)) of points ordered by cell, and where each cell begins (int64).
    There are ``grid`` cells along each side."""
    places = _coordinates(xp, n, seed, dimensions)
    cell = xp.zeros(n, dtype=xp.int64)
    for place in reversed(places):
        cell = cell * grid + _cell(place, grid)
    # Points of a cell keep the order in which they were drawn: the number of the draw breaks ties.
    cell <<= 32
    cell |= xp.arange(n, dtype=xp.int64)
    cell.sort()
    order = cell & 0xFFFFFFFF
    cell >>= 32
    starts = xp.searchsorted(cell, xp.arange(grid**dimensions + 1, dtype=xp.int64))
    return [place[order].astype(xp.int32) for place in places], starts


def _coordinates(xp: ModuleType, n: int, seed: int, dimensions: int) -> list[Array]:
    """Coordinates of n points, two from each word."""
    places: list[Array] = []
    for stream in range((dimensions + 1) // 2):
        word = rng.words(xp, 0, n, seed, stream)
        places += [
            (word >> xp.uint64(64 - _BITS)).astype(xp.int64),
            (word & xp.uint64(_UNIT - 1)).astype(xp.int64),
        ]
    return places[:dimensions]


def _cell(coordinate: Array, grid: int) -> Array:
    return (coordinate * grid) >> _BITS


def _close_pairs(
    xp: ModuleType, places: list[Array], starts: Array, grid: int, reach: int
) -> tuple[Array, Array]:
    """All pairs u < v within reach: int32 each.

    Cells of a row are consecutive, so a point's candidates with larger numbers are a few ranges:
    the rest of its cell and the next one, and three cells of each row behind that.
    """
    n = len(places[0])
    sources: list[Array] = [xp.empty(0, dtype=xp.int32)]
    targets: list[Array] = [xp.empty(0, dtype=xp.int32)]
    per_point = max(1, math.ceil(3 * n / grid ** len(places)))
    for first, count in chunks(xp, n, per_point):
        points = xp.arange(first, first + count, dtype=xp.int64)
        cells = [_cell(place[first : first + count].astype(xp.int64), grid) for place in places]
        for lo, hi in _ranges(xp, points, cells, starts, grid):
            u, v = _expand(xp, points, lo, hi)
            distance = xp.zeros(len(u), dtype=xp.int64)
            for place in places:
                along = place[u].astype(xp.int64) - place[v]
                along *= along
                distance += along
            near = distance <= reach * reach
            sources.append(u[near].astype(xp.int32))
            targets.append(v[near].astype(xp.int32))
    return xp.concatenate(sources), xp.concatenate(targets)


def _ranges(
    xp: ModuleType, points: Array, cells: list[Array], starts: Array, grid: int
) -> list[tuple[Array, Array]]:
    """The begin and end of each point's candidates, for one row after the other."""
    column, *rows = cells
    left, right = xp.maximum(column - 1, 0), xp.minimum(column + 1, grid - 1)
    found = []
    for steps in product((-1, 0, 1), repeat=len(rows)):  # along the last axis first
        if steps < (0,) * len(rows):
            continue
        row, inside = xp.zeros_like(column), xp.ones(len(column), dtype=bool)
        for place, step in zip(reversed(rows), steps, strict=True):
            row = row * grid + place + step
            inside &= (place + step >= 0) & (place + step < grid)
        row = xp.where(inside, row * grid, 0)
        begin = starts[row + left] if any(steps) else points + 1
        found.append((begin, xp.where(inside, starts[row + right + 1], begin)))
    return found


def _expand(xp: ModuleType, points: Array, lo: Array, hi: Array) -> tuple[Array, Array]:
    """Pairs of each point with every number of its range [lo, hi)."""
    sizes = xp.maximum(hi - lo, 0)
    ends = xp.cumsum(sizes)
    total = int(ends[-1])
    slot = xp.arange(total, dtype=xp.int64)
    owner = xp.searchsorted(ends, slot, side="right")
    return points[owner], slot - (ends - sizes)[owner] + lo[owner]
