"""SNAP edge lists: two vertex numbers per line, then optionally a weight; # and % begin comments.

Vertices keep their numbers, so there are (largest number + 1) of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.edges import EdgeList
from gunrock_cli.graph.io.readers import text, words
from gunrock_cli.graph.io.readers.columns import read_table, vertices, weights_from_floats
from gunrock_cli.graph.io.readers.lines import NUMBER, GoodLines, line_of_entry
from gunrock_cli.graph.model import MAX_VERTICES
from gunrock_cli.graph.progress import Progress, silent

_COMMENTS = b"#%"
_COMMENT = re.compile(rb"[#%][^\n]*")
_VERTEX = rb"[0-9]{1,10}+"
_LINE = rb"[ \t]*+(?:%s)?(?:[#%%][^\n\0]*+)?"
"""An optional edge, and an optional comment."""


@dataclass(frozen=True)
class Shape:
    """What the first edge says about all of them: its line, where that begins, the columns, and their
    separator."""

    line: int
    begin: int
    columns: int
    comma: bool

    def edge(self) -> bytes:
        """A pattern for the edges."""
        between = rb"[ \t]*+,[ \t]*+" if self.comma else rb"[ \t]++"
        fields = [_VERTEX, _VERTEX, rb"[-+]?+" + NUMBER, *[rb"[^\s#%,\0]++"] * (self.columns - 3)]
        return between.join(fields[: self.columns]) + rb"[ \t]*+"

    def explain(self, line: str) -> str:
        """What is wrong with a line that does not match."""
        plain = re.split("[#%]", line)[0]
        columns = len(plain.split("," if self.comma else None))
        if 1 < columns != self.columns:
            return f"{columns} columns, but {self.columns} in line {self.line}: found {line!r}"
        ends = plain.replace(",", " ").split()[:2]
        if all(re.fullmatch("-?[0-9]+", end) for end in ends) and any(
                not 0 <= int(end) < MAX_VERTICES for end in ends):
            return f"a vertex number is out of range (0 to {MAX_VERTICES - 1}): found {line!r}"
        expected = "two vertex numbers" + " and a weight" * (self.columns > 2)
        return f"expected {expected}, found {line!r} (--named takes the ends as names)"


def read(path: str, progress: Progress = silent, named: bool = False) -> EdgeList:
    """The edges of a file, separated by blanks, tabs or commas. Whole weights become int32, others
    float32; columns after the third are ignored. ``named``: ends are names. Raises InputError with the
    line."""
    progress(f"reading {path}", None)
    if named:
        return words.read(path)
    shape = first_edge(path)
    with text.open_binary(path) as stream:
        lines = GoodLines(stream, path, _LINE % shape.edge(), shape.explain, usual=shape.edge(),
                          comment=_COMMENTS, normalize=_plain)
        kinds: list[type] = [np.int64, np.int64, float]
        table = read_table(lines, kinds[: shape.columns], all_columns=shape.columns <= len(kinds))

    def line_of(edge: int) -> int | None:
        return line_of_entry(path, edge, _COMMENTS)

    src, dst = (vertices(column, path, line_of) for column in table[:2])
    weights = weights_from_floats(table[2], path, line_of) if len(table) > 2 else None
    n = int(max(src.max(), dst.max())) + 1
    return EdgeList(n, src, dst, weights)


def first_edge(path: str) -> Shape:
    """The shape of the first line that is not a comment; there must be one."""
    number = 0
    try:
        with text.open_binary(path) as stream:
            begin = stream.tell()
            while line := text.short_line(stream):
                number += 1
                edge = _COMMENT.sub(b"", line).strip()
                if edge:
                    comma = b"," in edge
                    fields = len(edge.split(b"," if comma else None))
                    return Shape(number, begin, max(2, fields), comma)
                begin = stream.tell()
    except text.BROKEN as error:
        raise InputError(f"cannot be read: {error}", path=path) from error
    raise InputError("no edges in this file", path=path)


def _plain(lines: bytes) -> bytes:
    """Good lines without comments, with blanks between the columns."""
    if b"#" in lines or b"%" in lines:
        lines = _COMMENT.sub(b"", lines)
    return lines.replace(b",", b" ")
