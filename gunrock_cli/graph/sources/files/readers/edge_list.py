"""SNAP edge lists: two vertex numbers per line, then optionally a weight; # and % begin comments.

Vertices keep their numbers, so there are (largest number + 1) of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.model.graph import MAX_VERTICES
from gunrock_cli.graph.model.names import is_header
from gunrock_cli.graph.sources.files.readers import text, words
from gunrock_cli.graph.sources.files.readers.attributes import ends_before
from gunrock_cli.graph.sources.files.readers.columns import read_table, vertices, weights_from_floats
from gunrock_cli.graph.sources.files.readers.lines import NUMBER, GoodLines, line_of_entry
from gunrock_cli.graph.sources.progress import Progress, silent

_COMMENTS = b"#%"
_COMMENT = re.compile(rb"[#%][^\n]*")
_VERTEX = rb"[0-9]{1,10}+"
_LINE = rb"[ \t]*+(?:%s)?(?:[#%%][^\n\0]*+)?"
"""An optional edge, and an optional comment."""
_ANY = rb"[^\s#%,\0]++"
"""A field that is ignored."""


@dataclass(frozen=True)
class Shape:
    """The shape of all edges, from the first: its line and where that begins, the columns, their
    separator, and whether a dictionary of attributes stands for the columns after the second."""

    line: int
    begin: int
    columns: int
    comma: bool
    attributes: bool = False

    def between(self) -> bytes:
        """A pattern for the separator of columns."""
        return rb"[ \t]*+,[ \t]*+" if self.comma else rb"[ \t]++"

    def edge(self, weighted: bool) -> bytes:
        """A pattern for the edges."""
        weight = rb"[-+]?+" + NUMBER if weighted else _ANY
        fields = [_VERTEX, _VERTEX, weight, *[_ANY] * (self.columns - 3)]
        return self.between().join(fields[: self.columns]) + rb"[ \t]*+"

    def explain(self, line: str) -> str:
        """The fault of a line that does not match, in words."""
        plain = re.split("[#%]", line)[0]
        columns = len(plain.split("," if self.comma else None))
        if 1 < columns != self.columns:
            return f"{columns} columns, but {self.columns} in line {self.line}: found {line!r}"
        ends = plain.replace(",", " ").split()[:2]
        if all(re.fullmatch("-?[0-9]+", end) for end in ends) and any(
            not 0 <= int(end) < MAX_VERTICES for end in ends
        ):
            return f"a vertex number is out of range (0 to {MAX_VERTICES - 1}): found {line!r}"
        expected = "two vertex numbers" + " and a weight" * (self.columns > 2)
        hint = (
            "--table reads a table that has a header"
            if is_header(ends)
            else "--named takes the ends as names"
        )
        return f"expected {expected}, found {line!r} ({hint})"


def read(
    path: str,
    progress: Progress = silent,
    named: bool = False,
    weights: str | None = None,
    weight_type: str | None = None,
) -> EdgeList:
    """The edges of a file, separated by blanks, tabs or commas. Whole weights become int32, others
    float32, unless ``weight_type`` gives the type; with other ``weights`` than the file's they are
    ignored, and so are columns after the third. ``named``: ends are names. Raises InputError with the
    line."""
    progress(f"reading {path}", None)
    if named:
        return words.read(path, weights is None, weight_type)
    shape = first_edge(path)
    if shape.attributes:
        return words.read_numbered(path, weights is None, weight_type)
    weighted = shape.columns > 2 and weights is None
    with text.open_binary(path) as stream:
        edge = shape.edge(weighted)
        lines = GoodLines(
            stream, path, _LINE % edge, shape.explain, usual=edge, comment=_COMMENTS, normalize=_plain
        )
        kinds: list[type] = [np.int64, np.int64, *[float] * weighted]
        table = read_table(lines, kinds, all_columns=shape.columns == len(kinds))

    def line_of(edge: int) -> int | None:
        return line_of_entry(path, edge, _COMMENTS)

    src, dst = (vertices(column, path, line_of) for column in table[:2])
    values = (
        weights_from_floats(table[2], path, line_of, weight_type, lambda: _writes_reals(path, shape))
        if weighted
        else None
    )
    n = int(max(src.max(), dst.max())) + 1
    return EdgeList(n, src, dst, values)


def first_edge(path: str) -> Shape:
    """The shape of the first line that is not a comment; InputError without one."""
    number = 0
    try:
        with text.open_binary(path) as stream:
            begin = stream.tell()
            while line := text.short_line(stream):
                number += 1
                edge = _COMMENT.sub(b"", line).strip()
                if edge:
                    ends = ends_before(edge)
                    comma = b"," in (edge if ends is None else ends)
                    fields = len(edge.split(b"," if comma else None))
                    return Shape(number, begin, max(2, fields), comma, ends is not None)
                begin = stream.tell()
    except text.BROKEN as error:
        raise InputError(f"cannot be read: {error}", path=path) from error
    raise InputError("no edges in this file", path=path)


def _writes_reals(path: str, shape: Shape) -> bool:
    """True if any weight is written as a real number."""
    number = rb"[0-9]++" + shape.between()
    real = re.compile(rb"[ \t]*+" + 2 * number + rb"[-+]?+[0-9]*+[.eE]")
    with text.open_binary(path) as stream:
        return any(map(real.match, stream))


def _plain(lines: bytes) -> bytes:
    """Good lines without comments, with blanks between the columns."""
    if b"#" in lines or b"%" in lines:
        lines = _COMMENT.sub(b"", lines)
    return lines.replace(b",", b" ")
