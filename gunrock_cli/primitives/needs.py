"""What a run needs besides its graph, known before any of it is allocated: on the host the system would
kill the process when it writes there; on a GPU the run would break off half way.

A primitive's arrays take a fixed number of bytes for each vertex and each edge, whatever the graph; these
numbers are read off the arrays that it makes for three tiny graphs.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gunrock_cli.engine.backend import entry_bytes
from gunrock_cli.graph.model.graph import Csr, Graph
from gunrock_cli.graph.model.memory import WORTH_ASKING, require_memory
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives.base import Options, Primitive
from gunrock_cli.primitives.compile import room_of
from gunrock_cli.primitives.run_options import RunOptions

_FEW = 512


def require_room(primitive: Primitive, graph: Graph, options: Options, run: RunOptions) -> None:
    """OutOfMemory where this run, with these (resolved) options, needs more besides the graph than is
    available."""
    if graph.n + graph.m < WORTH_ASKING:
        return
    arrays = array_bytes(primitive, graph, options)
    if arrays is not None:
        require_memory(
            graph.xp,
            arrays + queue_bytes(primitive, graph, options, run),
            f"{primitive.name} on {graph.name}: its arrays beside the graph, of {graph.n} "
            f"vertices and {graph.m} edges",
        )


def queue_bytes(primitive: Primitive, graph: Graph, options: Options, run: RunOptions) -> int:
    """Bytes of the frontier's two queues at their first size."""
    if primitive.queue_factor == 0:
        return 0
    room = room_of(primitive, graph, options, run)
    defines = primitive.defines(graph, options)
    wide = int(graph.csr.row_offsets.dtype == np.int64)
    edge, item = entry_bytes({"GR_EDGE64": wide, "GR_CARRY_SOURCE": 0, "GR_EDGE_FRONTIER": 0, **defines})
    return (room.even + room.odd) * (item + (2 * edge if room.lists else 0))


def array_bytes(primitive: Primitive, graph: Graph, options: Options) -> int | None:
    """Bytes of the primitive's own arrays; None where it makes none for so small a graph."""

    def taken(n: int, degree: int) -> int:
        problem = primitive.problem(_like(graph, n, degree), options)
        return sum(int(array.nbytes) for array in problem.values() if hasattr(array, "nbytes"))

    try:
        small, longer, denser = taken(_FEW, 2), taken(2 * _FEW, 2), taken(_FEW, 4)
    except Exception:  # this only asks in advance: the run itself says what is wrong
        return None
    edge = (denser - small) / (2 * _FEW)
    vertex = (longer - small) / _FEW - 2 * edge
    fixed = small - _FEW * vertex - 2 * _FEW * edge
    return max(0, round(fixed + vertex * graph.n + edge * graph.m))


def _like(graph: Graph, n: int, degree: int) -> Graph:
    """A ring of n vertices on the host, each joined to the next ones, with the graph's types and kinds of
    arrays."""
    source = np.repeat(np.arange(n), degree // 2)
    target = (source + np.tile(np.arange(1, degree // 2 + 1), n)) % n
    values = graph.csr.values
    weights = None if values is None else np.ones(len(source), np.dtype(str(values.dtype)))
    ring = build_graph(
        n,
        source,
        target,
        weights,
        undirected=True,
        keep_self_loops=False,
        keep_duplicates=False,
        name=graph.name,
        origin={},
        xp=np,
    )
    rows = np.dtype(str(graph.csr.row_offsets.dtype))
    csr = Csr(ring.csr.row_offsets.astype(rows), ring.csr.column_indices, ring.csr.values)
    reverse = csr if graph.undirected or graph.reverse is not None else None
    weights_each = graph.vertex_weights
    return replace(
        ring,
        csr=csr,
        reverse=reverse,
        undirected=graph.undirected,
        vertex_weights=None if weights_each is None else np.ones((n, *weights_each.shape[1:]), np.int32),
    )
