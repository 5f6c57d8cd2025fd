"""Tables of edges whose ends are names: CSV with a header, Parquet, Arrow's files and streams.

A file's first bytes tell its format. ``columns`` names those of source, target and, as an optional third,
weight.
"""

from __future__ import annotations

import csv
import io
import itertools
import logging
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import numpy as np

from gunrock_cli.errors import InputError, UsageError, printable
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.model.graph import MAX_VERTICES
from gunrock_cli.graph.model.memory import require_host_memory
from gunrock_cli.graph.model.names import edge_columns, numbered, usual_columns
from gunrock_cli.graph.sources.files.readers import text, words
from gunrock_cli.graph.sources.files.readers.columns import edge_weights
from gunrock_cli.graph.sources.files.readers.lines import NUMBER
from gunrock_cli.graph.sources.progress import Progress, silent
from gunrock_cli.installation import install_extra

if TYPE_CHECKING:
    import pandas as pd

_PARQUET, _ARROW, _STREAM, _FEATHER = b"PAR1", b"ARROW1", b"\xff\xff\xff\xff", b"FEA1"

_NUMBER = re.compile("[-+]?+" + NUMBER.decode())
_QUOTED = re.compile('"[^"]*"')
_log = logging.getLogger("gunrock")
_SHOWN = 40
_ROW = 2 * (8 + 4)
"""The least bytes per row while its ends are numbered: their numbers, wide and narrow."""


def read(
    path: str,
    progress: Progress = silent,
    columns: Sequence[str] | None = None,
    weights: str | None = None,
    weight_type: str | None = None,
) -> EdgeList:
    """The edges of a table, one for each row. Whole weights become int32, others float32, unless
    ``weight_type`` gives the type; with other ``weights`` than the table's they are ignored. Raises
    InputError, for text with the line."""
    progress(f"reading {text.display_path(path)}", None)
    with text.open_binary(path) as stream:
        head = _head(stream, path)
    if head.startswith(_FEATHER):
        raise InputError("Feather's first version; write its second, which is Arrow's", path=path)
    if head.startswith((_PARQUET, _ARROW, _STREAM)):
        return _binary(path, head, columns, weights is None, weight_type)
    return _csv(path, columns, weights is None, weight_type)


def _head(stream: BinaryIO, path: str) -> bytes:
    try:
        return stream.read(len(_ARROW))
    except text.BROKEN as error:
        raise InputError(f"cannot be read: {error}", path=text.display_path(path)) from error


def _csv(path: str, columns: Sequence[str] | None, weights: bool, weight_type: str | None) -> EdgeList:
    where = text.display_path(path)
    try:
        with (
            text.open_binary(path) as stream,
            io.TextIOWrapper(stream, encoding="utf-8", newline="") as lines,
        ):
            header, rows = _header(_rows(lines, where), columns, where)
            names = edge_columns(header, columns, where, "--columns ")[: 3 if weights else 2]
            picked = _picked(rows, [header.index(name) for name in names], len(header), where)
            return words.edges_of(picked, where, weighted=len(names) > 2, weight_type=weight_type)
    except text.BROKEN as error:
        raise InputError(f"cannot be read: {error}", path=where) from error


def _header(
    rows: Iterator[words.Line], columns: Sequence[str] | None, where: str
) -> tuple[list[str], Iterator[words.Line]]:
    """The columns' names and the rows below them. If the first row is an edge, the names are the columns'
    places, and it is one of the rows."""
    line, first = next(rows, (0, []))
    names = [name.strip() for name in first]
    names[:1] = [name.removeprefix("#").strip() for name in names[:1]]  # a header after a comment's mark
    if not any(map(_NUMBER.fullmatch, names)):
        return names, rows
    known = usual_columns(names) if columns is None else {*columns} & {*names}
    if known and not all(map(_NUMBER.fullmatch, known)):
        return names, rows
    shown = printable(",".join(first))[:_SHOWN]
    if columns is None:
        raise UsageError(
            f"{where}: the first row ({shown}) has numbers, so it is no header: say by "
            "place which columns are source, target and weight, --columns 0,1 or 0,1,2"
        )
    _log.warning(
        "gunrock: %s: the first row (%s) has numbers, so it is an edge and no header; --columns "
        "are places, from 0",
        where,
        shown,
    )
    return list(map(str, range(len(first)))), itertools.chain(((line, first),), rows)


def _rows(lines: io.TextIOWrapper, where: str) -> Iterator[words.Line]:
    """Rows that are not blank, with the line in which each ends. The header tells the separator."""
    head = _head_lines(lines, where)
    first = _QUOTED.sub("", head[-1])
    separator = next((mark for mark in "\t;" if mark in first and "," not in first), ",")
    reader = csv.reader(
        itertools.chain(head, lines), delimiter=separator, skipinitialspace=True, strict=True
    )
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise InputError(printable(str(error)), path=where, line=reader.line_num) from None
        except UnicodeDecodeError:
            raise _no_text(where) from None
        if row is None:
            return
        if row:
            yield reader.line_num, row


