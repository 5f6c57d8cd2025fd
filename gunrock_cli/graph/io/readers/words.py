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
from gunrock_cli.graph.edges import EdgeList
from gunrock_cli.graph.io.readers import text
from gunrock_cli.graph.io.readers.columns import weights_from_floats
from gunrock_cli.graph.io.readers.lines import NUMBER
from gunrock_cli.graph.model import MAX_VERTICES
from gunrock_cli.graph.names import index_of_words

_WEIGHT = re.compile("[-+]?+" + NUMBER.decode())
_COMMENTS = (b"#", b"%")
_SHOWN = 40
Line = tuple[int, Sequence[str]]
"""A line's number and its fields."""


def read(path: str) -> EdgeList:
    """The edges of a list: two words per line, then optionally a weight, further columns ignored;
    separated by blanks, or by commas if the first edge has one. Lines that begin with # or % are
    comments. Raises InputError with the line."""
    lines = _fields(path)
    first = next(lines, None)
    if first is None:
        raise InputError("no edges in this file", path=text.shown(path))
    if len(first[1]) < 2:
        raise InputError(f"expected two names, found {first[1][0][:_SHOWN]!r}", path=text.shown(path),
                         line=first[0])
    return edges_of(_even(first, lines, text.shown(path)), text.shown(path), weighted=len(first[1]) > 2)


def edges_of(lines: Iterable[Line], where: str, *, weighted: bool) -> EdgeList:
    """The edges of lines of ``source target`` or ``source target weight``. InputError with the line for
    an impossible name or a weight that is not a number."""
    import pandas as pd

    known: dict[str, int] = {}
    ends, weights, places = array("q"), array("d"), array("q")
    for place, fields in lines:
        for name in fields[:2]:
            number = known.get(name)
            if number is None:
                check_name(name, where, place)
                number = known[name] = len(known)
            ends.append(number)
        if weighted:
            weights.append(_weight(fields[2], where, place))
            places.append(place)
    if len(known) > MAX_VERTICES:
        raise InputError(f"{len(known)} vertices are more than 32-bit vertex ids can number", path=where)
    both = np.array(ends, np.int64).reshape(-1, 2).T.ravel()
    numbers, order = pd.factorize(both)
    words = list(known)
    names = index_of_words([words[number] for number in order.tolist()])
    src, dst = numbers.astype(np.int32).reshape(2, -1)
    values = weights_from_floats(np.array(weights), where, places.__getitem__) if weighted else None
    return EdgeList(len(words), src, dst, values, names=names)


def check_name(name: str, where: str, line: int | None) -> None:
    """InputError for names that could not be told apart, or not written on a line of their own."""
    if not name:
        raise InputError("an empty name", path=where, line=line)
    if name != name.strip() or printable(name) != name:
        raise InputError(f"a name with blanks around it, or control characters: {ascii(name)[:_SHOWN]}",
                         path=where, line=line)


def _weight(word: str, where: str, line: int) -> float:
    if not _WEIGHT.fullmatch(word):
        raise InputError(f"the weight {printable(word)[:_SHOWN]!r} is no number", path=where, line=line)
    return float(word)


def _fields(path: str) -> Iterator[Line]:
    """The fields of lines that are neither blank nor a comment."""
    where, number, separator = text.shown(path), 0, b""
    try:
        with text.open_binary(path) as stream:
            while line := text.short_line(stream):
                number += 1
                plain = line.strip()
                if not plain or plain.startswith(_COMMENTS):
                    continue
                if len(line) >= text.LONGEST:
                    raise InputError(f"a line of more than {text.LONGEST} bytes", path=where, line=number)
                separator = separator or (b"," if b"," in plain else b" ")
                yield number, _decoded(plain, separator, where, number)
    except text.BROKEN as error:
        raise InputError(f"cannot be read: {error}", path=where) from error


def _decoded(line: bytes, separator: bytes, where: str, number: int) -> list[str]:
    parts = [part.strip() for part in line.split(separator)] if separator == b"," else line.split()
    try:
        return [part.decode() for part in parts]
    except UnicodeDecodeError:
        raise InputError("this is no UTF-8 text", path=where, line=number) from None


def _even(first: Line, rest: Iterator[Line], where: str) -> Iterator[Line]:
    """All lines, as long as they have as many columns as the first."""
    yield first
    for number, fields in rest:
        if len(fields) != len(first[1]):
            raise InputError(f"{len(fields)} columns, but {len(first[1])} in line {first[0]}",
                             path=where, line=number)
        yield number, fields
