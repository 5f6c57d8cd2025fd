"""The conversion of NetworkX's weights: whole numbers that fit become integers, with exact sums; others
are in single precision."""

from __future__ import annotations

from typing import Any

import numpy as np

_Array = np.ndarray[Any, Any]
DIGITS = 24
"""The digits of a float32."""


def is_real(weights: _Array | None) -> bool:
    """True if some weights are not of integer types."""
    return weights is not None and weights.dtype.kind not in "iu"


def as_lengths(weights: _Array | None, n: int) -> _Array | None:
    """Convert the weights for a graph of n nodes: to integers if all are whole and fit, unless only their
    sums in single precision are sure to fit and to be exact."""
    if weights is None or not is_real(weights):
        return weights
    real, most = weights.astype(float), 2.0**31
    if not are_whole(real) or (np.abs(real) >= most).any():
        return real
    longest = float(real.max()) * n
    return real if longest >= most and sums_are_exact(real, longest) else real.astype(np.int32)


def are_whole(weights: _Array) -> bool:
    """True if no weight has a fraction."""
    return bool((np.floor(weights) == weights).all())


def sums_are_exact(exact: _Array, longest: float) -> bool:
    """True if sums of up to ``longest`` are exact in single precision: all weights, and so their sums,
    are multiples of a power of two, which it holds up to 2**24 times that."""
    weights = exact.astype(np.float32)
    mantissas, exponents = np.frexp(weights[weights != 0].astype(float))
    digits = (np.abs(mantissas) * 2**DIGITS).astype(np.int64)
    lowest = (np.log2(digits & -digits) + exponents).min(initial=1000)
    return bool((weights == exact).all() and longest < 2.0**lowest)
