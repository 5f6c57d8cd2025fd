"""Order vertices as a search from one end of the graph reaches them: consecutive ones are then in a layer
or two, and on a mesh ranges of them have short borders, however its file numbers it."""

from __future__ import annotations

from typing import Any

import numpy as np

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Array, Graph, to_numpy
from gunrock_cli.graph.model.memory import require_host_memory

MOST_EDGES = (1 << 31) - 1
"""The most edges that SciPy can search, as it counts them in 32 bits."""
_MOST_SEARCHES = 16
_FEW = 64
"""Components that together hold less than one in this many edges stay in the graph's order."""


def layered_order(graph: Graph) -> Array:
    """All vertices, on the host: a large component's by a breadth-first search from the vertex that
    another search reaches last, which is an end of a long mesh. Directions do not count."""
    edges = edges_searched(graph)
    if edges > MOST_EDGES:
        raise UsageError(
            f"--partition layered: {graph.name} has {edges} directed edges both ways, more "
            f"than the {MOST_EDGES} that can be searched for layers"
        )
    both_ways = 1 if graph.undirected else 2  # their sum is held beside the rows and their transpose
    require_host_memory(
        12 * both_ways * edges + 24 * graph.n, f"layers of {graph.n} vertices and {edges} directed edges"
    )
    from scipy.sparse.csgraph import breadth_first_order

    matrix = _matrix(graph)

    def search(source: int) -> Array:
        return breadth_first_order(matrix, source, directed=True, return_predecessors=False)

    pieces, left = [], np.diff(matrix.indptr)  # degrees of the vertices that no search has reached
    for _ in range(_MOST_SEARCHES):
        if int(left.sum(dtype=np.int64)) * _FEW <= matrix.nnz:
            break
        pieces.append(search(int(search(int(left.argmax()))[-1])))
        left[pieces[-1]] = 0
    found = np.zeros(graph.n, bool)
    for piece in pieces:
        found[piece] = True
    return np.concatenate([*pieces, np.flatnonzero(~found)]).astype(np.int32)


def edges_searched(graph: Graph) -> int:
    """The number of edges in both directions."""
    return graph.m if graph.undirected else 2 * graph.m


def _matrix(graph: Graph) -> Any:
    """Both directions of all edges, with values that no search reads."""
    from scipy.sparse import csr_array

    columns, offsets = to_numpy(graph.csr.column_indices), to_numpy(graph.csr.row_offsets)
    rows = csr_array((np.ones(graph.m), columns, offsets), shape=(graph.n, graph.n))
    return rows if graph.undirected else (rows + rows.T).tocsr()
