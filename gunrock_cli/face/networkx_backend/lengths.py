"""Weights that are real numbers, and how far from the caller's doubles lengths of paths may be.

Whole numbers that fit are integers in our graphs, and sums of them are exact. Others are in single
precision: lengths are then exact where weights have few enough digits in common, and otherwise within
what rounding may add up to. What would depend on less than that is not implemented.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from gunrock_cli.graph.model import Array, to_numpy

if TYPE_CHECKING:
    from gunrock_cli.face.networkx_backend.graph import GunrockGraph

_Array = np.ndarray[Any, Any]
_DIGITS, _LEAST = 24, 2.0**-149  # of a float32


def is_real(weights: _Array | None) -> bool:
    """Whether not all weights are of integer types."""
    return weights is not None and weights.dtype.kind not in "iu"


def as_lengths(weights: _Array | None, n: int) -> _Array | None:
    """The weights as a graph of n nodes is to hold them: as integers where all are whole and fit, unless
    only their sums in single precision are sure to fit and to be exact."""
    if weights is None or not is_real(weights):
        return weights
    real, most = weights.astype(float), 2.0**31
    if not are_whole(real) or (np.abs(real) >= most).any():
        return real
    longest = float(real.max()) * n
    return real if longest >= most and _sums_are_exact(real, longest) else real.astype(np.int32)


def are_whole(weights: _Array) -> bool:
    """Whether none has a fraction."""
    return bool((np.floor(weights) == weights).all())


def check_lengths(G: GunrockGraph, lengths: Array) -> None:
    """NotImplementedError for lengths that are rounded, though all weights are whole."""
    if _are_single(G, lengths) and are_whole(_exact(G)) and _slack(G, to_numpy(lengths)).any():
        raise NotImplementedError("gunrock: whole weights whose sums need more than 32 bits")


def within(G: GunrockGraph, lengths: Array, cutoff: float | None) -> Array:
    """Which vertices are reached by a path no longer than the cutoff, compared as doubles."""
    wide = lengths.astype(np.float64)
    reached = (wide >= 0) & (wide < math.inf)
    if cutoff is None:
        return reached
    if _are_single(G, lengths):
        found = to_numpy(wide)
        slack = _slack(G, found)
        if ((slack > 0) & (np.abs(found - cutoff) <= slack)).any():
            raise NotImplementedError("gunrock's lengths are in single precision, and one is as long as "
                                      "the cutoff but for that")
    return reached & (wide <= cutoff)


def _are_single(G: GunrockGraph, lengths: Array) -> bool:
    return G.edges is not None and lengths.dtype == np.float32


def _exact(G: GunrockGraph) -> _Array:
    assert G.edges is not None
    assert G.edges.weights is not None
    return G.edges.weights


def _slack(G: GunrockGraph, lengths: _Array) -> _Array:
    """How far from the sum of its edges' weights each length may be: a path has no more edges than its
    length is multiples of the least weight, nor than there are vertices."""
    exact, wide = _exact(G), np.where(np.isfinite(lengths), lengths, 0).astype(float)
    if _sums_are_exact(exact, float(wide.max(initial=0))):
        return np.zeros(len(wide))
    weights = exact.astype(np.float32)
    least = float(weights[weights > 0].min(initial=np.inf))
    edges = np.minimum(wide / least, len(wide))
    return (edges + 2) * 2.0 ** (1 - _DIGITS) * wide + len(wide) * _LEAST


def _sums_are_exact(exact: _Array, longest: float) -> bool:
    """Whether sums of up to ``longest`` are exact in single precision: all weights, and so their sums,
    are multiples of a power of two, which it holds up to 2**24 times that."""
    weights = exact.astype(np.float32)
    mantissas, exponents = np.frexp(weights[weights != 0].astype(float))
    digits = (np.abs(mantissas) * 2**_DIGITS).astype(np.int64)
    lowest = (np.log2(digits & -digits) + exponents).min(initial=1000)
    return bool((weights == exact).all() and longest < 2.0**lowest)
