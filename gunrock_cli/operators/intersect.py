"""The host's half of ``kernels/operators/intersect.cuh``, and of the numbers and lists it works on."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from gunrock_cli.engine.room import Room


def numbering(n: int, longest: int, by_degree: bool) -> dict[str, Room | None]:
    """The members that number n vertices by degree (``number_by_degree.cuh``), the greatest of which is
    ``longest``; null if numbers are the vertices' own."""
    if not by_degree:
        return dict.fromkeys(("numbers", "by_degree", "places"))
    return {
        "numbers": Room(n, np.int32),
        "by_degree": Room(longest + 1, np.uint32, filled=0),
        "places": Room(longest + 1, np.uint32),
    }


def sublists(prefix: str, n: int, entries: int | None, offsets: Any) -> dict[str, Room | None]:
    """The members of n lists that the kernel makes (``sublists.cuh``), of at most so many entries
    together; null if they are not made. ``offsets``: the dtype of the graph's."""
    names = [f"{prefix}{name}" for name in ("offsets", "ends", "columns")]
    if entries is None:
        return dict.fromkeys(names)
    rooms = (Room(n + 1, offsets, filled=0), Room(n, offsets, filled=0), Room(entries, np.int32))
    return dict(zip(names, rooms, strict=True))


def work_of_blocks(n: int, xp: Any, turns: int = 1) -> Mapping[str, Room | int]:
    """The members by which blocks draw the work of ``turns`` intersections; on cores, marks for each."""
    rooms = os.cpu_count() or 1 if xp is np else 0
    return {
        "tickets": Room(2 * turns, np.uint64, filled=0),
        "marks": Room(rooms * (-(-n // 32)), np.uint32, filled=0),
        "rooms": rooms,
    }
