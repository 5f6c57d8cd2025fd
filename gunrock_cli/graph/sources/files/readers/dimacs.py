"""DIMACS files: ``p sp VERTICES ARCS``, then ``a TAIL HEAD LENGTH`` lines (.gr, shortest paths).

Related formats, too: ``p edge`` or ``p col`` with ``e TAIL HEAD`` lines and, for vertices that weigh more
than 1, ``n VERTEX WEIGHT`` (colouring); ``p tw`` and other problems of the PACE challenges with ``TAIL
HEAD`` lines. Vertices count from 1 in the file. Lines that begin with c are comments.
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
from gunrock_cli.graph.sources.files.readers import text
from gunrock_cli.graph.sources.files.readers.columns import HostArray, read_table, weights_from_floats
from gunrock_cli.graph.sources.files.readers.lines import NUMBER, GoodLines, line_of_entry
from gunrock_cli.graph.sources.progress import Progress, silent

_COMMENT = rb"[ \t]*+c[^\n\0]*+"
_COMMENTS = re.compile(rb"^" + _COMMENT, re.MULTILINE)
_NODE = rb"[ \t]*+n[ \t]++([0-9]{1,10}+)[ \t]++([0-9]{1,10}+)[ \t]*+"
_NODES = re.compile(rb"^" + _NODE, re.MULTILINE)
_LENGTHS = re.compile(rb"^[ \t]*+a([ \t]++[0-9]++[ \t]++[0-9]++)[^\n]*+", re.MULTILINE)
_MARKS = {
    "sp": b"a",
    "edge": b"e",
    "col": b"e",
    **dict.fromkeys(("tw", "td", "tdp", "cep", "tww", "ds"), b""),
}
"""The mark of an arc, by the type of the problem."""
_MOST_WEIGHT = 2**31 - 1


@dataclass(frozen=True)
class _Header:
    """The problem line, and its number."""

    n: int
    arcs: int
    mark: bytes
    line: int

    @property
    def weighted(self) -> bool:
        """True if arcs have lengths."""
        return self.mark == b"a"

    def arc(self, unread: bool) -> bytes:
        """A pattern for the arcs; ``unread``: their lengths may be anything."""
        length = rb"[^\s\0]++" if unread else NUMBER
        fields = [self.mark] * bool(self.mark) + [rb"[0-9]{1,10}+"] * 2 + [length] * self.weighted
        return rb"[ \t]++".join(fields) + rb"[ \t]*+"

    def line_pattern(self, arc: bytes) -> bytes:
        """A pattern for any line."""
        others = [_COMMENT, *[_NODE] * (self.mark == b"e")]
        return b"|".join([rb"[ \t]*+(?:%s)?" % arc, *others])

    def expected(self) -> str:
        """A valid line, in words."""
        shape = f"{self.mark.decode()} TAIL HEAD{' LENGTH' * self.weighted}".lstrip()
        length = ", a length that is not negative" if self.weighted else ""
        return f"expected '{shape}' with vertices 1 to {self.n}{length}"


def read(
    path: str, progress: Progress = silent, weights: str | None = None, weight_type: str | None = None
) -> EdgeList:
    """The arcs of a file; lengths become int32 weights (float32 if they are not integers), unless
    ``weight_type`` gives the type; with other ``weights`` they are ignored. Raises InputError with the
    line."""
    progress(f"reading {path}", None)
    nodes: list[tuple[bytes, bytes]] = []
    with text.open_binary(path) as stream:
        header = _header(stream, path)
        weighted, arc = header.weighted and weights is None, header.arc(weights is not None)
        lines = GoodLines(
            stream,
            path,
            header.line_pattern(arc),
            lambda line: f"{header.expected()}; found {line!r}",
            usual=arc,
            comment=b"c",
            first=header.line + 1,
            normalize=lambda lines: _numbers_only(lines, header.mark, nodes, weighted < header.weighted),
        )
        columns = read_table(lines, [np.int64, np.int64, *[float] * weighted])

    def line_of(arc: int) -> int | None:
        return line_of_entry(path, arc, b"cn", header.line)

    src, dst = columns[:2]
    outside = np.flatnonzero((src < 1) | (src > header.n) | (dst < 1) | (dst > header.n))
    if len(outside):
        bad = int(outside[0])
        raise InputError(
            f"{header.expected()}; found an arc from {src[bad]} to {dst[bad]}",
            path=path,
            line=line_of(bad),
        )
    if len(src) != header.arcs:
        raise InputError(f"{len(src)} arcs, but line {header.line} announces {header.arcs}", path=path)
    lengths = weights_from_floats(columns[2], path, line_of, weight_type) if weighted else None
    return EdgeList(
        header.n,
        (src - 1).astype(np.int32),
        (dst - 1).astype(np.int32),
        lengths,
        vertex_weights=_vertex_weights(nodes, header.n, path),
    )


def _numbers_only(lines: bytes, mark: bytes, nodes: list[tuple[bytes, bytes]], cut: bool) -> bytes:
    """Good lines without comments and marks of arcs, ``cut`` behind the vertices; vertices' weights go to
    ``nodes``."""
    if b"c" in lines:
        lines = _COMMENTS.sub(b"", lines)
    if b"n" in lines:
        nodes += _NODES.findall(lines)
        lines = _NODES.sub(b"", lines)
    if cut:
        return _LENGTHS.sub(rb"\1", lines)
    if mark == b"e":
        return lines.replace(b"e ", b"  ").replace(b"e\t", b"  ")
    return lines.replace(mark, b" ") if mark else lines


def _vertex_weights(nodes: list[tuple[bytes, bytes]], n: int, path: str) -> HostArray | None:
    """The given weights, 1 for the other vertices; None if none is given."""
    if not nodes:
        return None
    require_host_memory(4 * n, f"{path}: {n} vertices")
    found = np.ones(n, np.int32)
    for vertex, weight in ((int(vertex), int(weight)) for vertex, weight in nodes):
        if not 1 <= vertex <= n or weight > _MOST_WEIGHT:
            raise InputError(
                f"expected 'n VERTEX WEIGHT' with vertices 1 to {n} and weights of 32 bits; "
                f"found 'n {vertex} {weight}'",
                path=path,
            )
        found[vertex - 1] = weight
    return found


def _header(stream: BinaryIO, path: str) -> _Header:
    """Read the problem line, and leave the stream after it."""
    number = 0
    try:
        while line := text.short_line(stream):
            number += 1
            if line.strip() and not line.lstrip().startswith(b"c"):
                return _parse_header(line, path, number)
    except text.BROKEN as error:
        raise InputError(f"cannot be read: {error}", path=path) from error
    raise InputError("no line 'p sp VERTICES ARCS' in this file", path=path)


def _parse_header(line: bytes, path: str, number: int) -> _Header:
    good = re.fullmatch(rb"p\s+([a-z]+)\s+([0-9]{1,10})\s+([0-9]{1,15})\s*", line)
    problem = re.match(rb"p\s+([a-z]+)\s", line)
    if problem and problem[1].decode() not in _MARKS:
        raise InputError(
            f"a DIMACS problem of type '{problem[1].decode()[:20]}' is not read: those of "
            f"type {', '.join(_MARKS)} are",
            path=path,
            line=number,
        )
    if not good:
        raise InputError("expected the line 'p sp VERTICES ARCS' before all arcs", path=path, line=number)
    n = int(good[2])
    if n > MAX_VERTICES:
        raise InputError(
            f"{n} vertices are more than 32-bit vertex ids can number", path=path, line=number
        )
    return _Header(n, int(good[3]), _MARKS[good[1].decode()], number)
