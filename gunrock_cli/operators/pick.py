"""What the operator ``pick`` (kernels/operators/pick.cuh) needs to pick edges by their weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Array, Graph, to_numpy

BITS = 31
"""Floating-point weights are rounded to multiples of 2^-31 of the largest of their vertex, so that sums
are exact, and the same in every order."""


def sums_of_weights(graph: Graph) -> Array:
    """Add up the weights of all entries before each, none of which is negative: uint64, shape (m + 1,),
    in the graph's memory. The host adds, once for a graph."""
    weights, offsets = to_numpy(graph.csr.values), to_numpy(graph.csr.row_offsets)
    sums = np.zeros(graph.m + 1, np.uint64)
    np.cumsum(
        weights if weights.dtype.kind == "i" else _whole(weights, offsets), dtype=np.uint64, out=sums[1:]
    )
    return graph.xp.asarray(sums)


def _whole(weights: np.ndarray[Any, Any], offsets: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The weights as whole numbers, 2**BITS for the largest of each list."""
    begun = np.flatnonzero(np.diff(offsets))
    largest = np.maximum.reduceat(weights, offsets[begun]) if len(begun) else weights[:0]
    each = np.repeat(largest.astype(np.float64), np.diff(offsets)[begun])
    shares = np.divide(weights, each, out=np.zeros(len(weights)), where=each > 0)
    whole: np.ndarray[Any, Any] = np.rint(shares * 2**BITS).astype(np.uint64)
    return whole
