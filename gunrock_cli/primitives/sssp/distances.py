"""Distances in kernels and in answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.model.graph import Array, Graph, to_numpy
from gunrock_cli.primitives.reached import is_reached, with_unreached_shown

INT_UNREACHED = 2**31 - 1
"""The kernel's distance for an unreached vertex, with integer weights (infinity with floats)."""
CHUNK = 1 << 24  # edges per pass on the host


def weights_of(graph: Graph) -> Array:
    """The weights; a graph whose options were chosen has them."""
    assert graph.csr.values is not None
    return graph.csr.values


def shown_distances(graph: Graph, distances: Array, out_of_range: bool) -> Array:
    """Convert a kernel's distances to an answer's; InputError if one is too long for its type."""
    if out_of_range:
        _check_range(graph, distances)
    if distances.dtype == np.int32:
        return with_unreached_shown(distances, INT_UNREACHED)
    return distances


def may_leave_range(graph: Graph) -> bool:
    """True if some path could be too long for the type of the weights."""
    values = weights_of(graph)
    if graph.m == 0:
        return False
    longest = float(values.max()) * (graph.n - 1)
    limit = INT_UNREACHED if values.dtype == np.int32 else float(np.finfo(np.float32).max) / 2
    return bool(longest >= limit)


def _check_range(graph: Graph, distances: Array) -> None:
    """Raise InputError if the path that was too long was the only one to a vertex."""
    host, own = graph.to(np), to_numpy(distances)
    reached = own != (INT_UNREACHED if own.dtype == np.int32 else np.inf)
    for edges, rows in chunks_of_edges(host):
        columns = host.csr.column_indices[edges]
        lost = np.flatnonzero(reached[rows] & ~reached[columns])
        if len(lost):
            integers = own.dtype == np.int32
            hint = "use --weight-type float32" if integers else "scale the weights down"
            raise InputError(
                f"the distance of vertex {columns[lost[0]]} is beyond the range of {own.dtype}; {hint}"
            )


def reached_by(xp: Any, distances: Array) -> Array:
    """True for each reached vertex, from the distances of an answer."""
    return is_reached(distances) if distances.dtype.kind == "i" else xp.isfinite(distances)


def with_infinity(distances: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Distances as float64, which holds every int32; infinity if unreached."""
    wide = distances.astype(np.float64)
    if distances.dtype.kind == "i":
        wide[distances < 0] = np.inf
    return wide


def chunks_of_edges(graph: Graph) -> Iterator[tuple[slice, np.ndarray[Any, Any]]]:
    """Slices of the edges, each with the sources of its edges."""
    rows = graph.csr.row_offsets
    for first in range(0, graph.m, CHUNK):
        last = min(first + CHUNK, graph.m)
        low = int(np.searchsorted(rows, first, side="right")) - 1
        high = int(np.searchsorted(rows, last, side="left"))
        inside = np.clip(rows[low : high + 1], first, last)
        yield slice(first, last), np.repeat(np.arange(low, high), np.diff(inside))
