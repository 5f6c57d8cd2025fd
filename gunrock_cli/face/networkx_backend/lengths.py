"""The precision of lengths of paths, compared with the caller's doubles, and its consequences.

Sums of whole numbers that fit are exact. Others are in single precision: exact if weights have few enough
digits in common, and otherwise within the bound of rounding. A question that depends on less than that is
not implemented."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gunrock_cli.face.networkx_backend.graph import GunrockGraph
from gunrock_cli.face.networkx_backend.weights import DIGITS, are_whole, sums_are_exact
from gunrock_cli.graph.model.graph import Array, to_numpy

_Array = np.ndarray[Any, Any]
_LEAST = 2.0**-149
"""The smallest float32 above zero."""


def check_lengths(G: GunrockGraph, lengths: Array) -> None:
    """Raise NotImplementedError if lengths are rounded although all weights are whole."""
    if _are_single(G, lengths) and are_whole(_exact(G)) and _slack(G, to_numpy(lengths)).any():
        raise NotImplementedError("gunrock: whole weights whose sums need more than 32 bits")


def check_exact(G: GunrockGraph, lengths: Array) -> None:
    """Raise NotImplementedError if lengths are rounded."""
    if _are_single(G, lengths) and _slack(G, to_numpy(lengths)).any():
        raise NotImplementedError("gunrock: weights whose sums are not exact in single precision")


def check_weights_are_kept(G: GunrockGraph) -> None:
    """Raise NotImplementedError if single precision rounds a weight: then other paths may be equal."""
    if G.edges is not None and (_exact(G).astype(np.float32) != _exact(G)).any():
        raise NotImplementedError("gunrock: weights that single precision does not hold")


def within(G: GunrockGraph, lengths: Array, cutoff: float | None) -> Array:
    """Bool, shape (n,): True for vertices that a path no longer than the cutoff reaches, compared as
    doubles. NotImplementedError if rounding could change the result."""
    wide = lengths.astype(np.float64)
    reached = (wide >= 0) & (wide < math.inf)
    if cutoff is None:
        return reached
    if _are_single(G, lengths):
        found = to_numpy(wide)
        slack = _slack(G, found)
        if ((slack > 0) & (np.abs(found - cutoff) <= slack)).any():
            raise NotImplementedError(
                "gunrock's lengths are in single precision, and one is as long as the cutoff but for that"
            )
    return reached & (wide <= cutoff)


def _are_single(G: GunrockGraph, lengths: Array) -> bool:
    return G.edges is not None and lengths.dtype == np.float32


def _exact(G: GunrockGraph) -> _Array:
    assert G.edges is not None
    assert G.edges.weights is not None
    return G.edges.weights


def _slack(G: GunrockGraph, lengths: _Array) -> _Array:
    """The largest distance of each length from the sum of its edges' weights: a path has at most length /
    smallest weight edges, and at most as many as there are vertices."""
    exact, wide = _exact(G), np.where(np.isfinite(lengths), lengths, 0).astype(float)
    if sums_are_exact(exact, float(wide.max(initial=0))):
        return np.zeros(len(wide))
    weights = exact.astype(np.float32)
    least = float(weights[weights > 0].min(initial=np.inf))
    edges = np.minimum(wide / least, len(wide))
    return (edges + 2) * 2.0 ** (1 - DIGITS) * wide + len(wide) * _LEAST
