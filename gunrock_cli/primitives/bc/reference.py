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
    """Brandes in NumPy, level by level over the edges that lead one level down. Counts of paths are kept
    as mantissa and exponent, as they leave the range of float64 on a lattice."""
    csr = graph.csr
    tails = csr.sources()
    heads = np.asarray(csr.column_indices)
    down = (labels[tails] >= 0) & (labels[heads] == labels[tails] + 1)
    tails, heads = tails[down], heads[down]
    levels = np.arange(int(labels.max(initial=0)) + 1)

    mantissas, exponents = np.zeros(graph.n), np.zeros(graph.n, np.int64)
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

    scores = np.zeros(graph.n)
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
