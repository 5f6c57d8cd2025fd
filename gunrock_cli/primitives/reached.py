"""Labels of vertices that a traversal reached."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Array, array_module


def is_reached(labels: Array) -> Array:
    """Bool, shape (n,): True if a vertex's label (a depth or a distance; -1 for none) is not negative. It
    calls the ufunc, as ``>=`` between a CuPy array and a number goes through NumPy and imports SciPy,
    which took 0.12 s of a small run's 1.1 s."""
    return array_module(labels).greater_equal(labels, 0)


def with_unreached_shown(labels: Array, unreached: int) -> Array:
    """A new int32 array: ``labels``, with -1 for ``unreached``. One launch on a GPU: CuPy's ``where``
    first copies its condition, and ``==`` is as slow as ``>=``."""
    if array_module(labels) is np:
        return np.where(labels == unreached, np.int32(-1), labels)
    return _showing()(labels, unreached)


@cache
def _showing() -> Any:
    import cupy

    return cupy.ElementwiseKernel(
        "int32 label, int32 unreached",
        "int32 shown",
        "shown = label == unreached ? -1 : label",
        "gunrock_show_unreached",
    )
