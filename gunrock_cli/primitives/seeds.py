"""Vertices that an option names: a list on the command line, or one in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model import Array, Graph, to_numpy


def read_vertices(flag: str, text: str, graph: Graph) -> list[int]:
    """The vertices of ``0,5,9`` or ``@FILE``, in their order; UsageError for what is none of the
    graph's."""
    words = (_words_of(flag, text[1:]) if text.startswith("@") else text).replace(",", " ").split()
    if not words:
        raise UsageError(f"{flag} {text}: no vertices")
    return [_vertex(flag, word, graph) for word in words]


def _words_of(flag: str, path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{flag} @{path}: {error.strerror}") from None
    except ValueError:
        raise UsageError(f"{flag} @{path}: not a text file") from None


def _vertex(flag: str, word: str, graph: Graph) -> int:
    vertex = int(word) if word.isascii() and word.isdigit() and len(word) < 20 else -1
    if not 0 <= vertex < graph.n:
        raise UsageError(f"{flag} {word[:40]}: {graph.name} has the vertices 0 to {graph.n - 1}")
    return vertex


def drawn_seeds(graph: Graph, count: int) -> list[int]:
    """So many vertices with out-edges, different ones where there are enough; without edges, any. The
    same ones whenever it is asked."""
    candidates = np.flatnonzero(to_numpy(graph.csr.degrees()))
    among = candidates if len(candidates) else np.arange(graph.n)
    drawn = np.random.default_rng(0).choice(among, count, replace=len(among) < count)
    return [int(vertex) for vertex in drawn]


def seed_bitmap(seeds: Array, graph: Graph) -> Any:
    """A bit for every vertex, set where it is a seed; where the graph's arrays are."""
    words = np.zeros((graph.n + 31) // 32, np.uint32)
    vertices = to_numpy(seeds)
    np.bitwise_or.at(words, vertices // 32, np.uint32(1) << (vertices % 32).astype(np.uint32))
    return graph.xp.asarray(words)
