"""Edges of a text whose ends are names: strings, or numbers of any size.

Names are taken literally, in UTF-8: ``7`` and ``07`` are two. Vertices are numbered as names occur,
sources first. One pass, in Python: a million edges take a second or two.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from gunrock_cli.errors import InputError, printable
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.model.graph import MAX_VERTICES
from gunrock_cli.graph.model.names import index_of_words, is_header
from gunrock_cli.graph.sources.files.readers import attributes, text
from gunrock_cli.graph.sources.files.readers.columns import HostArray, weights_from_floats
from gunrock_cli.graph.sources.files.readers.lines import NUMBER

_VERTEX = re.compile(r"[0-9]{1,10}")
_WEIGHT = re.compile("[-+]?+" + NUMBER.decode())
_COMMENTS = (b"#", b"%")
_SHOWN = 40
Line = tuple[int, Sequence[str]]
"""A line's number and its fields."""


class _Weights:
    """The weights of a text, added one by one."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._values, self._lines, self._reals = array("d"), array("q"), False

    def add(self, word: str, line: int) -> None:
        """Add a word; InputError if it is no number."""
        if not _WEIGHT.fullmatch(word):
            raise InputError(
                f"the weight {printable(word)[:_SHOWN]!r} is no number", path=self._where, line=line
            )
        self._reals = self._reals or not word.lstrip("-+").isdigit()
        self._values.append(float(word))
        self._lines.append(line)

    def found(self, weight_type: str | None) -> HostArray:
        """All added weights, as weights of a graph."""
        return weights_from_floats(
            np.array(self._values), self._where, self._lines.__getitem__, weight_type, lambda: self._reals
        )


def read(path: str, weights: bool = True, weight_type: str | None = None) -> EdgeList:
    """The edges of a list: two words per line, then optionally a weight, further columns ignored;
    separated by blanks, or by commas if the first edge has one. A dictionary, as NetworkX writes it, may
    stand for the weight. Lines that begin with # or % are comments. Without ``weights`` the third column
    is ignored. Raises InputError with the line."""
    where = text.display_path(path)
    first, lines = _listed(path, weights)
    if len(first[1]) < 2:
        raise InputError(f"expected two names, found {first[1][0][:_SHOWN]!r}", path=where, line=first[0])
    if is_header(first[1][:2]):
        raise InputError(
            f"{' '.join(first[1])[:_SHOWN]!r} is the header of a table: --table reads one",
            path=where,
            line=first[0],
        )
    return edges_of(lines, where, weighted=weights and len(first[1]) > 2, weight_type=weight_type)


def read_numbered(path: str, weights: bool = True, weight_type: str | None = None) -> EdgeList:
    """The edges of such a list, as ``read`` reads it, whose ends are the vertices' numbers."""
    where = text.display_path(path)
    first, lines = _listed(path, weights)
    ends, found = array("q"), _Weights(where)
    weighted = weights and len(first[1]) > 2
    for line, fields in lines:
        for word in fields[:2]:
            if not _VERTEX.fullmatch(word) or int(word) >= MAX_VERTICES:
                raise InputError(
                    f"expected a vertex number (0 to {MAX_VERTICES - 1}), found "
                    f"{word[:_SHOWN]!r} (--named takes the ends as names)",
                    path=where,
                    line=line,
                )
            ends.append(int(word))
        if weighted:
            found.add(fields[2], line)
    src, dst = np.array(ends, np.int32).reshape(-1, 2).T
    return EdgeList(max(ends) + 1, src, dst, found.found(weight_type) if weighted else None)


def edges_of(
    lines: Iterable[Line], where: str, *, weighted: bool, weight_type: str | None = None
) -> EdgeList:
    """The edges of lines of ``source target`` or ``source target weight``. InputError with the line for
    an impossible name or a weight that is not a number."""
    import pandas as pd

    known: dict[str, int] = {}
    ends, weights = array("q"), _Weights(where)
    for place, fields in lines:
        for name in fields[:2]:
            number = known.get(name)
            if number is None:
                check_name(name, where, place)
                number = known[name] = len(known)
            ends.append(number)
        if weighted:
            weights.add(fields[2], place)
    if len(known) > MAX_VERTICES:
        raise InputError(f"{len(known)} vertices are more than 32-bit vertex ids can number", path=where)
    both = np.array(ends, np.int64).reshape(-1, 2).T.ravel()
    numbers, order = pd.factorize(both)
    words = list(known)
    names = index_of_words([words[number] for number in order.tolist()])
    src, dst = numbers.astype(np.int32).reshape(2, -1)
    return EdgeList(len(words), src, dst, weights.found(weight_type) if weighted else None, names=names)


def check_name(name: str, where: str, line: int | None) -> None:
    """Raise InputError for names that could not be told apart, or not written on a line of their own."""
    if not name:
        raise InputError("an empty name", path=where, line=line)
    if name != name.strip() or printable(name) != name:
        raise InputError(
            f"a name with blanks around it, or control characters: {ascii(name)[:_SHOWN]}",
            path=where,
            line=line,
        )


def _listed(path: str, weights: bool) -> tuple[Line, Iterator[Line]]:
    """The first edge of a list, and all of them: each with the same number of fields, dictionaries
    replaced by weights."""
    where = text.display_path(path)
    lines = _fields(path)
    if weights:
        lines = _weighed(lines, where)
    first = next(lines, None)
    if first is None:
        raise InputError("no edges in this file", path=where)
    return first, _even(first, lines, where)


def _fields(path: str) -> Iterator[Line]:
    """The fields of lines that are neither blank nor a comment."""
    where, number, separator = text.display_path(path), 0, b""
    try:
        with text.open_binary(path) as stream:
            while line := text.short_line(stream):
                number += 1
                plain = line.strip()
                if not plain or plain.startswith(_COMMENTS):
                    continue
                if len(line) >= text.LONGEST:
                    raise InputError(f"a line of more than {text.LONGEST} bytes", path=where, line=number)
                ends = attributes.ends_before(plain)
                rest = [] if ends is None else [plain[len(ends) :]]
                plain = plain if ends is None else ends.strip().removesuffix(b",")
                separator = separator or (b"," if b"," in plain else b" ")
                yield number, _decoded(plain, separator, rest, where, number)
    except text.BROKEN as error:
        raise InputError(f"cannot be read: {error}", path=where) from error


def _decoded(line: bytes, separator: bytes, rest: list[bytes], where: str, number: int) -> list[str]:
    parts = [part.strip() for part in line.split(separator)] if separator == b"," else line.split()
    try:
        return [part.decode() for part in [*parts, *rest]]
    except UnicodeDecodeError:
        raise InputError("this is no UTF-8 text", path=where, line=number) from None


def _weighed(lines: Iterator[Line], where: str) -> Iterator[Line]:
    """Replace the dictionary in each line by the weight in it, or by nothing."""
    for number, fields in lines:
        if len(fields) == 3 and fields[2].startswith("{"):
            weight = attributes.weight_of(fields[2], where, number)
            fields = [*fields[:2], *([] if weight is None else [weight])]
        yield number, fields


def _even(first: Line, rest: Iterator[Line], where: str) -> Iterator[Line]:
    """All lines; InputError at the first with another number of columns than ``first``."""
    yield first
    for number, fields in rest:
        if len(fields) != len(first[1]):
            raise InputError(
                f"{len(fields)} columns, but {len(first[1])} in line {first[0]}", path=where, line=number
            )
        yield number, fields
