"""Turn a list of edges into compressed sparse rows: clean, symmetrize, sort. NumPy and CuPy alike.

An edge becomes one 64-bit key, source above destination; sorting the keys groups rows, orders their
neighbours and brings duplicates together. Peak memory beyond the input is about two arrays of keys (16
bytes per directed edge).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.model.changes import Changes
from gunrock_cli.graph.model.graph import (
    MAX_VERTICES,
    Array,
    Csr,
    Graph,
    Tally,
    array_module,
    moved,
    offset_dtype,
)
from gunrock_cli.graph.model.hashing import content_hash
from gunrock_cli.graph.model.memory import WORTH_ASKING, release_unused, require_memory
from gunrock_cli.graph.rows.native import rows_from_arrays
from gunrock_cli.jsontypes import Json

_BYTES_PER_VERTEX, _BYTES_PER_EDGE = 16, 16
"""The least memory in bytes at the peak of building: offsets and the indices to search them; keys."""
FEW_TO_LOOK_UP = 1 << 16
"""With fewer edges than this, a look-up decides whether each has its reverse, if their number leaves it
open. With more that would take long: if the graph has as many edges as were given, they count as given
both ways."""


def build_graph(
    n: int,
    src: Array,
    dst: Array,
    weights: Array | None = None,
    *,
    undirected: bool = True,
    keep_self_loops: bool = False,
    keep_duplicates: bool = False,
    heaviest: bool = False,
    name: str = "graph",
    origin: Mapping[str, Json] | None = None,
    xp: ModuleType = np,
    graph_hash: str | None = None,
    reverse: bool = True,
) -> Graph:
    """A clean graph with n vertices from edges in memory, ``src[i] -> dst[i]``; files and generators go
    through ``load``.

    ``undirected`` adds the reverse of every edge. ``graph_hash`` saves hashing (see ``hashing``); without
    ``reverse`` a directed graph has no in-edges. The other arguments are as for ``csr_from_edges``.
    """
    csr = csr_from_edges(
        xp,
        n,
        src,
        dst,
        weights,
        both_directions=undirected,
        keep_self_loops=keep_self_loops,
        keep_duplicates=keep_duplicates,
        heaviest=heaviest,
        name=name,
    )
    return graph_of_rows(
        csr,
        undirected=undirected,
        name=name,
        origin=origin,
        graph_hash=graph_hash,
        reverse=reverse,
        changes=csr.changes(undirected, undirected),
    )


def graph_of_rows(
    csr: Csr,
    *,
    undirected: bool,
    name: str,
    origin: Mapping[str, Json] | None = None,
    graph_hash: str | None = None,
    reverse: bool = True,
    changes: Changes | None = None,
) -> Graph:
    """A graph from clean, sorted rows in memory; ``undirected`` says that they hold both directions,
    ``changes`` what was done to them, if anything."""
    backwards = csr if undirected else in_edges(csr) if reverse else None
    release_unused(array_module(csr.row_offsets))
    return Graph(
        name=name,
        csr=csr,
        reverse=backwards,
        undirected=undirected,
        hash=content_hash(csr) if graph_hash is None else graph_hash,
        origin={}
        if origin is None
        else {
            "weights": "none" if csr.values is None else "given",
            "weight_type": None if csr.values is None else str(csr.values.dtype),
            **origin,
        },
        changes=Changes(csr.m) if changes is None else changes,
    )


def csr_from_edges(
    xp: ModuleType,
    n: int,
    src: Array,
    dst: Array,
    weights: Array | None,
    *,
    both_directions: bool,
    keep_self_loops: bool,
    keep_duplicates: bool,
    heaviest: bool = False,
    name: str = "graph",
) -> Csr:
    """The edges ``src[i] -> dst[i]`` (integers, shape (k,)) as sorted rows of n vertices, cleaned.

    ``both_directions`` adds the reverse of every edge. Unless ``keep_duplicates``, of equal edges the
    lightest is kept, or the ``heaviest``. Arrays of either module are accepted and moved to ``xp``.
    Raises InputError for more than 2**31 - 1 vertices, unequal lengths and ends outside 0 .. n - 1;
    OutOfMemory, which names the graph by ``name``, for edges that do not fit.
    """
    _check(n, src, dst, weights)
    directed = len(src) * (2 if both_directions else 1)
    require_memory(
        xp,
        _BYTES_PER_VERTEX * n + _BYTES_PER_EDGE * directed,
        f"{name}: {n} vertices and up to {directed} edges",
    )
    src, dst = moved(src, xp), moved(dst, xp)
    weights = None if weights is None else moved(weights, xp)
    return _rows(
        xp, n, src, dst, weights, both_directions, keep_self_loops, keep_duplicates, heaviest, name
    )


def in_edges(csr: Csr) -> Csr:
    """The reverse of every edge in the given rows, rows sorted, weights carried along."""
    xp = array_module(csr.row_offsets)
    if csr.n + csr.m >= WORTH_ASKING:
        require_memory(
            xp,
            _BYTES_PER_VERTEX * csr.n + _BYTES_PER_EDGE * csr.m,
            f"the in-edges of {csr.n} vertices and {csr.m} edges",
        )
    return _rows(
        xp,
        csr.n,
        csr.column_indices,
        csr.sources(),
        csr.values,
        both_directions=False,
        keep_self_loops=True,
        keep_duplicates=True,
    )


def _rows(
    xp: ModuleType,
    n: int,
    src: Array,
    dst: Array,
    weights: Array | None,
    both_directions: bool,
    keep_self_loops: bool,
    keep_duplicates: bool,
    heaviest: bool = False,
    name: str = "graph",
) -> Csr:
    """Make the rows: on the CPU compiled code does this for large graphs if there is a compiler, with the
    same result."""
    narrow = all(ends.dtype == np.int32 for ends in (src, dst))
    checks_itself = xp is np and narrow  # while it counts; wider ends would be cut off before that
    if not checks_itself:
        _check_range(n, src, dst)
    if xp is np:
        native = rows_from_arrays(
            n,
            src,
            dst,
            weights,
            both_directions=both_directions,
            keep_self_loops=keep_self_loops,
            keep_duplicates=keep_duplicates,
            heaviest=heaviest,
            name=name,
        )
        if native is not None:
            return native
    if checks_itself:
        _check_range(n, src, dst)
    edges = len(src)
    if not keep_self_loops:
        src, dst, weights = _without_self_loops(src, dst, weights)
    keys = _keys(xp, src, dst, both_directions)
    if weights is not None and both_directions:
        twin = weights
        if keep_self_loops:
            twin = weights[src != dst]
        weights = xp.concatenate((weights, twin))
    tally = Tally(edges, len(keys), keep_self_loops, keep_duplicates)
    ends = (src, dst) if both_directions and edges < FEW_TO_LOOK_UP else None
    del src, dst
    keys, weights = _sorted(xp, keys, weights, keep_duplicates, heaviest)
    if ends is not None and (keep_duplicates or edges >= len(keys)):  # enough for both directions
        tally = replace(tally, one_way=_is_one_way(xp, *ends))
    return replace(_csr_from_sorted_keys(xp, n, keys, weights), made_of=tally)


def _is_one_way(xp: ModuleType, src: Array, dst: Array) -> bool:
    """True if the reverse of some edge is missing."""
    there = xp.unique(_keys(xp, src, dst, both_directions=False))
    return bool((there != xp.unique(_keys(xp, dst, src, both_directions=False))).any())


def _check(n: int, src: Array, dst: Array, weights: Array | None) -> None:
    if n > MAX_VERTICES:
        raise InputError(f"{n} vertices are more than 32-bit vertex ids can number")
    if n < 0:
        raise InputError(f"a graph cannot have {n} vertices")
    lengths = {len(array) for array in (src, dst, weights) if array is not None}
    if len(lengths) > 1:
        raise InputError(f"edge arrays of unequal length: {sorted(lengths)}")


def _check_range(n: int, src: Array, dst: Array) -> None:
    for array in (src, dst):
        if len(array):
            low, high = int(array.min()), int(array.max())
            if low < 0 or high >= n:
                worst = low if low < 0 else high
                raise InputError(f"an edge ends at vertex {worst}, but vertices are 0 to {n - 1}")


def _without_self_loops(
    src: Array, dst: Array, weights: Array | None
) -> tuple[Array, Array, Array | None]:
    keep = src != dst
    if bool(keep.all()):
        return src, dst, weights
    return src[keep], dst[keep], None if weights is None else weights[keep]


def _keys(xp: ModuleType, src: Array, dst: Array, both_directions: bool) -> Array:
    """int64 keys, source << 32 | destination; a self loop is not doubled."""
    forward = len(src)
    if both_directions:
        loops = src == dst
        twins = forward - int(loops.sum())
    else:
        twins = 0
    keys = xp.empty(forward + twins, dtype=xp.int64)
    _pack(keys[:forward], src, dst)
    if twins == forward and both_directions:
        _pack(keys[forward:], dst, src)
    elif twins:
        _pack(keys[forward:], dst[~loops], src[~loops])
    return keys


def _pack(out: Array, high: Array, low: Array) -> None:
    out[:] = high
    out <<= 32
    out |= low


def _sorted(
    xp: ModuleType, keys: Array, weights: Array | None, keep_duplicates: bool, heaviest: bool
) -> tuple[Array, Array | None]:
    """Keys in ascending order (overwritten), one of each unless duplicates stay; weights follow."""
    if weights is None:
        keys.sort()
        return (keys if keep_duplicates else _unique_sorted(xp, keys)), None
    # Weights break ties, so that the outcome does not depend on the order of the input.
    order = _argsort(xp, keys, weights, keep_duplicates)
    keys, weights = keys[order], weights[order]
    del order
    if keep_duplicates or not len(keys):
        return keys, weights
    first = _first_of_each(xp, keys)
    if bool(first.all()):
        return keys, weights
    return keys[first], _extreme_by_group(xp, weights, first, xp.maximum if heaviest else xp.minimum)


def _argsort(xp: ModuleType, keys: Array, weights: Array, ties: bool) -> Array:
    if not ties:
        return xp.argsort(keys)
    order = xp.argsort(weights, kind="stable")
    return order[xp.argsort(keys[order], kind="stable")]


def _first_of_each(xp: ModuleType, keys: Array) -> Array:
    first = xp.empty(len(keys), dtype=bool)
    first[:1] = True
    xp.not_equal(keys[1:], keys[:-1], out=first[1:])
    return first


def _unique_sorted(xp: ModuleType, keys: Array) -> Array:
    if not len(keys):
        return keys
    first = _first_of_each(xp, keys)
    return keys if bool(first.all()) else keys[first]


def _extreme_by_group(xp: ModuleType, weights: Array, first: Array, extreme: Any) -> Array:
    """The smallest or the largest weight of every run that begins where ``first`` is true."""
    if xp is np:
        found: Array = extreme.reduceat(weights, np.flatnonzero(first))
        return found
    group = xp.cumsum(first) - 1
    found = weights[first]
    extreme.at(found, group, weights)
    return found


def _csr_from_sorted_keys(xp: ModuleType, n: int, keys: Array, values: Array | None) -> Csr:
    starts = xp.arange(n + 1, dtype=xp.int64)
    starts <<= 32
    offsets = xp.searchsorted(keys, starts).astype(offset_dtype(xp, len(keys)))
    del starts
    columns = xp.ascontiguousarray(keys.view(xp.int32)[::2])  # the low halves: little-endian
    return Csr(offsets, columns, values)
