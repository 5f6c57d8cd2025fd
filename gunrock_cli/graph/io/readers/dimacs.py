"""DIMACS shortest-path files (.gr): ``p sp VERTICES ARCS``, then ``a TAIL HEAD LENGTH`` lines.

Vertices count from 1 in the file. ``e`` lines (without length, from the colouring format) and files
with ``p edge`` are read too. Lines that begin with c are comments.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.edges import EdgeList
from gunrock_cli.graph.io.readers import text
from gunrock_cli.graph.io.readers.columns import HostArray, edge_weights, read_table
from gunrock_cli.graph.io.readers.lines import NUMBER, GoodLines, line_of_entry
from gunrock_cli.graph.model import MAX_VERTICES
from gunrock_cli.graph.progress import Progress, silent

_COMMENT = rb"[ \t]*+c[^\n\0]*+"
_COMMENTS = re.compile(rb"^" + _COMMENT, re.MULTILINE)


@dataclass(frozen=True)
class _Header:
    """The problem line, and its number."""

    n: int
    arcs: int
    weighted: bool
    line: int

    def arc(self) -> bytes:
        """A pattern for the arcs."""
        fields = [rb"[0-9]{1,10}+"] * 2 + [NUMBER] * self.weighted
        return rb"[ \t]++".join([b"a" if self.weighted else b"e", *fields]) + rb"[ \t]*+"

    def expected(self) -> str:
        """What a line must be, in words."""
        shape = "a TAIL HEAD LENGTH" if self.weighted else "e TAIL HEAD"
        length = ", a length that is not negative" if self.weighted else ""
        return f"expected '{shape}' with vertices 1 to {self.n}{length}"


def read(path: str, progress: Progress = silent) -> EdgeList:
    """The arcs of a file; lengths become int32 weights (float32 if they are not integers). Raises
    InputError with the line."""
    progress(f"reading {path}", None)
    with text.open_binary(path) as stream:
        header = _header(stream, path)
        lines = GoodLines(
            stream, path, rb"[ \t]*+(?:%s)?|%s" % (header.arc(), _COMMENT),
            lambda line: f"{header.expected()}; found {line!r}",
            usual=header.arc(), comment=b"c", first=header.line + 1, normalize=_numbers_only)
        columns = read_table(lines, [np.int64, np.int64, float][: 2 + header.weighted])

    def line_of(arc: int) -> int | None:
        return line_of_entry(path, arc, b"c", header.line)

    src, dst = columns[:2]
    outside = np.flatnonzero((src < 1) | (src > header.n) | (dst < 1) | (dst > header.n))
    if len(outside):
        bad = int(outside[0])
        raise InputError(f"{header.expected()}; found an arc from {src[bad]} to {dst[bad]}",
                         path=path, line=line_of(bad))
    if len(src) != header.arcs:
        raise InputError(f"{len(src)} arcs, but line {header.line} announces {header.arcs}",
                         path=path)
    weights = edge_weights(_lengths(columns[2]), path, line_of) if header.weighted else None
    return EdgeList(header.n, (src - 1).astype(np.int32), (dst - 1).astype(np.int32), weights)


def _lengths(values: HostArray) -> HostArray:
    whole = (values == np.floor(values)).all() and (np.abs(values) < 2**62).all()
    return values.astype(np.int64) if whole else values


def _numbers_only(lines: bytes) -> bytes:
    """Good lines without comments and the letters that mark arcs."""
    if b"c" in lines:
        lines = _COMMENTS.sub(b"", lines)
    return lines.replace(b"a", b" ").replace(b"e ", b"  ").replace(b"e\t", b"  ")


def _header(stream: BinaryIO, path: str) -> _Header:
    """The problem line; leaves the stream after it."""
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
    good = re.fullmatch(rb"p\s+(sp|edge|col)\s+([0-9]{1,10})\s+([0-9]{1,15})\s*", line)
    if not good:
        raise InputError("expected the line 'p sp VERTICES ARCS' before all arcs", path=path,
                         line=number)
    n = int(good[2])
    if n > MAX_VERTICES:
        raise InputError(f"{n} vertices are more than 32-bit vertex ids can number", path=path,
                         line=number)
    return _Header(n, int(good[3]), good[1] == b"sp", number)
