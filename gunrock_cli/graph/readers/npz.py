"""SciPy sparse matrices (``scipy.sparse.save_npz``): entry (i, j) is the edge from i to j."""

from __future__ import annotations

import zipfile
import zlib
from typing import Any

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.build import MAX_VERTICES
from gunrock_cli.graph.edges import EdgeList
from gunrock_cli.graph.progress import Progress, silent
from gunrock_cli.graph.readers.columns import edge_weights, vertices
from gunrock_cli.graph.readers.text import check_readable


def read(path: str, progress: Progress = silent) -> EdgeList:
    """The edges of a square matrix in CSR, CSC or COO form. Integer values become int32 weights,
    real ones float32, a matrix of booleans has none. Raises InputError."""
    from scipy import sparse

    check_readable(path)
    progress(f"reading {path}", None)
    try:
        matrix: Any = sparse.load_npz(path)
        if matrix.format in ("csr", "csc"):
            matrix.check_format(full_check=True)
        coo = matrix.tocoo()
    except MemoryError:
        raise
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, OSError, EOFError,
            zipfile.BadZipFile, zlib.error, NotImplementedError) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"not a SciPy sparse matrix: {first}", path=path) from error
    rows, columns = coo.shape
    if rows != columns:
        raise InputError(f"a {rows} x {columns} matrix is not square, so it is not a graph",
                         path=path)
    if rows > MAX_VERTICES:
        raise InputError(f"{rows} vertices are more than 32-bit vertex ids can number", path=path)
    if coo.data.dtype.kind not in "biuf":
        raise InputError(f"values of type {coo.data.dtype} cannot be edge weights", path=path)
    weights = None if coo.data.dtype == np.bool_ else edge_weights(coo.data, path)
    return EdgeList(rows, vertices(coo.row, path), vertices(coo.col, path), weights)
