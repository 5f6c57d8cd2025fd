"""DIMACS shortest-path files (.gr): ``p sp VERTICES ARCS``, then ``a TAIL HEAD LENGTH`` lines.

Vertices count from 1 in the file. ``e`` lines (no length, of the colouring format) and files of
``p edge`` are read too.
"""

from __future__ import annotations

import re
from typing import BinaryIO

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.build import MAX_VERTICES
from gunrock_cli.graph.edges import EdgeList
from gunrock_cli.graph.progress import Progress, silent
from gunrock_cli.graph.readers import text
from gunrock_cli.graph.readers.columns import HostArray, TableError, edge_weights, read_table
from gunrock_cli.graph.readers.diagnose import NUMBER, complain, first_bad_line


def read(path: str, progress: Progress = silent) -> EdgeList:
    """The arcs of a file; lengths become int32 weights (float32 where they are no integers).
    Raises InputError with the line."""
    progress(f"reading {path}", None)
    try:
        return _read(path)
    except text.BROKEN as error:
        raise InputError(f"cannot be read: {error}", path=path) from error


def _read(path: str) -> EdgeList:
    with text.open_binary(path) as stream:
        n, arcs, kind, header_line = _header(stream, path)
        weighted = kind == "sp"
        columns = {0: str, 1: np.int64, 2: np.int64} | ({3: np.float64} if weighted else {})
        try:
            table = read_table(stream, columns, separator=r"\s+", comment="c")
        except TableError as error:
            raise _explained(path, n, weighted, str(error)) from error
    marks, src, dst = table[:3]
    wrong_mark = bool((marks != ("a" if weighted else "e")).any())
    outside = len(src) and not (1 <= min(src.min(), dst.min()) <= max(src.max(), dst.max()) <= n)
    if wrong_mark or outside:
        raise _explained(path, n, weighted, f"a vertex number is not within 1 to {n}")
    if len(src) != arcs:
        raise InputError(f"{len(src)} arcs, but line {header_line} announces {arcs}", path=path)
    weights = _lengths(table[3], path) if weighted else None
    return EdgeList(n, (src - 1).astype(np.int32), (dst - 1).astype(np.int32), weights)


def _lengths(values: HostArray, path: str) -> HostArray:
    whole = (values == np.floor(values)).all() and (np.abs(values) < 2**62).all()
    return edge_weights(values.astype(np.int64) if whole else values, path)


def _header(stream: BinaryIO, path: str) -> tuple[int, int, str, int]:
    """Vertices, arcs, "sp" or "edge", and the line number of the problem line."""
    number = 0
    while line := stream.readline(1 << 16):
        number += 1
        words = line.split()
        if not words or words[0] == b"c":
            continue
        good = re.fullmatch(rb"p\s+(sp|edge|col)\s+([0-9]{1,10})\s+([0-9]{1,15})\s*", line)
        if not good:
            raise InputError("expected the line 'p sp VERTICES ARCS' before all arcs",
                             path=path, line=number)
        n, arcs = int(good[2]), int(good[3])
        if n > MAX_VERTICES:
            raise InputError(f"{n} vertices are more than 32-bit vertex ids can number",
                             path=path, line=number)
        return n, arcs, "sp" if good[1] == b"sp" else "edge", number
    raise InputError("no line 'p sp VERTICES ARCS' in this file", path=path)


def _explained(path: str, n: int, weighted: bool, otherwise: str) -> InputError:
    blank = rb"[ \t]+"
    vertex = _up_to(n)
    arc = (rb"a" + blank + vertex + blank + vertex + blank + NUMBER if weighted
           else rb"e" + blank + vertex + blank + vertex)
    good = rb"[ \t]*|c.*|p.*|" + arc + rb"[ \t]*"
    with text.open_binary(path) as stream:
        found = first_bad_line(stream, good)
    shape = "a TAIL HEAD LENGTH" if weighted else "e TAIL HEAD"
    return complain(found, f"'{shape}' with vertices 1 to {n}", path, otherwise)


def _up_to(n: int) -> bytes:
    """A pattern of the numbers 1 to n (without leading zeros)."""
    digits = str(n)
    options = [rb"[1-9][0-9]{0,%d}" % (len(digits) - 2)] if len(digits) > 1 else []
    for place, digit in enumerate(digits):
        low = 1 if place == 0 else 0
        if int(digit) > low:
            options.append(b"%s[%d-%d][0-9]{%d}" % (
                digits[:place].encode(), low, int(digit) - 1, len(digits) - place - 1))
    return b"(?:" + b"|".join([*options, digits.encode()]) + b")"
