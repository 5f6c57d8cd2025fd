"""Answers computed another way, on the host: what primitives and peers are checked with."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np

from gunrock_cli.graph.model import Array, Graph


def power_iteration(graph: Graph, damping: float, restart: np.ndarray[Any, Any] | None = None,
                    start: np.ndarray[Any, Any] | None = None
                    ) -> Iterator[tuple[np.ndarray[Any, Any], float]]:
    """Iterates in float64 and their L1 changes, without end. It scatters over out-edges, so a wrong
    reverse graph would show.

    ``restart`` is where the walk begins anew, a distribution or one a column (default: anywhere), and
    ``start`` the ranks before the first iterate (default: the same). Of columns, the largest change."""
    from scipy.sparse import csr_array

    n, csr = graph.n, graph.csr
    matrix = csr_array((np.ones(graph.m), csr.column_indices, csr.row_offsets), shape=(n, n)).T
    anew = np.full(n, 1 / n) if restart is None else restart
    degrees = csr.degrees().astype(np.float64).reshape(n, *(1,) * (anew.ndim - 1))
    dangling = csr.degrees() == 0
    degrees[dangling] = np.inf
    ranks = anew if start is None else start
    while True:
        lost = ranks[dangling].sum(axis=0)
        fresh = (1 - damping + damping * lost) * anew + damping * (matrix @ (ranks / degrees))
        change = float(np.abs(fresh - ranks).sum(axis=0).max())
        ranks = fresh
        yield ranks, change


def reference_labels(graph: Graph, source: int) -> np.ndarray[Any, Any]:
    """Depths by SciPy's breadth_first_order, -1 where unreached. Its predecessors give depths by
    pointer doubling: log2(depth) passes over the vertices."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    csr = graph.csr
    matrix = csr_array((np.ones(graph.m, np.int8), csr.column_indices, csr.row_offsets),
                       shape=(graph.n, graph.n))
    order, predecessors = breadth_first_order(matrix, source, return_predecessors=True)
    ancestor = np.where(predecessors < 0, source, predecessors).astype(np.int64)
    depth = np.full(graph.n, -1, np.int32)
    depth[order] = 1
    depth[source] = 0
    while (ancestor[order] != source).any():
        depth[order] += depth[ancestor[order]]
        ancestor[order] = ancestor[ancestor[order]]
    return depth


def smallest_vertices(labels: Array, xp: ModuleType = np) -> Array:
    """Any component labels as the smallest vertex of each component."""
    _, first, inverse = xp.unique(labels, return_index=True, return_inverse=True)
    return first[inverse].astype(np.int32)


def salsa_scores(follows: Any, iterations: int) -> np.ndarray[Any, Any]:
    """Authority scores of whom hubs follow (a sparse matrix with a row for each hub), after so many times
    that scores went forward to them, in float64. Hubs that follow anyone begin with equal scores that sum
    to 1; a parallel edge counts too."""
    out = np.maximum(follows.sum(axis=1), 1)
    back = np.maximum(follows.sum(axis=0), 1)
    some = np.diff(follows.indptr) > 0
    scores = some / max(1, some.sum())
    for _ in range(iterations - 1):
        scores = follows @ (follows.T @ (scores / out) / back)
    return np.asarray(follows.T @ (scores / out))


def highest(values: np.ndarray[Any, Any], count: int) -> np.ndarray[Any, Any]:
    """Where the highest values above zero are, the highest first, of equal ones the first first."""
    order = np.argsort(-values, kind="stable")[:count]
    return order[values[order] > 0]
