"""The threads, edges and queue entries of a block on a GPU (kernels know only the macros).

The shapes that operators ask for are in operators/launch_shapes.py; this module fits them to the device.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace

from gunrock_cli.errors import UsageError

VARIABLE = "GUNROCK_TUNING"
_WARP, _MOST_THREADS = 32, 1024
_MOST_ITEMS = 16
"""Items per thread: beyond this, no two lanes of a warp search together
(kernels/operators/search.cuh)."""
_RESERVED = 6 * 1024
"""Bytes of shared memory per block for scan storage, culling history and padding."""
_WARP_HASH = 128 * 4
"""Bytes of a warp's culling table (WARP_HASH in kernels/core/shared.cuh)."""


SOLO_EDGES = 1024
"""Beyond about this many edges one multiprocessor's memory requests cost more than a barrier."""


@dataclass(frozen=True)
class Tuning:
    """Launch shape of the persistent kernel."""

    block: int  # threads per block
    items: int  # edges that a thread works on at once
    blocks_per_sm: int
    solo_capacity: int  # frontier entries that a block can hold when it works alone
    solo_edges: int  # largest frontier, in edges, that a block keeps to itself

    def defines(self) -> dict[str, int]:
        return {
            "GR_BLOCK": self.block,
            "GR_ITEMS": self.items,
            "GR_BLOCKS_PER_SM": self.blocks_per_sm,
            "GR_SINGLE_BLOCK_CAPACITY": self.solo_capacity,
            "GR_SINGLE_BLOCK_EDGES": self.solo_edges,
        }


def tune(
    shared_per_block: int,
    edge_bytes: int,
    item_bytes: int,
    threads_per_sm: int = 2048,
    launch: Tuning | None = None,
    warp_hash: bool = False,
) -> Tuning:
    """The shape asked for, with no more blocks per multiprocessor than fit; without one, the largest
    block that fits, one per multiprocessor, with its queues in shared memory.

    GUNROCK_TUNING=block,items,blocks_per_sm,solo_capacity,solo_edges overrides the choice, for
    measurements; UsageError if it is malformed. ``shared_per_block`` is the opt-in limit in bytes (227
    KiB on sm_90, 64 KiB on sm_75); ``warp_hash``: some of it is for the tables of warp culling.
    """
    if forced := os.environ.get(VARIABLE):
        return _read(forced)
    if launch is not None:
        blocks = min(launch.blocks_per_sm, threads_per_sm // launch.block)
        return replace(launch, blocks_per_sm=max(1, blocks))
    entry = item_bytes + 2 * edge_bytes
    for block in (512, 256, 128):
        items = 4
        if block > threads_per_sm:
            continue
        stage = 2 * block * items * item_bytes
        window = (block * items + 1) * entry
        tables = block // _WARP * _WARP_HASH if warp_hash else 0
        room = shared_per_block - stage - tables - _RESERVED
        if room < window:
            continue
        solo = min(6144, room // (2 * entry) // 256 * 256)
        return Tuning(block, items, 1, max(solo, 256), min(max(solo, 256), SOLO_EDGES))
    raise ValueError(f"{shared_per_block} bytes of shared memory a block are too few")


def _read(text: str) -> Tuning:
    """The shape that the environment variable asks for."""
    if not re.fullmatch(r"[1-9][0-9]{0,6}(,[1-9][0-9]{0,6}){4}", text):
        raise UsageError(
            f"{VARIABLE}={text[:80]}: give five numbers, "
            "block,items,blocks_per_sm,solo_capacity,solo_edges, or unset it"
        )
    shape = Tuning(*map(int, text.split(",")))
    if shape.block % _WARP or shape.block > _MOST_THREADS:
        raise UsageError(
            f"{VARIABLE}={text}: a block has {_WARP} to {_MOST_THREADS} threads, "
            f"a multiple of {_WARP}, not {shape.block}"
        )
    if shape.items > _MOST_ITEMS:
        raise UsageError(
            f"{VARIABLE}={text}: a thread works on 1 to {_MOST_ITEMS} edges at once, not {shape.items}"
        )
    if shape.solo_edges > shape.solo_capacity:
        raise UsageError(
            f"{VARIABLE}={text}: solo_edges ({shape.solo_edges}) may not be more than "
            f"solo_capacity ({shape.solo_capacity})"
        )
    return shape
