"""The host's half of ``kernels/operators/team_borders.cuh``: exchanges between devices about meshes, on
which their blocks run ahead between two exchanges."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gunrock_cli.engine.devices import MOST_DEVICES
from gunrock_cli.engine.room import Room
from gunrock_cli.graph.model.graph import Array
from gunrock_cli.graph.parts.partition import Part
from gunrock_cli.primitives.variant import Member

_NOTE = 3
"""Words of a BorderNote."""
_NOTHING = np.uint64(2**64 - 1)


def border_heap(n: int) -> Mapping[str, Room]:
    """The members that other devices write into, for a graph of n vertices."""
    return {
        "received": Room(n, np.uint64, filled=_NOTHING),
        "notes": Room(2 * _NOTE * MOST_DEVICES, np.uint64, filled=0),
    }


def border_members(part: Part, either_way: bool = False) -> Mapping[str, Member]:
    """The members that other devices do not write into. ``either_way``: also for vertices to which
    others' edges lead."""
    border = part.border(either_way)
    return {
        "border": border,
        "border_vertices": len(border),
        "bounds": part.xp.asarray(part.bounds, dtype=np.int64),
    }


def border_bitmap(part: Part, border: Array) -> Array:
    """The vertices of ``border`` as a bitmap of the part's own vertices, counted from its first."""
    xp = part.xp
    bits = xp.zeros(((part.last - part.first + 31) // 32, 32), np.uint32)
    bits.reshape(-1)[border - part.first] = 1
    return (bits << xp.arange(32, dtype=np.uint32)).sum(axis=1, dtype=np.uint32)
