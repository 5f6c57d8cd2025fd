"""The host's half of ``kernels/operators/neighborhoods.cuh``."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.graph.model.graph import Graph

MOST_ROOMS = 512
"""More than blocks of a GPU."""
MOST_BYTES = 1 << 32
"""The most memory for matrices on a GPU, beyond a single room; blocks without a room leave vertices with
many later neighbors to others."""
_WARPS = 32
"""The most warps of a block."""


def rooms_for(graph: Graph, spare_rows: int) -> Mapping[str, Room | int]:
    """The members that blocks work in. ``spare_rows``: how many rows each warp has of its own."""
    longest = min(graph.csr.longest, math.isqrt(graph.m))
    on_cores = graph.xp is np
    width = -(-longest // 32)
    words_each = width * (longest + spare_rows * (1 if on_cores else _WARPS))
    if on_cores:
        rooms = os.cpu_count() or 1
    else:
        rooms = min(MOST_ROOMS, max(1, MOST_BYTES // (4 * max(words_each, 1))))
    return {
        "ticket": Room(1, np.uint64, filled=0),
        "members": Room(rooms * longest, np.int32),
        "words": Room(rooms * words_each, np.uint32),
        "longest": longest,
        "spare_rows": spare_rows,
        "words_each": words_each,
        "rooms": rooms,
    }