def _picked(
    rows: Iterator[words.Line], places: list[int], width: int, where: str
) -> Iterator[words.Line]:
    for line, row in rows:
        if len(row) != width:
            raise InputError(f"{len(row)} columns, but {width} in the header", path=where, line=line)
        yield line, [row[place] for place in places]


def _head_lines(lines: io.TextIOWrapper, where: str) -> list[str]:
    """The lines up to the first that is not blank."""
    try:
        head = [lines.readline()]
        while head[-1].isspace():
            head.append(lines.readline())
        return head
    except UnicodeDecodeError:
        raise _no_text(where) from None


def _no_text(where: str) -> InputError:
    return InputError("neither UTF-8 text, nor Parquet, nor Arrow", path=where)


def _binary(
    path: str, head: bytes, columns: Sequence[str] | None, weights: bool, weight_type: str | None
) -> EdgeList:
    """The edges of a Parquet file, or of Arrow's batches in a file or a stream: only the requested
    columns."""
    where = text.display_path(path)
    try:
        import pyarrow
    except ImportError:
        raise InputError(
            f"Parquet and Arrow files need pyarrow ({install_extra('parquet')})", path=where
        ) from None
    try:
        with text.unpacked(path) as plain:
            names, found = _arrow(plain, head, columns, where)
            found.validate(full=True)  # offsets and texts, which Arrow's readers trust
            source, target = (_names(found.column(name), name, where) for name in names[:2])
            values = (
                _weights(found.column(names[2]), names[2], where, weight_type)
                if weights and len(names) > 2
                else None
            )
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {' '.join(str(error).split())}", path=where) from None
    try:
        ends, index = numbered(source, target, "the table")
    except InputError as error:
        raise InputError(str(error), path=where) from None
    if len(index) > MAX_VERTICES:
        raise InputError(f"{len(index)} vertices are more than 32-bit vertex ids can number", path=where)
    for name in index if index.dtype.kind not in "iu" else ():
        words.check_name(name, where, None)
    src, dst = (end.astype(np.int32) for end in ends)
    return EdgeList(len(index), src, dst, values, names=index)


def _arrow(plain: str, head: bytes, columns: Sequence[str] | None, where: str) -> tuple[list[str], Any]:
    """The names of the chosen columns, and a table with these columns."""
    from pyarrow import ipc, parquet

    if head.startswith(_PARQUET):
        with parquet.ParquetFile(plain) as file:
            names = edge_columns(file.schema_arrow.names, columns, where, "--columns ")
            _require_room(file.metadata.num_rows, where)
            return names, file.read(names)
    with open(plain, "rb") as file:
        batches = (ipc.open_file if head.startswith(_ARROW) else ipc.open_stream)(file)
        names = edge_columns(batches.schema.names, columns, where, "--columns ")
        found = batches.read_all().select(names)
        _require_room(found.num_rows, where)
        return names, found


def _require_room(rows: int, where: str) -> None:
    """Raise OutOfMemory for more rows than can be numbered: well packed, a billion rows take a file of 10
    MB."""
    require_host_memory(_ROW * rows, f"{where}: {rows} rows")


def _names(column: Any, name: str, where: str) -> pd.Series[Any]:
    """A column of strings or whole numbers."""
    from pyarrow import types

    if types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    kind = column.type
    if not (
        types.is_integer(kind)
        or types.is_string(kind)
        or types.is_large_string(kind)
        or types.is_string_view(kind)
    ):
        raise InputError(
            f"column {name!r} is of type {kind}: vertices are strings or whole numbers", path=where
        )
    _check_whole(column, name, where)
    return cast("pd.Series[Any]", column.to_pandas().rename(name))


def _weights(column: Any, name: str, where: str, weight_type: str | None) -> np.ndarray[Any, Any]:
    from pyarrow import types

    if not (types.is_integer(column.type) or types.is_floating(column.type)):
        raise InputError(f"column {name!r} is of type {column.type}: weights are numbers", path=where)
    _check_whole(column, name, where)
    values = column.to_numpy()
    if values.dtype.kind == "f" and values.dtype.itemsize < 4:
        values = values.astype(np.float32)  # the check is for its range
    return edge_weights(values, where, weight_type=weight_type)


def _check_whole(column: Any, name: str, where: str) -> None:
    if column.null_count:
        row = column.is_null().to_numpy().argmax()
        raise InputError(f"row {row + 1} has no {name!r}", path=where)
