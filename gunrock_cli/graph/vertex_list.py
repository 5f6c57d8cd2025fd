"""Vertices given to an option: on the command line, or in a file."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

from gunrock_cli.errors import InputError, UsageError, printable
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.names import vertex_called
from gunrock_cli.graph.sources.files.readers import text

_NUMBER = re.compile(r"-?[0-9]{1,19}")
_SHOWN = 60


def listed_vertices(
    graph: Graph, wanted: str, option: str, *, others: str = "", repeated: bool = False
) -> list[int]:
    """The vertices of ``5``, ``0,5,9``, or ``@file``: the file separates numbers by blanks, commas or
    line ends, and # begins comments. If vertices have names, these are given instead, one per line in a
    file; ``#5`` is the vertex with that number. ``others`` are words that the option also takes.

    Raises UsageError or InputError, with the line, for a word that is not a vertex of the graph, for an
    empty list, and for a vertex named twice unless it may be ``repeated``.
    """
    if wanted.startswith("@"):
        where, found = wanted[1:], list(_of_file(graph, wanted[1:]))
    else:
        where = f"{option} {wanted[:_SHOWN]}"
        found = [_of_word(graph, word.strip(), where, option, others) for word in _words(graph, wanted)]
    if not repeated and len(set(found)) < len(found):
        twice = next(vertex for place, vertex in enumerate(found) if vertex in found[:place])
        called = twice if graph.names is None else graph.names[twice]
        raise UsageError(f"{where}: vertex {called} is named twice")
    return found


def _words(graph: Graph, wanted: str) -> list[str]:
    """Split the list at commas, unless the whole text is the name of one vertex."""
    if graph.names is not None and vertex_called(graph.names, wanted) is not None:
        return [wanted]
    return wanted.split(",")


def by_number(listed: str) -> str:
    """Numbers between commas, written so that they are not taken for names."""
    return ",".join(f"#{word}" for word in listed.split(","))


def _of_word(graph: Graph, word: str, where: str, option: str, others: str) -> int:
    if graph.names is not None:
        named = vertex_called(graph.names, word)
        if named is not None:
            return named
        if not word.startswith("#"):
            raise UsageError(f"{option} {printable(word)[:_SHOWN]}: {_no_such_name(graph)}")
    word = word.removeprefix("#")
    if not _NUMBER.fullmatch(word):
        raise UsageError(
            f"{where}: give a vertex, several with commas between them, @ and a file that "
            f"lists them{others}"
        )
    if not 0 <= int(word) < graph.n:
        raise UsageError(f"{option} {word}: {graph.name} has the vertices 0 to {graph.n - 1}")
    return int(word)


def _no_such_name(graph: Graph) -> str:
    first = printable(str(graph.names[0]))[:_SHOWN]
    return f"no vertex of {graph.name} has that name; its first is {first}"


def _of_file(graph: Graph, path: str) -> Iterator[int]:
    some = False
    try:
        with (
            text.open_binary(path) as stream,
            io.TextIOWrapper(stream, encoding="utf-8", errors="replace") as lines,
        ):
            for number, line in enumerate(lines, 1):
                for vertex in _of_line(graph, line, path, number):
                    some = True
                    yield vertex
    except text.BROKEN as error:
        raise InputError(f"cannot be read: {error}", path=path) from None
    if not some:
        raise InputError("lists no vertex", path=path)


def _of_line(graph: Graph, line: str, path: str, number: int) -> Iterator[int]:
    if graph.names is not None:
        name = line.strip()
        if name and not name.startswith("#"):
            found = vertex_called(graph.names, name)
            if found is None:
                raise InputError(
                    f"'{printable(name)[:40]}': {_no_such_name(graph)}", path=path, line=number
                )
            yield found
        return
    for word in line.partition("#")[0].replace(",", " ").split():
        if not _NUMBER.fullmatch(word):
            raise InputError(f"'{word[:40]}' is no vertex", path=path, line=number)
        if not 0 <= int(word) < graph.n:
            raise InputError(
                f"vertex {word}: {graph.name} has the vertices 0 to {graph.n - 1}", path=path, line=number
            )
        yield int(word)
