"""Dependencies computed in another way on the host, and the errors that a check allows."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.base import Validation

TOLERANCE = 1e-4
"""The largest relative error of a score that passes."""
NEGLIGIBLE = 1e-6
"""Scores below this fraction of the largest are held to an absolute error instead."""


def compare(
    scores: np.ndarray[Any, Any], expected: np.ndarray[Any, Any], reference: str = "numpy"
) -> Validation:
    """Check that scores are within ``TOLERANCE`` of the expected ones."""
    allowed = TOLERANCE * np.maximum(expected, NEGLIGIBLE * expected.max(initial=0.0))
    wrong = np.flatnonzero(~(np.abs(scores - expected) <= allowed))  # NaN counts as wrong, too
    if len(wrong):
        shown = "; ".join(f"vertex {v}: {scores[v]:.9g}, expected {expected[v]:.9g}" for v in wrong[:5])
        return Validation("fail", reference, f"{len(wrong)} scores differ: {shown}")
    return Validation("pass", reference)


def reference_scores(graph: Graph, source: int, labels: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The scores over paths of fewest edges, which lead one level down each."""
    tails, heads = graph.csr.sources(), np.asarray(graph.csr.column_indices)
    down = (labels[tails] >= 0) & (labels[heads] == labels[tails] + 1)
    return _scores(graph.n, source, labels, tails[down], heads[down])


def reference_by_weight(graph: Graph, source: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """SciPy's distances, infinite if unreached, and the scores over paths of least weight, all above
    zero."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    csr = graph.csr
    weights = csr.values.astype(np.float64)  # type: ignore[union-attr]
    matrix = csr_array((weights, csr.column_indices, csr.row_offsets), shape=(graph.n, graph.n))
    search: Any = dijkstra  # its stubs do not know csr_array
    distances = np.asarray(search(matrix, indices=source))
    tails, heads = csr.sources(), np.asarray(csr.column_indices)
    near, far = distances[tails], distances[heads]
    tight = (near < far) & (near + weights == far)
    _, ranks = np.unique(distances, return_inverse=True)
    levels = np.where(np.isfinite(distances), ranks, -1)
    return distances, _scores(graph.n, source, levels, tails[tight], heads[tight])


def _scores(
    n: int,
    source: int,
    labels: np.ndarray[Any, Any],
    tails: np.ndarray[Any, Any],
    heads: np.ndarray[Any, Any],
) -> np.ndarray[Any, Any]:
    """Brandes in NumPy over the edges of the shortest paths, which lead from lower labels to higher ones,
    label by label. Counts of paths are kept as mantissa and exponent, as they leave the range of float64
    on a lattice."""
    levels = np.arange(int(labels.max(initial=0)) + 1)

    mantissas, exponents = np.zeros(n), np.zeros(n, np.int64)
    mantissas[source] = 1
    by_head = np.lexsort((heads, labels[heads]))
    u, w = tails[by_head], heads[by_head]
    ends = np.searchsorted(labels[w], levels, side="right")
    for first, end in pairwise(ends):
        vertices, starts = np.unique(w[first:end], return_index=True)
        parents = u[first:end]
        largest = np.maximum.reduceat(exponents[parents], starts)
        each = np.repeat(largest, np.diff(starts, append=end - first))
        terms = np.ldexp(mantissas[parents], _shift(exponents[parents] - each))
        mantissas[vertices], grown = np.frexp(np.add.reduceat(terms, starts))
        exponents[vertices] = largest + grown

    scores = np.zeros(n)
    by_tail = np.argsort(labels[tails], kind="stable")  # tails are already sorted within a level
    u, w = tails[by_tail], heads[by_tail]
    ratios = np.ldexp(mantissas[u] / mantissas[w], _shift(exponents[u] - exponents[w]))
    starts_of = np.searchsorted(labels[u], levels)
    for first, end in zip(starts_of[-2::-1], starts_of[:0:-1], strict=True):
        vertices, starts = np.unique(u[first:end], return_index=True)
        scores[vertices] = np.add.reduceat(ratios[first:end] * (1 + scores[w[first:end]]), starts)
    scores[source] = 0
    return scores


def _shift(exponents: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Exponents that ldexp takes on every platform; anything lower also gives 0."""
    return np.maximum(exponents, -5000).astype(np.int32)
