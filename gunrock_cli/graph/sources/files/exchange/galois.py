"""Galois's binary graphs, .gr of version 1: four uint64 (version, bytes of an edge's data, vertices,
directed edges), the end of each row (uint64, n), neighbours (uint32, padded to a multiple of 8 bytes),
and the data of each edge: here weights (int32), or none.

Layout: IntelligentSoftwareSystems/Galois 02ecf4f, libgalois/src/FileGraph.cpp. ADDS reads the same.
"""

from __future__ import annotations

import struct
from typing import BinaryIO

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.rows import StoredRows
from gunrock_cli.graph.sources.files.exchange.array_file import checked_rows, opened, put
from gunrock_cli.graph.sources.progress import Progress, silent

_HEADER = "<4Q"
_VERSION = 1
_WEIGHT = 4  # bytes


def read(path: str, progress: Progress = silent) -> StoredRows:
    """The rows of a file. Raises InputError."""
    with opened(path) as file:
        progress(f"reading {file.where}", None)
        version, width, n, m = file.header(_HEADER)
        if version != _VERSION:
            raise InputError(f"version {version} of Galois's format, where 1 is read", path=file.where)
        if width not in (0, _WEIGHT):
            raise InputError(
                f"edge data of {width} bytes each, where integers of {_WEIGHT} or none are read",
                path=file.where,
            )
        file.expect(n, m, struct.calcsize(_HEADER) + 8 * n + 4 * (m + m % 2) + width * m)
        offsets = np.zeros(n + 1, np.uint64)
        offsets[1:] = file.take("<u8", n)
        columns = file.take("<u4", m + m % 2)[:m]
        values = file.take("<i4", m) if width else None
        return StoredRows(checked_rows(offsets, columns, values, file.where))


def write(graph: Graph, file: BinaryIO) -> None:
    """Write a graph on the host."""
    csr = graph.csr
    width = 0 if csr.values is None else _WEIGHT
    file.write(struct.pack(_HEADER, _VERSION, width, graph.n, graph.m))
    put(file, csr.row_offsets[1:], "<u8")
    put(file, csr.column_indices, "<u4")
    file.write(bytes(4 * (graph.m % 2)))
    if csr.values is not None:
        put(file, csr.values, "<i4")
