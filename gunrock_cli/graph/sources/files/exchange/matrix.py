"""Graphs written as matrices by SciPy, and as edge lists by pandas: Matrix Market files that Gunrock 1.x
reads too, .npz, and GAP's edge lists. Each is read by its module in ``readers``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO, Literal

import numpy as np

from gunrock_cli.errors import printable
from gunrock_cli.graph.model.graph import Graph

if TYPE_CHECKING:
    from scipy import sparse

_FIELDS = {None: "pattern", "i": "integer", "f": "real"}


def write_market(graph: Graph, file: BinaryIO) -> None:
    """Write a Matrix Market file; an undirected graph becomes a symmetric matrix, one entry per edge."""
    from scipy.io import mmwrite

    symmetry: Literal["symmetric", "general"] = "symmetric" if graph.undirected else "general"
    if graph.m == 0:  # SciPy writes any matrix without entries as a real one
        field = _FIELDS[None if graph.csr.values is None else graph.csr.values.dtype.kind]
        file.write(
            f"%%MatrixMarket matrix coordinate {field} {symmetry}\n% {printable(graph.name)}\n"
            f"{graph.n} {graph.n} 0\n".encode()
        )
        return
    mmwrite(
        file,
        _stored_once(graph),
        comment=f" {graph.name}",
        field=None if graph.weighted else "pattern",
        symmetry=symmetry,
    )


def write_npz(graph: Graph, file: BinaryIO) -> None:
    """Write a SciPy matrix; a graph without weights becomes a matrix of booleans."""
    from scipy import sparse

    matrix = _to_scipy(graph)
    if not graph.weighted:
        matrix.data = np.ones(graph.m, np.bool_)  # astype would merge repeated edges
    sparse.save_npz(file, matrix, compressed=False)


def write_edges(graph: Graph, file: BinaryIO) -> None:
    """Write a GAP edge list (.el, .wel): two vertices, counted from 0, and a weight if the graph has
    weights. Each undirected edge is written once, and nothing else, as GAP accepts no comments.

    Layout: sbeamer/gapbs b5e3e19, src/reader.h.
    """
    import pandas as pd

    matrix = _stored_once(graph)
    columns = {"u": matrix.row, "v": matrix.col}
    if graph.weighted:
        columns["w"] = matrix.data
    pd.DataFrame(columns).to_csv(file, sep="\t", header=False, index=False, lineterminator="\n")


def _to_scipy(graph: Graph) -> sparse.csr_matrix[Any]:
    """The adjacency matrix on the host; the entries are the weights, or ones (int8)."""
    from scipy import sparse

    csr = graph.csr.to(np)
    values = np.ones(csr.m, dtype=np.int8) if csr.values is None else csr.values
    return sparse.csr_matrix((values, csr.column_indices, csr.row_offsets), shape=(csr.n, csr.n))


def _stored_once(graph: Graph) -> Any:
    """The entries to store: all, or for an undirected graph the entries with row >= column."""
    matrix = _to_scipy(graph).tocoo()
    if not graph.undirected:
        return matrix
    from scipy import sparse

    lower = matrix.row >= matrix.col
    return sparse.coo_matrix(
        (matrix.data[lower], (matrix.row[lower], matrix.col[lower])), shape=matrix.shape
    )
