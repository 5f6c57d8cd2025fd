"""METIS graph files: ``VERTICES EDGES [FORMAT [CONSTRAINTS]]``, then one line of neighbours per vertex.

Vertices count from 1 in the file; each undirected edge appears in the lines of both its ends. FORMAT's
digits say whether there are vertex sizes (1xx; skipped), vertex weights (x1x; kept, CONSTRAINTS of them
each, 1 by default) and edge weights (xx1; kept). Lines that begin with % are comments.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.model.graph import MAX_VERTICES
from gunrock_cli.graph.model.memory import require_host_memory
from gunrock_cli.graph.rows.transpose import edge_without_reverse
from gunrock_cli.graph.sources.files.readers import text
from gunrock_cli.graph.sources.files.readers.columns import HostArray, edge_weights
from gunrock_cli.graph.sources.progress import Progress, silent


@dataclass(frozen=True)
class _Header:
    n: int
    edges: int
    sized: bool  # a line begins with the vertex's size
    weights: int  # for each vertex, after the size
    weighted: bool

    @property
    def before(self) -> int:
        """The count of numbers before the neighbours in a line."""
        return self.sized + self.weights


_LINES = re.compile(rb"(?:[ \t]*+(?:[0-9]{1,18}+(?![0-9])[ \t]*+)*+\r?\n)*+")
"""Lines of vertex numbers and weights."""
MAX_WEIGHT = 2**31 - 1
_BLANKS = b" \t\r"
_BLOCK = 1 << 24
_BESIDE = 3
"""The least memory that reading takes besides a text, in multiples of its length: its lines, a copy,
numbers of 8 bytes."""


def read(
    path: str, progress: Progress = silent, weights: str | None = None, weight_type: str | None = None
) -> EdgeList:
    """The edges of a file, integer weights as int32, unless ``weight_type`` says otherwise; with other
    ``weights`` they are ignored. Raises InputError with the line."""
    progress(f"reading {path}", None)
    try:
        with text.open_binary(path) as stream:
            data = _content(stream, path)
    except text.BROKEN as error:
        raise InputError(f"cannot be read: {error}", path=path) from error
    rows, numbers = _rows(data)
    if not len(numbers):
        raise InputError("no line 'VERTICES EDGES' in this file", path=path)
    header = _header(data, int(numbers[0]), path)
    end = _end_of(data, int(numbers[0]))
    values, counts = _numbers(data, end, rows, numbers, header, path)
    return _edges(
        values, counts, numbers[1 : header.n + 1] + 1, header, path, weights is None, weight_type
    )


def _content(stream: BinaryIO, path: str) -> bytes:
    """The whole content of a file; OutOfMemory if it does not fit unpacked."""
    blocks: list[bytes] = []
    held = 0
    while block := stream.read(_BLOCK):
        blocks.append(block)
        held += len(block)
        require_host_memory(
            _BESIDE * held, f"what {text.display_path(path)} says, beside {held} bytes of its text"
        )
    return b"".join(blocks)


def _rows(data: bytes) -> tuple[list[bytes], HostArray]:
    """All lines, and the numbers (from 0) of the lines that are not comments."""
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    keep = [number for number, line in enumerate(lines) if not line.startswith(b"%")]
    return lines, np.array(keep, dtype=np.int64)


def _end_of(data: bytes, line: int) -> int:
    """The place where the line after number ``line`` begins."""
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
        raise InputError(
            "expected the line 'VERTICES EDGES [FORMAT [CONSTRAINTS]]'", path=path, line=line + 1
        )
    n, edges = int(words[0]), int(words[1])
    if n > MAX_VERTICES:
        raise InputError(
            f"{n} vertices are more than 32-bit vertex ids can number", path=path, line=line + 1
        )
    digits = (words[2] if len(words) > 2 else b"0").zfill(3)
    constraints = int(words[3]) if len(words) > 3 else 1
    if constraints < 1:
        raise InputError(
            "vertices cannot have 0 weights each: leave the number out", path=path, line=line + 1
        )
    weights = constraints * (digits[1:2] == b"1")
    return _Header(n, edges, digits[0:1] == b"1", weights, digits[2:3] == b"1")


def _numbers(
    data: bytes, end: int, lines: list[bytes], kept: HostArray, header: _Header, path: str
) -> tuple[HostArray, HostArray]:
    """Every number after the header line, and the count of numbers in each vertex's line."""
    body = kept[1:]
    if len(body) < header.n:
        raise InputError(f"truncated: {len(body)} lines for {header.n} vertices", path=path)
    extra = [line for line in body[header.n :] if lines[line].strip(_BLANKS)]
    if extra:
        raise InputError(
            f"more lines than the {header.n} vertices announced", path=path, line=int(extra[0]) + 1
        )
    counts = np.fromiter((len(lines[line].split()) for line in body[: header.n]), np.int64, header.n)
    joined = data[end:] if b"%" not in data[end:] else b"\n".join(lines[i] for i in body)
    joined += b"\n"
    found = _LINES.match(joined)
    good = found.end() if found else 0
    if good < len(joined):
        raise _no_number(lines, int(body[joined.count(b"\n", 0, good)]), path)
    if not counts.any():
        return np.empty(0, np.int64), counts
    return np.fromstring(joined.decode("ascii"), dtype=np.int64, sep=" "), counts


