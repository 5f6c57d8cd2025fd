"""METIS graph files: ``VERTICES EDGES [FORMAT [CONSTRAINTS]]``, then a line of neighbours each.

Vertices count from 1 in the file; each undirected edge stands in both of its lines. FORMAT's
digits say whether there are vertex sizes (1xx), vertex weights (x1x; skipped both) and edge
weights (xx1; kept).
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.build import MAX_VERTICES
from gunrock_cli.graph.edges import EdgeList
from gunrock_cli.graph.progress import Progress, silent
from gunrock_cli.graph.readers import text
from gunrock_cli.graph.readers.columns import HostArray, edge_weights


@dataclass(frozen=True)
class _Header:
    n: int
    edges: int
    skipped: int  # numbers before the neighbours of a line
    weighted: bool


def read(path: str, progress: Progress = silent) -> EdgeList:
    """The edges of a file, integer weights as int32. Raises InputError with the line."""
    progress(f"reading {path}", None)
    try:
        with text.open_binary(path) as stream:
            data = stream.read()
    except text.BROKEN as error:
        raise InputError(f"cannot be read: {error}", path=path) from error
    rows, numbers = _rows(data)
    if not len(numbers):
        raise InputError("no line 'VERTICES EDGES' in this file", path=path)
    header = _header(data, int(numbers[0]), path)
    end = _end_of(data, int(numbers[0]))
    values, counts = _numbers(data, end, rows, numbers, header, path)
    return _edges(values, counts, header, path)


def _rows(data: bytes) -> tuple[list[bytes], HostArray]:
    """All lines, and the numbers (from 0) of those that are no comments."""
    lines = data.split(b"\n")
    if lines and not lines[-1].strip():
        lines.pop()
    keep = [number for number, line in enumerate(lines) if not line.startswith(b"%")]
    return lines, np.array(keep, dtype=np.int64)


def _end_of(data: bytes, line: int) -> int:
    """Where the line behind number ``line`` begins."""
    position = 0
    for _ in range(line + 1):
        found = data.find(b"\n", position)
        if found < 0:
            return len(data)
        position = found + 1
    return position


def _header(data: bytes, line: int, path: str) -> _Header:
    words = data.split(b"\n", line + 1)[line].split()
    good = 2 <= len(words) <= 4 and all(re.fullmatch(rb"[0-9]{1,15}", word) for word in words)
    if not good or (len(words) > 2 and not re.fullmatch(rb"[01]{1,3}", words[2])):
        raise InputError("expected the line 'VERTICES EDGES [FORMAT [CONSTRAINTS]]'",
                         path=path, line=line + 1)
    n, edges = int(words[0]), int(words[1])
    if n > MAX_VERTICES:
        raise InputError(f"{n} vertices are more than 32-bit vertex ids can number",
                         path=path, line=line + 1)
    digits = (words[2] if len(words) > 2 else b"0").zfill(3)
    constraints = int(words[3]) if len(words) > 3 else 1
    skipped = (digits[0:1] == b"1") + constraints * (digits[1:2] == b"1")
    return _Header(n, edges, skipped, digits[2:3] == b"1")


def _numbers(
    data: bytes, end: int, lines: list[bytes], kept: HostArray, header: _Header, path: str
) -> tuple[HostArray, HostArray]:
    """Every number behind the header line, and how many each vertex's line has."""
    body = kept[1:]
    if len(body) < header.n:
        raise InputError(f"truncated: {len(body)} lines for {header.n} vertices", path=path)
    extra = [line for line in body[header.n :] if lines[line].strip()]
    if extra:
        raise InputError(f"more lines than the {header.n} vertices announced", path=path,
                         line=int(extra[0]) + 1)
    counts = np.fromiter((len(lines[line].split()) for line in body[: header.n]), np.int64,
                         header.n)
    joined = data[end:] if b"%" not in data[end:] else b"\n".join(lines[i] for i in body)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of text that is no number
        try:
            values = np.fromstring(joined.decode("latin-1"), dtype=np.int64, sep=" ")
        except ValueError:
            values = np.empty(0, np.int64)
    if len(values) != counts.sum():
        raise _explained(lines, body[: header.n], path)
    return values, counts


def _explained(lines: list[bytes], body: HostArray, path: str) -> InputError:
    for line in body:
        for word in lines[line].split():
            if not re.fullmatch(rb"[0-9]{1,18}", word):
                shown = word[:60].decode("utf-8", "replace")
                return InputError(f"expected vertex numbers, found {shown!r}", path=path,
                                  line=int(line) + 1)
    return InputError("a number is too large", path=path)


def _edges(values: HostArray, counts: HostArray, header: _Header, path: str) -> EdgeList:
    step = 2 if header.weighted else 1
    rest = counts - header.skipped
    bad = (rest < 0) | (rest % step != 0)
    if bad.any():
        vertex = int(np.flatnonzero(bad)[0]) + 1
        raise InputError(f"the line of vertex {vertex} has {counts[vertex - 1]} numbers, which "
                         "does not fit the format of the first line", path=path)
    starts = np.cumsum(counts) - counts
    place = np.arange(len(values), dtype=np.int64) - np.repeat(starts, counts) - header.skipped
    is_edge = (place >= 0) & (place % step == 0)
    dst = values[is_edge]
    src = np.repeat(np.arange(header.n, dtype=np.int32), np.maximum(rest, 0) // step)
    outside = (dst < 1) | (dst > header.n)
    if outside.any():
        at = int(np.flatnonzero(outside)[0])
        raise InputError(f"vertex {int(src[at]) + 1} has a neighbour {dst[at]}, but vertices are "
                         f"1 to {header.n}", path=path)
    if len(dst) != 2 * header.edges:
        raise InputError(f"{len(dst)} neighbours listed, but {header.edges} edges announced "
                         "(each stands twice)", path=path)
    weights = edge_weights(values[(place >= 0) & (place % 2 == 1)], path) if step == 2 else None
    return EdgeList(header.n, src, (dst - 1).astype(np.int32), weights)
