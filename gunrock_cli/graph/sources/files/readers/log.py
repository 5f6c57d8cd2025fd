"""Logs of a graph's changes: batches of edges to insert and to delete.

A line is ``+ u v``, ``+ u v weight`` or ``- u v``; an empty line or ``commit`` ends a batch. A list of
edges with times, ``u v time``, is a log too: all are inserted, in the order of their times. Lines that
begin with # or % are comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import BinaryIO

import numpy as np

from gunrock_cli.errors import InputError, printable
from gunrock_cli.graph.model.graph import MAX_VERTICES
from gunrock_cli.graph.sources.files.readers import text
from gunrock_cli.graph.sources.files.readers.columns import HostArray
from gunrock_cli.graph.sources.files.readers.lines import NUMBER

_NUMBER = "[-+]?+" + NUMBER.decode()
_EDGE = re.compile(rf"(?:\+\s+(\d+)\s+(\d+)(?:\s+({_NUMBER}))?|-\s+(\d+)\s+(\d+))", re.ASCII)
_TIMED = re.compile(rf"(\d+)\s+(\d+)\s+({_NUMBER})", re.ASCII)
_SHOWN = 60
_Row = tuple[int, int, float, bool]
"""An edge, its weight (NaN if not given), and True to insert it."""
_END = None
"""The end of a batch."""


@dataclass(frozen=True)
class Batch:
    """The edges of a batch, arrays of one shape: int64 ends, float64 weights (NaN if not given), and True
    for those to insert."""

    src: HostArray
    dst: HostArray
    weights: HostArray
    inserts: HostArray

    @classmethod
    def of(cls, rows: list[_Row]) -> Batch:
        src, dst, weights, inserts = zip(*rows, strict=True)
        return cls(np.array(src, np.int64), np.array(dst, np.int64), np.array(weights), np.array(inserts))


def read_log(path: str, each: int | None = None) -> list[Batch]:
    """The batches of a log. ``each`` makes a batch of every so many edges, whatever the log says; edges
    with times are one batch without it. InputError with the line of the first fault."""
    where = text.display_path(path)
    with text.open_binary(path) as stream:
        signed = _is_signed(path)
        found = list(_signed(stream, where) if signed else _timed(stream, where))
    rows = [row for row in found if row is not _END]
    if not rows:
        raise InputError("no edge to insert or to delete", path=where)
    if each is not None:
        return [Batch.of(rows[at : at + each]) for at in range(0, len(rows), each)]
    batches: list[list[_Row]] = [[]]
    for row in found:
        if row is not _END:
            batches[-1].append(row)
        elif batches[-1]:
            batches.append([])
    return [Batch.of(batch) for batch in batches if batch]


def _is_signed(path: str) -> bool:
    """True if the first line that is not a comment begins with a sign, or with no number."""
    with text.open_binary(path) as stream:
        first = next((words for _, words in _lines(stream) if words), "")
    return not first[:1].isdigit()


def _signed(stream: BinaryIO, where: str) -> Iterator[_Row | None]:
    for number, line in _lines(stream):
        if line in ("", "commit"):
            yield _END
            continue
        edge = _EDGE.fullmatch(line)
        if edge is None:
            raise _bad(line, where, number, "write + u v, + u v weight, - u v, commit or an empty line")
        u, v, weight, *gone = edge.groups()
        inserts = u is not None
        src, dst = (_vertex(end, where, number) for end in ((u, v) if inserts else gone))
        yield src, dst, float(weight or "nan"), inserts


def _timed(stream: BinaryIO, where: str) -> Iterator[_Row]:
    found: list[tuple[float, int, int]] = []
    for number, line in _lines(stream):
        edge = _TIMED.fullmatch(line)
        if edge is not None:
            u, v = (_vertex(end, where, number) for end in edge.groups()[:2])
            found.append((float(edge[3]), u, v))
        elif line:
            raise _bad(line, where, number, "write u v time, as in the lines before")
    for _, u, v in sorted(found, key=itemgetter(0)):
        yield u, v, float("nan"), True


def _lines(stream: BinaryIO) -> Iterator[tuple[int, str]]:
    """The lines that are not comments, without blanks around them, and their numbers."""
    number = 0
    while line := text.short_line(stream):
        number += 1
        if not line.startswith((b"#", b"%")):
            yield number, line.decode("utf-8", "replace").strip()


def _vertex(word: str, where: str, line: int) -> int:
    if len(word) > 10 or int(word) >= MAX_VERTICES:
        raise InputError(
            f"vertex number {word[:_SHOWN]} is out of range (0 to {MAX_VERTICES - 1})",
            path=where,
            line=line,
        )
    return int(word)


def _bad(line: str, where: str, number: int, wanted: str) -> InputError:
    return InputError(f"{printable(line)[:_SHOWN]!r} is no change: {wanted}", path=where, line=number)
