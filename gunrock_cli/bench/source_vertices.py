"""Which vertices a traversal starts from."""

from __future__ import annotations

import re

import numpy as np

from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.model import Graph, to_numpy


def choose_sources(graph: Graph, wanted: str, count: int | None, seed: int) -> list[int]:
    """The sources of ``--src`` and ``--num-sources``.

    ``wanted`` is a vertex, several with commas between them, ``@`` and the name of a file with one on
    each line, "largest-degree", "random" or "all"; ``count`` random sources are drawn without repetition
    from the vertices that have an out-edge (as the GAP Benchmark Suite does).
    """
    if graph.n == 0:
        raise UsageError(f"{graph.name} has no vertices, so no source")
    if count is not None:
        if wanted not in ("random", "0"):
            raise UsageError(f"--num-sources draws random sources: it does not go with --src {wanted}")
        return _random(graph, count, seed)
    if wanted in ("random", "randomize"):
        return _random(graph, 1, seed)
    if wanted == "all":
        return list(range(graph.n))
    if wanted in ("largest-degree", "largestdegree"):
        return [int(graph.csr.degrees().argmax())]
    return listed_vertices(graph, wanted, "--src", ", largest-degree, random or all")


def listed_vertices(graph: Graph, wanted: str, option: str, others: str = "") -> list[int]:
    """The vertices that an option names: ``5``, ``0,5,9``, or ``@file`` with one on each line, where
    empty lines and comments (#) are passed over. ``UsageError`` and ``InputError`` name what is none."""
    if wanted.startswith("@"):
        return _from_file(graph, wanted[1:])
    found = []
    for word in wanted.split(","):
        if not _is_number(word.strip()):
            raise UsageError(f"{option} {wanted}: give a vertex, several with commas between them, @ and "
                             f"a file that lists them{others}")
        found.append(int(word))
    for source in found:
        if not 0 <= source < graph.n:
            raise UsageError(f"{option} {source}: {graph.name} has the vertices 0 to {graph.n - 1}")
    _refuse_twice(found, f"{option} {wanted}")
    return found


def _from_file(graph: Graph, path: str) -> list[int]:
    found: list[int] = []
    try:
        with open(path, encoding="utf-8", errors="replace") as lines:
            for number, line in enumerate(lines, 1):
                word = line.partition("#")[0].strip()
                if word and not _is_number(word):
                    raise InputError(f"'{word[:40]}' is no vertex", path=path, line=number)
                if word and not 0 <= int(word) < graph.n:
                    raise InputError(f"vertex {word}: {graph.name} has the vertices 0 to {graph.n - 1}",
                                     path=path, line=number)
                if word:
                    found.append(int(word))
    except OSError as error:
        raise InputError(error.strerror or str(error), path=path) from None
    if not found:
        raise InputError("lists no vertex", path=path)
    _refuse_twice(found, path)
    return found


def _is_number(word: str) -> bool:
    return re.fullmatch(r"-?[0-9]{1,19}", word) is not None


def _refuse_twice(found: list[int], where: str) -> None:
    if len(set(found)) < len(found):
        twice = next(source for place, source in enumerate(found) if source in found[:place])
        raise UsageError(f"{where}: vertex {twice} is named twice")


def _random(graph: Graph, count: int, seed: int) -> list[int]:
    candidates = np.flatnonzero(to_numpy(graph.csr.degrees()))
    if len(candidates) == 0:
        raise UsageError(f"{graph.name} has no edges, so no random source with a path out")
    if count < 1 or count > len(candidates):
        raise UsageError(f"--num-sources {count}: {len(candidates)} vertices have an out-edge")
    generator = np.random.default_rng(seed)
    return [int(v) for v in generator.choice(candidates, count, replace=False)]
