"""Writing SciPy's sparse matrices (.npz); ``readers.npz`` reads them."""

from __future__ import annotations

from typing import BinaryIO

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.sources.files.exchange.matrix import to_scipy


def write(graph: Graph, file: BinaryIO) -> None:
    """Write a graph; one without weights becomes a matrix of booleans."""
    from scipy import sparse

    matrix = to_scipy(graph)
    if not graph.weighted:
        matrix.data = np.ones(graph.m, np.bool_)  # astype would merge repeated edges
    sparse.save_npz(file, matrix, compressed=False)
