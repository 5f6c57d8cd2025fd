"""The memory of a run besides its graph, checked before any of it is allocated: otherwise on the host the
system would kill the process at the first write, and on a GPU the run would stop half way."""

from __future__ import annotations

from typing import Any

import numpy as np

from gunrock_cli.engine.backend import entry_bytes
from gunrock_cli.graph.model.memory import WORTH_ASKING, require_memory
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.compile import room_of
from gunrock_cli.primitives.run_options import RunOptions
from gunrock_cli.primitives.variant import Variant


def require_room(primitive: Primitive, variant: Variant[Any], run: RunOptions) -> None:
    """OutOfMemory if this run needs more besides the graph than is available."""
    graph = variant.graph
    if graph.n + graph.m < WORTH_ASKING:
        return
    require_memory(
        graph.xp,
        variant.nbytes + queue_bytes(primitive, variant, run),
        f"{primitive.name} on {graph.name}: its arrays beside the graph, of {graph.n} "
        f"vertices and {graph.m} edges",
    )


def queue_bytes(primitive: Primitive, variant: Variant[Any], run: RunOptions) -> int:
    """Bytes of the frontier's two queues at their first size."""
    if not primitive.frontier.queued:
        return 0
    room = room_of(primitive, variant.queues, run)
    wide = int(variant.graph.csr.row_offsets.dtype == np.int64)
    edge, item = entry_bytes(
        {"GR_EDGE64": wide, "GR_CARRY_SOURCE": 0, "GR_EDGE_FRONTIER": 0, **variant.defines}
    )
    return (room.even + room.odd) * (item + (2 * edge if room.lists else 0))
