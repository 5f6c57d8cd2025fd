"""Matrix Market files, read by SciPy; what is wrong with one is said with its line.

Coordinate format; pattern, real or integer; general, symmetric or skew-symmetric; plain or gzip.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from gunrock_cli.errors import InputError
from gunrock_cli.graph.build import MAX_VERTICES
from gunrock_cli.graph.edges import EdgeList
from gunrock_cli.graph.progress import Progress, silent
from gunrock_cli.graph.readers import text
from gunrock_cli.graph.readers.columns import HostArray, edge_weights, unfit_weights

FIELDS = ("pattern", "real", "integer", "double", "unsigned-integer")
SYMMETRIES = ("general", "symmetric", "skew-symmetric")
_BLOCK = 1 << 20
_SHORTEST_ENTRY = 4  # bytes of "1 1\n"


@dataclass(frozen=True)
class Header:
    """What the first lines say. ``size_line`` counts from 1; ``body`` is the bytes before the
    entries."""

    field: str
    symmetry: str
    n: int
    entries: int
    size_line: int
    body: int


def read(path: str, progress: Progress = silent) -> EdgeList:
    """The edges of a file ("-" is stdin): entry (i, j) is the edge from i - 1 to j - 1.

    A symmetric or skew-symmetric file gives each stored entry once and ``symmetric=True``; the
    values become int32 or float32 weights, a pattern has none. Raises InputError, with the line
    where there is one.
    """
    with text.open_binary(path) as stream:
        header = read_header(stream, path)
        check_entries_fit(path, header)
    body = _Body(path, header, progress)
    with text.open_binary(path) as stream:
        matrix = body.read(stream)
    weights = None if header.field == "pattern" else body.weights(matrix.data)
    return EdgeList(header.n, matrix.row, matrix.col, weights,
                    symmetric=header.symmetry != "general",
                    skew=header.symmetry == "skew-symmetric")


def read_header(stream: BinaryIO, path: str) -> Header:
    """Banner, comments and size line of an open file; leaves the stream behind them."""
    where = text.shown(path)
    banner = _line(stream, where, 1)
    field, symmetry = _parse_banner(banner, where)
    number, body = 1, len(banner)
    while True:
        number += 1
        line = _line(stream, where, number)
        body += len(line)
        if not line:
            raise InputError("the file ends before its size line", path=where, line=number)
        if line.strip() and not line.startswith(b"%"):
            break
    n, entries = _parse_size(line, where, number)
    return Header(field, symmetry, n, entries, number, body)


def _line(stream: BinaryIO, where: str, number: int) -> bytes:
    try:
        return stream.readline(1 << 16)
    except text.BROKEN as error:
        raise InputError(f"cannot be read: {error}", path=where, line=number) from error


def _parse_banner(banner: bytes, where: str) -> tuple[str, str]:
    words = banner.decode("latin-1").strip().lower().split()
    # Network Repository writes one % only.
    if not words or words[0] not in ("%%matrixmarket", "%matrixmarket"):
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


def check_entries_fit(path: str, header: Header) -> None:
    """Refuse a count that the file cannot hold before memory is taken for it."""
    if path == text.STDIN or text.is_gzip(path):
        return
    size = Path(path).stat().st_size
    if header.entries * _SHORTEST_ENTRY > size + _SHORTEST_ENTRY:
        raise InputError(f"truncated, or a wrong count: {header.entries} entries cannot fit in "
                         f"{size} bytes", path=path, line=header.size_line)


class _Body:
    """Reading the entries, and saying what is wrong with them."""

    def __init__(self, path: str, header: Header, progress: Progress) -> None:
        self.path, self.where, self.header = path, text.shown(path), header
        self.progress = progress
        self.size = Path(path).stat().st_size if path != text.STDIN else 0
        self.packed = self.size == 0 or text.is_gzip(path)
        self.fraction_at: int | None = None

    def read(self, stream: BinaryIO) -> Any:
        """The COO matrix of all stored entries.

        SciPy gets the file as a general one, so that it does not append the mirror images of
        symmetric entries: the builder does that in less memory.
        """
        from scipy.io import mmread

        banner = stream.readline(1 << 16)
        field = {"double": "real"}.get(self.header.field, self.header.field)
        respelled = f"%%MatrixMarket matrix coordinate {field} general\n".encode()
        watched = text.Watched(respelled, stream, lambda block, at: self._seen(
            block, at + len(banner)))
        try:
            matrix = mmread(io.BufferedReader(watched, _BLOCK))
            self._check_text(watched, banner)
        except (ValueError, OverflowError) as error:
            self._check_text(watched, banner)
            raise self._explained(str(error)) from error
        except text.BROKEN as error:
            raise InputError(f"cannot be read: {error}", path=self.where) from error
        except MemoryError as error:
            raise InputError(f"{self.header.entries} entries do not fit in memory",
                             path=self.where) from error
        if self.fraction_at is not None:
            raise InputError("the banner says integer, but this value is none", path=self.where,
                             line=text.line_at(self.path, self.fraction_at))
        return matrix

    def _check_text(self, watched: text.Watched, banner: bytes) -> None:
        if watched.null_at is not None:
            raise InputError("a null byte: this is no text", path=self.where,
                             line=text.line_at(self.path, len(banner) + watched.null_at))

    def weights(self, values: HostArray) -> HostArray:
        """The values as weights; refused with the line of the first that cannot be one."""
        bad = unfit_weights(values)
        if bad is None:
            return edge_weights(values, self.where)
        raise InputError(f"the value {values[bad]} is no number that fits in a 32-bit weight",
                         path=self.where, line=self._line_of_entry(bad))

    def _seen(self, block: bytes, offset: int) -> None:
        self.progress(f"reading {self.where}",
                      None if self.packed else min(1.0, offset / self.size))
        if self.header.field.endswith("integer") and self.fraction_at is None:
            # SciPy would read 1.5 as 1, and say nothing.
            found = block.find(b".", self._skipped_comments(block, offset))
            if found >= 0:
                self.fraction_at = offset + found

    def _skipped_comments(self, block: bytes, offset: int) -> int:
        """Where in a block its entries begin: behind the size line."""
        return max(0, min(len(block), self.header.body - offset))

    def _explained(self, message: str) -> InputError:
        """The reader's complaint in our words, with the line where it names one."""
        missing = re.search(r"Truncated file. Expected another (\d+) lines", message)
        if missing:
            return InputError(f"truncated: {missing[1]} of {self.header.entries} entries are "
                              "missing", path=self.where)
        found = re.match(r"Line (\d+): (.*)", message)
        if found is None:
            return InputError(message, path=self.where)
        line, what = int(found[1]), found[2]
        if "out of bounds" in what:
            what = f"{what.lower()} (indices are 1 to {self.header.n})"
        elif "file too long" in what:
            what = (f"more entries than the {self.header.entries} that line "
                    f"{self.header.size_line} announces")
        return InputError(what, path=self.where, line=line)

    def _line_of_entry(self, entry: int) -> int | None:
        with text.open_binary(self.path) as stream:
            for number, line in enumerate(stream, 1):
                if number > self.header.size_line and line.strip():
                    entry -= 1
                    if entry < 0:
                        return number
        return None
