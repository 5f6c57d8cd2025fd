"""A graph as a SciPy matrix, for writers that start from one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph

if TYPE_CHECKING:
    from scipy import sparse


def to_scipy(graph: Graph) -> sparse.csr_matrix[Any]:
    """The adjacency matrix on the host; the entries are the weights, or ones (int8)."""
    from scipy import sparse

    csr = graph.csr.to(np)
    values = np.ones(csr.m, dtype=np.int8) if csr.values is None else csr.values
    return sparse.csr_matrix((values, csr.column_indices, csr.row_offsets), shape=(csr.n, csr.n))


def stored_once(graph: Graph) -> Any:
    """The entries to store: all, or for an undirected graph those with row >= column."""
    matrix = to_scipy(graph).tocoo()
    if not graph.undirected:
        return matrix
    from scipy import sparse

    lower = matrix.row >= matrix.col
    return sparse.coo_matrix(
        (matrix.data[lower], (matrix.row[lower], matrix.col[lower])), shape=matrix.shape
    )
