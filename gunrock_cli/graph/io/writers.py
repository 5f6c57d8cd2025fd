"""Writing graphs to files: Matrix Market, SciPy's .npz, edge lists, the binary form."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from gunrock_cli.errors import UsageError
from gunrock_cli.files import atomic_write
from gunrock_cli.graph.io.formats import kind_of_file
from gunrock_cli.graph.io.readers import binary
from gunrock_cli.graph.model import Graph

if TYPE_CHECKING:
    from scipy import sparse


def write_graph(graph: Graph, path: str) -> None:
    """Write a graph in the format that the file's name implies; the file appears complete or not at all.

    An undirected graph becomes a symmetric matrix (one entry per edge). Raises UsageError for a
    format that cannot be written, InputError for a full disk and the like.
    """
    kind = kind_of_file(path)
    writers = {"market": _market, "npz": _npz, "binary": binary.write, "edge-list": _edge_list}
    if kind not in writers:
        raise UsageError(f"{path}: {kind} files cannot be written; use .mtx, .gcsr, .npz or .el")
    if path.endswith(".gz") and kind in ("npz", "binary"):
        raise UsageError(f"{path}: only text formats are compressed; leave .gz out")
    with atomic_write(Path(path)) as file:
        if path.endswith(".gz"):
            with gzip.GzipFile(fileobj=file, mode="wb", mtime=0, compresslevel=6) as packed:
                writers[kind](graph, packed)  # type: ignore[arg-type]
        else:
            writers[kind](graph, file)


def to_scipy(graph: Graph) -> sparse.csr_matrix[Any]:
    """The adjacency matrix on the host; the entries are the weights, or ones (int8)."""
    from scipy import sparse

    csr = graph.csr.to(np)
    values = np.ones(csr.m, dtype=np.int8) if csr.values is None else csr.values
    return sparse.csr_matrix((values, csr.column_indices, csr.row_offsets), shape=(csr.n, csr.n))


def _stored_once(graph: Graph) -> Any:
    """The entries to store: all, or of an undirected graph those with row >= column."""
    matrix = to_scipy(graph).tocoo()
    if not graph.undirected:
        return matrix
    from scipy import sparse

    lower = matrix.row >= matrix.col
    return sparse.coo_matrix((matrix.data[lower], (matrix.row[lower], matrix.col[lower])),
                             shape=matrix.shape)


def _market(graph: Graph, file: BinaryIO) -> None:
    from scipy.io import mmwrite

    mmwrite(file, _stored_once(graph), comment=f" {graph.name}",
            field=None if graph.weighted else "pattern",
            symmetry="symmetric" if graph.undirected else "general")


def _npz(graph: Graph, file: BinaryIO) -> None:
    from scipy import sparse

    matrix = to_scipy(graph)
    if not graph.weighted:
        matrix = matrix.astype(np.bool_)
    sparse.save_npz(file, matrix, compressed=False)


def _edge_list(graph: Graph, file: BinaryIO) -> None:
    import pandas as pd

    matrix = _stored_once(graph)
    columns = {"u": matrix.row, "v": matrix.col}
    if graph.weighted:
        columns["w"] = matrix.data
    file.write(f"# {graph.name}: {graph.n} vertices, {graph.m} directed edges\n".encode())
    pd.DataFrame(columns).to_csv(file, sep="\t", header=False, index=False, lineterminator="\n")
