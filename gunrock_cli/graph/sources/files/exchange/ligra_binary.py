"""Ligra's graphs in binary, three files: NAME.config (the number of vertices, as text), NAME.idx (the
beginning of each row, uint32, or uint64 if Ligra was compiled with LONG), NAME.adj (all neighbours,
uint32, and after these the weights, int32).

Nothing in them says whether there are weights. So NAME.config also gives the number of edges, after the
number of vertices, where Ligra does not read it; files that are read here with weights must have it.
Layout: jshun/ligra 8763202, README.md, ligra/IO.h.
"""

from __future__ import annotations

import re
from typing import BinaryIO

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.model.graph import MAX_VERTICES, Graph
from gunrock_cli.graph.model.rows import StoredRows
from gunrock_cli.graph.sources.files.exchange.array_file import (
    HostArray,
    checked_rows,
    opened,
    put,
    short_text,
)
from gunrock_cli.graph.sources.files.readers.formats import files_to_read
from gunrock_cli.graph.sources.progress import Progress, silent


def read(path: str, progress: Progress = silent) -> StoredRows:
    """The rows of NAME or NAME.config. Raises InputError."""
    config, index, adjacency = files_to_read("ligra-binary", path)
    progress(f"reading {adjacency}", None)
    n, m = _counts(config)
    begins = _begins(index, n)
    with opened(adjacency) as file:
        words, odd = divmod(file.size, 4)
        if odd:
            raise InputError(
                f"truncated: {file.size} bytes are no whole number of neighbours", path=adjacency
            )
        if m is None:
            m = _edges(begins, words, config)
        if words not in (m, 2 * m):
            raise InputError(
                f"{words} numbers, but {config} says {m} edges, with or without weights", path=adjacency
            )
        file.expect(n, m, file.size)
        columns = file.take("<u4", m)
        values = file.take("<i4", m) if words > m else None
        offsets = np.append(begins.astype(np.uint64, copy=False), np.uint64(m))
        return StoredRows(checked_rows(offsets, columns, values, adjacency))


def write(graph: Graph, config: BinaryIO, index: BinaryIO, adjacency: BinaryIO) -> None:
    """Write a graph on the host."""
    config.write(f"{graph.n}\n{graph.m}\n".encode())
    put(index, graph.csr.row_offsets[:-1], "<u4")
    put(adjacency, graph.csr.column_indices, "<u4")
    if graph.csr.values is not None:
        put(adjacency, graph.csr.values, "<i4")


def _counts(path: str) -> tuple[int, int | None]:
    found = re.fullmatch(
        r"[ \t\r\n]*([0-9]{1,18})(?:[ \t\r\n]+([0-9]{1,18}))?[ \t\r\n]*", short_text(path)
    )
    if found is None:
        raise InputError("expected the number of vertices, and maybe that of directed edges", path=path)
    n, m = int(found[1]), found[2]
    if n > MAX_VERTICES:
        raise InputError(f"{n} vertices are more than 32-bit vertex ids can number", path=path)
    return n, None if m is None else int(m)


def _begins(path: str, n: int) -> HostArray:
    with opened(path) as file:
        if file.size not in (4 * n, 8 * n):
            raise InputError(
                f"{file.size} bytes, where {n} vertices take {4 * n} (or {8 * n}, with 64-bit offsets)",
                path=path,
            )
        file.expect(n, 0, file.size)
        return file.take("<u4" if file.size == 4 * n else "<u8", n)


def _edges(begins: HostArray, words: int, config: str) -> int:
    """The number of edges if it is not stated: all numbers are neighbours if a row begins beyond the
    first half of them."""
    if words == 0 or words % 2 or (len(begins) and int(begins.max()) > words // 2):
        return words
    raise InputError(
        "whether the second half of .adj are weights cannot be told: write the number of "
        "edges behind that of vertices (Ligra does not read it)",
        path=config,
    )
