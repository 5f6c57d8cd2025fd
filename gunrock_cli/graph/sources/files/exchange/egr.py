"""ECL's graphs, .egr: vertices and directed edges (int32), offsets (int32, n + 1), neighbours (int32),
and, if the file goes on, weights (int32).

Layout: burtscher/ECL-Suite b75017e, library/ECLgraph.h, which refuses a graph without vertices.
"""

from __future__ import annotations

import struct
from typing import BinaryIO

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.rows import StoredRows
from gunrock_cli.graph.sources.files.exchange.array_file import checked_rows, opened, put
from gunrock_cli.graph.sources.progress import Progress, silent

_HEADER = "<ii"


def read(path: str, progress: Progress = silent) -> StoredRows:
    """The rows of a file. Raises InputError."""
    with opened(path) as file:
        progress(f"reading {file.where}", None)
        n, m = file.header(_HEADER)
        plain = struct.calcsize(_HEADER) + 4 * (n + 1 + m)
        weighted = file.expect(n, m, plain, plain + 4 * m) == 1
        offsets, columns = file.take("<i4", n + 1), file.take("<i4", m)
        values = file.take("<i4", m) if weighted else None
        return StoredRows(checked_rows(offsets, columns, values, file.where))


def write(graph: Graph, file: BinaryIO) -> None:
    """Write a graph on the host."""
    file.write(struct.pack(_HEADER, graph.n, graph.m))
    put(file, graph.csr.row_offsets, "<i4")
    put(file, graph.csr.column_indices, "<i4")
    if graph.csr.values is not None:
        put(file, graph.csr.values, "<i4")
