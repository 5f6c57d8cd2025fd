"""The binary rows of Gunrock 2.x, .csr: rows, columns and entries (int32), offsets (int32, n + 1),
columns (int32), and always weights (float32): ones if a graph has none, as in its loader.

Layout: gunrock/gunrock v2.1.0 530f254, include/gunrock/formats/csr.hxx.
"""

from __future__ import annotations

import struct
from typing import BinaryIO

from gunrock_cli.errors import InputError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.rows import StoredRows
from gunrock_cli.graph.sources.files.exchange.array_file import checked_rows, opened, put
from gunrock_cli.graph.sources.files.readers.columns import weights_from_floats
from gunrock_cli.graph.sources.progress import Progress, silent

_HEADER = "<iii"


def read(path: str, progress: Progress = silent) -> StoredRows:
    """The rows of a file; weights become int32 if all are whole. Raises InputError."""
    with opened(path) as file:
        progress(f"reading {file.where}", None)
        n, columns_wide, m = file.header(_HEADER)
        if n != columns_wide:
            raise InputError(
                f"a {n} x {columns_wide} matrix is not square, so it is not a graph", path=file.where
            )
        file.expect(n, m, struct.calcsize(_HEADER) + 4 * (n + 1 + m + m))
        offsets, columns = file.take("<i4", n + 1), file.take("<i4", m)
        values = weights_from_floats(file.take("<f4", m), file.where, as_reals=lambda: True)
        return StoredRows(checked_rows(offsets, columns, values, file.where))


def write(graph: Graph, file: BinaryIO) -> None:
    """Write a graph on the host."""
    csr = graph.csr
    assert csr.values is not None  # ``Format.weights``
    file.write(struct.pack(_HEADER, graph.n, graph.n, graph.m))
    put(file, csr.row_offsets, "<i4")
    put(file, csr.column_indices, "<i4")
    put(file, csr.values, "<f4")
