"""Matrix Market files, read by SciPy; errors are reported with their line.

Coordinate format; pattern, real or integer; general, symmetric or skew-symmetric; plain or packed. One
entry per line, followed by nothing but a comment (from a %): SciPy would take the beginning of an odd
number for the whole, 1 for `1e5` in an integer file.
"""

from __future__ import annotations

import io
import os
import re
from dataclasses import dataclass
from typing import Any, BinaryIO

from gunrock_cli.errors import InputError
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.model.graph import MAX_VERTICES
from gunrock_cli.graph.sources.files.readers import text
from gunrock_cli.graph.sources.files.readers.columns import edge_weights
from gunrock_cli.graph.sources.files.readers.lines import NUMBER, GoodLines, line_of_entry
from gunrock_cli.graph.sources.progress import Progress, silent

FIELDS = ("pattern", "real", "integer", "double", "unsigned-integer")
SYMMETRIES = ("general", "symmetric", "skew-symmetric")
_BLOCK = 1 << 20
_SHORTEST_ENTRY = 4  # bytes of "1 1\n"
_VALUES = {
    "pattern": b"",
    "integer": rb"[ \t]++-?[0-9]++",
    "unsigned-integer": rb"[ \t]++[0-9]++",
    "real": rb"[ \t]++-?" + NUMBER,
    "unread": rb"[ \t]++[^\s%\0]++",
}
_ENTRY = rb"[0-9]++[ \t]++[0-9]++%s[ \t\r]*+"
_LINE = rb"[ \t]*+(?:%s(?:%%[^\n\0]*+)?)?[ \t\r]*+"
"""A line: an optional entry, perhaps with a comment."""


@dataclass(frozen=True)
class Header:
    """The facts of the first lines. ``size_line`` counts from 1; ``body`` is the number of bytes before
    the entries."""

    field: str
    symmetry: str
    n: int
    entries: int
    size_line: int
    body: int


def read(
    path: str, progress: Progress = silent, weights: str | None = None, weight_type: str | None = None
) -> EdgeList:
    """The edges of a file ("-" is stdin): entry (i, j) is the edge from i - 1 to j - 1.

    A symmetric or skew-symmetric file gives each stored entry once and ``symmetric=True``; the values
    become int32 or float32 weights, a pattern has none. With other ``weights`` than the file's they are
    left unread. Raises InputError, with the line if it can.
    """
    with text.open_binary(path) as stream:
        header = read_header(stream, path)
        check_entries_fit(path, header)
        matrix = _read_entries(stream, path, header, progress, unread=weights is not None)
    values = (
        None
        if header.field == "pattern" or weights is not None
        else edge_weights(
            matrix.data,
            text.display_path(path),
            lambda entry: line_of_entry(path, entry, b"%", header.size_line),
            weight_type,
        )
    )
    return EdgeList(
        header.n,
        matrix.row,
        matrix.col,
        values,
        symmetric=header.symmetry != "general",
        skew=header.symmetry == "skew-symmetric",
    )


def read_header(stream: BinaryIO, path: str) -> Header:
    """Read banner, comments and size line of an open file; leave the stream after them."""
    where, number = text.display_path(path), 1
    while (banner := _line(stream, where, number)) and not banner.strip():
        number += 1
    field, symmetry = _parse_banner(banner, where, number)
    while True:
        number += 1
        line = _line(stream, where, number)
        if not line:
            raise InputError("the file ends before its size line", path=where, line=number)
        if line.strip() and not line.lstrip().startswith(b"%"):
            break
    n, entries = _parse_size(line, where, number)
    return Header(field, symmetry, n, entries, number, stream.tell())


def _line(stream: BinaryIO, where: str, number: int) -> bytes:
    try:
        return text.short_line(stream)
    except text.BROKEN as error:
        raise InputError(f"cannot be read: {error}", path=where, line=number) from error


def _parse_banner(banner: bytes, where: str, line: int) -> tuple[str, str]:
    words = banner.decode("latin-1").strip().lower().split()
    # Network Repository writes only one %.
    if not words or words[0] not in ("%%matrixmarket", "%matrixmarket"):
        raise InputError(
            "not a Matrix Market file: the first line must begin with %%MatrixMarket",
            path=where,
            line=line,
        )
    if len(words) != 5:
        raise InputError(
            "the banner must be '%%MatrixMarket matrix coordinate FIELD SYMMETRY'", path=where, line=line
        )
    _, thing, layout, field, symmetry = words
    if thing != "matrix" or layout != "coordinate":
        raise InputError(
            f"a {layout} {thing} is not a graph: only 'matrix coordinate' is", path=where, line=line
        )
    if field == "complex" or symmetry == "hermitian":
        raise InputError(
            f"a {field} {symmetry} matrix has complex values, which edges cannot have",
            path=where,
            line=line,
        )
    if field not in FIELDS:
        raise InputError(
            f"unknown field {field!r} (known: {', '.join(FIELDS[:3])})", path=where, line=line
        )
    if symmetry not in SYMMETRIES:
        raise InputError(
            f"unknown symmetry {symmetry!r} (known: {', '.join(SYMMETRIES)})", path=where, line=line
        )
    return field, symmetry


