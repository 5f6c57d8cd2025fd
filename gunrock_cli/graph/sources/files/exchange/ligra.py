"""Ligra's adjacency graphs as text: the word AdjacencyGraph or WeightedAdjacencyGraph, vertices, directed
edges, the beginning of each row, all neighbours, and after these the weights; one number per line,
vertices and offsets from 0.

Layout: jshun/ligra 8763202, README.md, ligra/IO.h.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import BinaryIO

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.model.graph import MAX_VERTICES, Graph
from gunrock_cli.graph.model.memory import require_host_memory
from gunrock_cli.graph.model.rows import StoredRows
from gunrock_cli.graph.sources.files.exchange.array_file import HostArray, checked_rows
from gunrock_cli.graph.sources.files.readers import text
from gunrock_cli.graph.sources.files.readers.columns import edge_weights, vertices
from gunrock_cli.graph.sources.progress import Progress, silent

_HEAD = re.compile(
    rb"(?:\xef\xbb\xbf)?(Weighted)?AdjacencyGraph[ \t\r\n]++([0-9]{1,18})"
    rb"[ \t\r\n]++([0-9]{1,18})(?=[ \t\r\n]|\Z)"
)
_HEAD_BYTES = 4096
_BLANKS = b" \t\r\n"
_BLOCK = 1 << 20
_WORD = re.compile(rb"[^ \t\r\n]+")
_NUMBER = rb"(?:-(?=[1-9]))?[0-9]{1,18}+"
_NUMBERS = re.compile(rb"[ \t\r\n]*+(?:%s(?:[ \t\r\n]++|\Z))*+" % _NUMBER)
"""A pattern of numbers only: several times faster than a search for anything else."""
_NO_NUMBER = re.compile(rb"(?<![^ \t\r\n])(?!%s(?![^ \t\r\n]))[^ \t\r\n]++" % _NUMBER)
_LINES = 1 << 16


def read(path: str, progress: Progress = silent, weights: str | None = None) -> StoredRows:
    """The rows of a file; weights are int32, and unchecked if other ``weights`` will replace them. Raises
    InputError."""
    where = text.display_path(path)
    progress(f"reading {where}", None)
    try:
        with text.unpacked(path) as plain, Path(plain).open("rb") as stream:
            return _read(stream, where, weights is None)
    except OSError as error:
        raise InputError(f"cannot be read: {error}", path=where) from error


def write(graph: Graph, file: BinaryIO) -> None:
    """Write a graph on the host."""
    csr = graph.csr
    word = "AdjacencyGraph" if csr.values is None else "WeightedAdjacencyGraph"
    file.write(f"{word}\n{graph.n}\n{graph.m}\n".encode())
    for array in (csr.row_offsets[:-1], csr.column_indices, csr.values):
        if array is None:
            continue
        for first in range(0, len(array), _LINES):
            lines = (f"{number}\n" for number in array[first : first + _LINES].tolist())
            file.write("".join(lines).encode())


def _read(stream: BinaryIO, where: str, weights: bool) -> StoredRows:
    head = _HEAD.match(stream.read(_HEAD_BYTES))
    if head is None:
        raise InputError(
            "expected AdjacencyGraph or WeightedAdjacencyGraph, the number of vertices and that of edges",
            path=where,
            line=1,
        )
    n, m, weighted = int(head[2]), int(head[3]), head[1] is not None
    if n > MAX_VERTICES:
        raise InputError(f"{n} vertices are more than 32-bit vertex ids can number", path=where)
    count = n + (2 if weighted else 1) * m
    room = (os.fstat(stream.fileno()).st_size - head.end()) // 2  # a digit and a blank before it
    if count > room:
        raise InputError(
            f"truncated: {n} vertices and {m} edges{' with weights' * weighted} are {count} "
            f"numbers, and there is room for {room}",
            path=where,
        )
    require_host_memory(20 * count, f"{where}: {n} vertices and {m} directed edges")
    stream.seek(head.end())
    numbers = _numbers(stream, count, where, 1 + head[0].count(b"\n"))
    offsets = np.append(numbers[:n], m)
    columns = vertices(numbers[n : n + m], where)
    values = edge_weights(numbers[n + m :], where) if weighted and weights else None
    return StoredRows(checked_rows(offsets, columns, values, where))


def _numbers(stream: BinaryIO, count: int, where: str, line: int) -> HostArray:
    """The ``count`` numbers that must follow from ``line``, the current line, to the end."""
    found = np.empty(count, np.int64)
    done, rest = 0, b""
    while block := stream.read(_BLOCK):
        data = rest + block
        end = max(map(data.rfind, (b"\n", b" ", b"\t", b"\r"))) + 1
        if not end and len(data) > _BLOCK:
            raise InputError(f"expected a number, found {_shown(data)}", path=where, line=line)
        done = _put_numbers(found, done, data[:end], where, line)
        line += data.count(b"\n", 0, end)
        rest = data[end:]
    done = _put_numbers(found, done, rest, where, line)
    if done < count:
        raise InputError(
            f"truncated: {done} numbers behind its first three words, where there should be {count}",
            path=where,
        )
    return found


def _put_numbers(found: HostArray, done: int, data: bytes, where: str, line: int) -> int:
    if not data.strip(_BLANKS):
        return done
    bad = None if _NUMBERS.fullmatch(data) else _NO_NUMBER.search(data)
    if bad:
        raise InputError(
            f"expected a number, found {_shown(bad[0])}",
            path=where,
            line=line + data.count(b"\n", 0, bad.start()),
        )
    numbers = np.fromstring(data.decode("ascii"), dtype=np.int64, sep=" ")
    if done + len(numbers) > len(found):
        raise InputError(
            f"more numbers than the {len(found)} that its vertices and edges need",
            path=where,
            line=_line_of(data, len(found) - done, line),
        )
    found[done : done + len(numbers)] = numbers
    return done + len(numbers)


def _line_of(data: bytes, word: int, line: int) -> int:
    for number, found in enumerate(_WORD.finditer(data)):
        if number == word:
            return line + data.count(b"\n", 0, found.start())
    return line


def _shown(word: bytes) -> str:
    return repr(word[:60].decode("utf-8", "replace"))
