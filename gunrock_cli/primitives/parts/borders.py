"""The host's half of ``kernels/operators/team_borders.cuh``: what devices tell each other of meshes, on
which their blocks run ahead between two exchanges."""

from __future__ import annotations

from typing import Any

import numpy as np

from gunrock_cli.engine.devices import MOST_DEVICES, Sizes
from gunrock_cli.graph.partition import Part

_NOTE = 3
"""Words of a BorderNote."""
_NOTHING = np.iinfo(np.uint64).max


def border_heap(n: int) -> Sizes:
    """The members that others write into, of a graph of n vertices."""
    return {"told": (n, np.uint64), "notes": (2 * _NOTE * MOST_DEVICES, np.uint64)}


def border_members(part: Part) -> dict[str, Any]:
    """The others."""
    border = part.border()
    return {"border": border, "border_vertices": len(border),
            "bounds": part.xp.asarray(part.bounds, dtype=np.int64)}


def reset_borders(problem: dict[str, Any]) -> None:
    """Nothing has been told."""
    problem["told"].fill(_NOTHING)
    problem["notes"].fill(0)
