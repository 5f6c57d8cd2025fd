"""Matrix Market files, read by SciPy; what is wrong with one is said with its line.

Coordinate format; pattern, real or integer; general, symmetric or skew-symmetric; plain or gzip.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from gunrock_cli.errors import InputError
from gunrock_cli.graph.build import MAX_VERTICES
from gunrock_cli.graph.edges import EdgeList
from gunrock_cli.graph.progress import Progress, silent
from gunrock_cli.graph.readers import text
from gunrock_cli.graph.readers.columns import edge_weights

FIELDS = ("pattern", "real", "integer", "double", "unsigned-integer")
SYMMETRIES = ("general", "symmetric", "skew-symmetric")
_SHORTEST_ENTRY = 4  # bytes of "1 1\n"


@dataclass(frozen=True)
class Header:
    """What the first lines say. ``size_line`` counts from 1."""

    field: str
    symmetry: str
    n: int
    entries: int
    size_line: int


def read(path: str, progress: Progress = silent) -> EdgeList:
    """The edges of a file ("-" is stdin): entry (i, j) is the edge from i - 1 to j - 1.

    A symmetric or skew-symmetric file gives each stored entry once and ``symmetric=True``; the
    values become int32 or float32 weights, a pattern has none. Raises InputError, with the line
    where there is one.
    """
    with text.open_binary(path) as stream:
        header = read_header(stream, path)
        _check_entries_fit(path, header)
        progress(f"reading {text.shown(path)}", None)
        matrix = _mmread(path, stream, header)
    return _edges(matrix, header, path)


def read_header(stream: BinaryIO, path: str) -> Header:
    """Banner, comments and size line of an open file; leaves the stream behind them."""
    where = text.shown(path)
    banner = _line(stream, where, 1)
    field, symmetry = _parse_banner(banner, where)
    number = 1
    while True:
        number += 1
        line = _line(stream, where, number)
        if not line:
            raise InputError("the file ends before its size line", path=where, line=number)
        if line.strip() and not line.startswith(b"%"):
            break
    n, entries = _parse_size(line, where, number)
    return Header(field, symmetry, n, entries, number)


def _line(stream: BinaryIO, where: str, number: int) -> bytes:
    try:
        return stream.readline(1 << 16)
    except text.BROKEN as error:
        raise InputError(f"cannot be read: {error}", path=where, line=number) from error


def _parse_banner(banner: bytes, where: str) -> tuple[str, str]:
    words = banner.decode("latin-1").strip().lower().split()
    if not words or words[0] != "%%matrixmarket":
        raise InputError(
            "not a Matrix Market file: the first line must begin with %%MatrixMarket",
            path=where, line=1)
    if len(words) != 5:
        raise InputError("the banner must be '%%MatrixMarket matrix coordinate FIELD SYMMETRY'",
                         path=where, line=1)
    _, thing, layout, field, symmetry = words
    if thing != "matrix" or layout != "coordinate":
        raise InputError(f"a {layout} {thing} is not a graph: only 'matrix coordinate' is",
                         path=where, line=1)
    if field == "complex" or symmetry == "hermitian":
        raise InputError(f"a {field} {symmetry} matrix has complex values, which edges cannot have",
                         path=where, line=1)
    if field not in FIELDS:
        raise InputError(f"unknown field {field!r} (known: {', '.join(FIELDS[:3])})",
                         path=where, line=1)
    if symmetry not in SYMMETRIES:
        raise InputError(f"unknown symmetry {symmetry!r} (known: {', '.join(SYMMETRIES)})",
                         path=where, line=1)
    return field, symmetry


def _parse_size(line: bytes, where: str, number: int) -> tuple[int, int]:
    words = line.split()
    if len(words) != 3 or not all(re.fullmatch(rb"[0-9]{1,18}", word) for word in words):
        raise InputError("the size line must be three numbers: rows, columns, entries",
                         path=where, line=number)
    rows, columns, entries = map(int, words)
    if rows != columns:
        raise InputError(f"a {rows} x {columns} matrix is not square, so it is not a graph",
                         path=where, line=number)
    if rows > MAX_VERTICES:
        raise InputError(f"{rows} vertices are more than 32-bit vertex ids can number",
                         path=where, line=number)
    return rows, entries


def _check_entries_fit(path: str, header: Header) -> None:
    """Refuse a count that the file cannot hold before memory is taken for it."""
    if path == text.STDIN or text.is_gzip(path):
        return
    size = Path(path).stat().st_size
    if header.entries * _SHORTEST_ENTRY > size + _SHORTEST_ENTRY:
        raise InputError(f"truncated, or a wrong count: {header.entries} entries cannot fit in "
                         f"{size} bytes", path=path, line=header.size_line)


def _mmread(path: str, stream: BinaryIO, header: Header) -> Any:
    from scipy.io import mmread

    where = text.shown(path)
    try:
        if path == text.STDIN or text.is_gzip(path):
            stream.seek(0)
            return mmread(stream)
        return mmread(path)
    except (ValueError, OverflowError) as error:
        raise _explained(str(error), path, header) from error
    except text.BROKEN as error:
        raise InputError(f"cannot be read: {error}", path=where) from error
    except MemoryError as error:
        raise InputError(f"{header.entries} entries do not fit in memory", path=where) from error


def _explained(message: str, path: str, header: Header) -> InputError:
    """The reader's complaint in our words, with the line where it names one."""
    where = text.shown(path)
    found = re.match(r"Line (\d+): (.*)", message)
    missing = re.search(r"Truncated file. Expected another (\d+) lines", message)
    if missing:
        return InputError(f"truncated: {missing[1]} of {header.entries} entries are missing",
                          path=where)
    if found is None:
        return InputError(message, path=where)
    line, what = int(found[1]), found[2]
    if "out of bounds" in what:
        what = f"{what.lower()} (indices are 1 to {header.n})"
    elif "file too long" in what:
        what = f"more entries than the {header.entries} that line {header.size_line} announces"
    return InputError(what, path=where, line=line)


def _edges(matrix: Any, header: Header, path: str) -> EdgeList:
    src, dst = matrix.row, matrix.col
    weights = None if header.field == "pattern" else edge_weights(matrix.data, text.shown(path))
    if header.symmetry != "general":
        # SciPy appends the mirror images behind the stored entries: keep the stored ones.
        src, dst = src[: header.entries], dst[: header.entries]
        weights = None if weights is None else weights[: header.entries]
    return EdgeList(header.n, src, dst, weights, symmetric=header.symmetry != "general",
                    skew=header.symmetry == "skew-symmetric")