def _no_number(lines: list[bytes], line: int, path: str) -> InputError:
    """The error for a line with something other than a number."""
    words = [word for word in re.split(rb"[ \t]+", lines[line].removesuffix(b"\r")) if word]
    bad = next(word for word in words if not re.fullmatch(rb"[0-9]{1,18}", word))
    shown = bad[:60].decode("utf-8", "replace")
    return InputError(f"expected vertex numbers, found {shown!r}", path=path, line=line + 1)


def _edges(
    values: HostArray,
    counts: HostArray,
    lines: HostArray,
    header: _Header,
    path: str,
    weighted: bool,
    weight_type: str | None,
) -> EdgeList:
    """The edges; ``lines`` are the line numbers of the vertices."""
    step = 2 if header.weighted else 1
    rest = counts - header.before
    bad = (rest < 0) | (rest % step != 0)
    if bad.any():
        vertex = int(np.flatnonzero(bad)[0])
        raise InputError(
            f"the line of vertex {vertex + 1} has {counts[vertex]} numbers, which "
            "does not fit the format of the first line",
            path=path,
            line=int(lines[vertex]),
        )
    starts = np.cumsum(counts) - counts
    place = np.arange(len(values), dtype=np.int64) - np.repeat(starts, counts) - header.before
    dst = values[(place >= 0) & (place % step == 0)]
    src = np.repeat(np.arange(header.n, dtype=np.int32), rest // step)
    outside = np.flatnonzero((dst < 1) | (dst > header.n))
    if len(outside):
        at = int(outside[0])
        raise InputError(
            f"vertex {src[at] + 1} has a neighbour {dst[at]}, but vertices are 1 to {header.n}",
            path=path,
            line=int(lines[src[at]]),
        )
    if len(dst) != 2 * header.edges:
        raise InputError(
            f"{len(dst)} neighbours listed, but {header.edges} edges announced (each stands twice)",
            path=path,
        )
    weights = None
    if header.weighted and weighted:
        weights = edge_weights(
            values[(place >= 0) & (place % 2 == 1)], path, lambda edge: int(lines[src[edge]]), weight_type
        )
    dst = (dst - 1).astype(np.int32)
    one_way = edge_without_reverse(src, dst, weights)
    if one_way is not None:
        tail, head = one_way
        raise InputError(
            f"vertex {tail + 1} lists {head + 1}, but vertex {head + 1} (line {lines[head]}) does "
            f"not list {tail + 1}" + " with the same weight" * (weights is not None),
            path=path,
            line=int(lines[tail]),
        )
    return EdgeList(
        header.n, src, dst, weights, vertex_weights=_vertex_weights(values, starts, lines, header, path)
    )


def _vertex_weights(
    values: HostArray, starts: HostArray, lines: HostArray, header: _Header, path: str
) -> HostArray | None:
    """The vertices' weights: int32, shape (n,), or (n, constraints) with several constraints."""
    if not header.weights:
        return None
    if not header.n:  # no line confirms the number of weights
        return np.empty(0, np.int32)
    found = values[starts[:, None] + header.sized + np.arange(header.weights)]
    large = np.flatnonzero((found > MAX_WEIGHT).any(axis=1))
    if len(large):
        vertex = int(large[0])
        raise InputError(
            f"vertex {vertex + 1} weighs {found[vertex].max()}, which does not fit in a 32-bit weight",
            path=path,
            line=int(lines[vertex]),
        )
    found = found.astype(np.int32)
    return found[:, 0] if header.weights == 1 else found