def _parse_size(line: bytes, where: str, number: int) -> tuple[int, int]:
    words = line.split()
    if len(words) != 3 or not all(re.fullmatch(rb"[0-9]{1,18}", word) for word in words):
        raise InputError(
            "the size line must be three numbers: rows, columns, entries", path=where, line=number
        )
    rows, columns, entries = map(int, words)
    if rows != columns:
        raise InputError(
            f"a {rows} x {columns} matrix is not square, so it is not a graph", path=where, line=number
        )
    if rows > MAX_VERTICES:
        raise InputError(
            f"{rows} vertices are more than 32-bit vertex ids can number", path=where, line=number
        )
    return rows, entries


def check_entries_fit(path: str, header: Header) -> None:
    """Refuse a count that the file cannot hold before memory is allocated for it."""
    size = os.stat(text.local(path)).st_size
    packing = text.packed_by(path)
    if packing is not None:
        size *= packing.most
    if header.entries * _SHORTEST_ENTRY > size + _SHORTEST_ENTRY:
        raise InputError(
            f"truncated, or a wrong count: {header.entries} entries cannot fit in {size} bytes",
            path=text.display_path(path),
            line=header.size_line,
        )


def _read_entries(stream: BinaryIO, path: str, header: Header, progress: Progress, unread: bool) -> Any:
    """The COO matrix of all stored entries; ``stream`` stands after the size line. Values that are left
    ``unread`` may be anything: a pattern's reader reads the first two columns only.

    SciPy is told that the file is general, so that it does not append the mirror images of symmetric
    entries: the builder does that in less memory.
    """
    from scipy.io import mmread

    field = {"double": "real"}.get(header.field, header.field)
    form = "unread" if unread and field != "pattern" else field
    head = (
        f"%%MatrixMarket matrix coordinate {'pattern' if form == 'unread' else field} general\n"
        f"{header.n} {header.n} {header.entries}\n"
    )
    where, size = text.display_path(path), os.stat(text.local(path)).st_size
    packed = text.packed_by(path) is not None
    entry = _ENTRY % _VALUES[form]
    lines = GoodLines(
        stream,
        path,
        _LINE % entry,
        lambda line: _unlike_an_entry(line, header),
        usual=entry,
        comment=b"%",
        first=header.size_line + 1,
        head=head.encode(),
        seen=lambda count: progress(
            f"reading {where}", None if packed else min(1.0, (header.body + count) / size)
        ),
    )
    try:
        matrix = mmread(io.BufferedReader(lines, _BLOCK))
    except (ValueError, OverflowError) as error:
        raise _first_of(lines.fault, _explained(str(error), where, header)) from error
    except MemoryError as error:
        raise InputError(f"{header.entries} entries do not fit in memory", path=where) from error
    lines.refuse()
    return matrix


def _unlike_an_entry(line: str, header: Header) -> str:
    shape = "ROW COLUMN" if header.field == "pattern" else "ROW COLUMN VALUE"
    value = {
        "pattern": "",
        "integer": ", VALUE a whole number",
        "unsigned-integer": ", VALUE a natural number",
    }.get(header.field, ", VALUE a number")
    return f"expected '{shape}', indices from 1 to {header.n}{value}; found {line!r}"


def _first_of(fault: InputError | None, other: InputError) -> InputError:
    """SciPy's complaint, unless it is about the end of the good lines or something later."""
    if fault is None or (other.line is not None and other.line < (fault.line or other.line + 1)):
        return other
    return fault


def _explained(message: str, where: str, header: Header) -> InputError:
    """SciPy's complaint in our words, with the line if it names one."""
    missing = re.search(r"Truncated file. Expected another (\d+) lines", message)
    if missing:
        return InputError(f"truncated: {missing[1]} of {header.entries} entries are missing", path=where)
    found = re.match(r"Line (\d+): (.*)", message)
    if found is None:
        return InputError(message, path=where)
    line, what = int(found[1]) - 2 + header.size_line, found[2]  # it was given two lines of ours
    if "out of bounds" in what:
        what = f"{what.lower()} (indices are 1 to {header.n})"
    elif "out of range" in what:
        what = f"a number is too large (indices are 1 to {header.n})"
    elif "file too long" in what:
        what = f"more entries than the {header.entries} that line {header.size_line} announces"
    return InputError(what, path=where, line=line)
