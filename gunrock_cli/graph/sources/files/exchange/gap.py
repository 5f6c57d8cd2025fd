"""GAP's serialized graphs, .sg and .wsg: whether directed (a byte), directed edges and vertices (int64),
then offsets (int64, n + 1) and neighbours (int32) of the out-edges, and for a directed graph the same
arrays of the in-edges. In a .wsg a neighbour is a pair: vertex, weight (both int32).

Layout: sbeamer/gapbs b5e3e19, src/reader.h, src/writer.h, src/graph.h.
"""

from __future__ import annotations

import struct
from typing import BinaryIO

from gunrock_cli.errors import InputError
from gunrock_cli.graph.model.graph import Csr, Graph
from gunrock_cli.graph.model.rows import StoredRows
from gunrock_cli.graph.rows.transpose import edge_without_reverse, is_reverse
from gunrock_cli.graph.sources.files.exchange.array_file import (
    ArrayFile,
    checked_rows,
    opened,
    put,
    put_pairs,
)
from gunrock_cli.graph.sources.progress import Progress, silent

_HEADER = "<Bqq"


def read(path: str, progress: Progress = silent) -> StoredRows:
    """The rows of an .sg. Raises InputError."""
    return _read(path, progress, weighted=False)


def read_weighted(path: str, progress: Progress = silent) -> StoredRows:
    """The rows of a .wsg. Raises InputError."""
    return _read(path, progress, weighted=True)


def write(graph: Graph, file: BinaryIO) -> None:
    """Write a graph on the host: an .sg, or, with weights, a .wsg."""
    file.write(struct.pack(_HEADER, not graph.undirected, graph.m, graph.n))
    sides = (graph.csr,) if graph.undirected else (graph.csr, graph.reverse)
    for side in sides:
        assert side is not None  # ``Format.both_sides``
        put(file, side.row_offsets, "<i8")
        if side.values is None:
            put(file, side.column_indices, "<i4")
        else:
            put_pairs(file, side.column_indices, side.values, "<i4")


def _read(path: str, progress: Progress, weighted: bool) -> StoredRows:
    with opened(path) as file:
        progress(f"reading {file.where}", None)
        directed, m, n = file.header(_HEADER)
        if directed > 1:
            raise InputError(
                f"not a graph of GAP's: it begins with the byte {directed}, where 1 says "
                "directed and 0 undirected",
                path=file.where,
            )
        sides = 2 if directed else 1
        size = struct.calcsize(_HEADER) + sides * (8 * (n + 1) + (8 if weighted else 4) * m)
        file.expect(n, m, size)
        csr, *rest = (_side(file, n, m, weighted) for _ in range(sides))
        reverse = rest[0] if rest else csr
        if not is_reverse(csr, reverse):
            raise InputError(_difference(csr, directed), path=file.where)
        return StoredRows(csr, both_directions=not directed, reverse=rest[0] if rest else None)


def _side(file: ArrayFile, n: int, m: int, weighted: bool) -> Csr:
    offsets = file.take("<i8", n + 1)
    columns, values = file.take_pairs("<i4", m) if weighted else (file.take("<i4", m), None)
    return checked_rows(offsets, columns, values, file.where)


def _difference(csr: Csr, directed: bool) -> str:
    if directed:
        return "damaged: its in-edges are not the reverse of its edges"
    found = edge_without_reverse(csr.sources(), csr.column_indices, csr.values)
    tail, head = found if found is not None else (0, 0)
    return (
        f"damaged: it says that it is undirected, but vertex {tail} lists {head} and vertex {head} "
        f"does not list {tail}" + " with the same weight" * (csr.values is not None)
    )
