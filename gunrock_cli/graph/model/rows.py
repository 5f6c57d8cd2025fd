"""Rows on their way to a graph: the result of every reader, and rows as stored in a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gunrock_cli.graph.model.changes import Changes
from gunrock_cli.graph.model.graph import Array, Csr
from gunrock_cli.jsontypes import Json


@dataclass(frozen=True)
class Rows:
    """Clean, sorted rows, in the memory where they were made.

    ``undirected`` says that they hold both directions of each edge. A file may also give ``reverse`` (the
    in-edges), ``hash`` (of ``csr`` as it is), ``name`` and ``origin`` (the history of a binary graph),
    and ``vertex_weights``. ``weighed``: they already have the requested weights, as in the cache.
    ``names``: the vertices' names, as in ``EdgeList``. ``changes``: as in ``Graph``.
    """

    csr: Csr
    undirected: bool
    reverse: Csr | None = None
    hash: str | None = None
    name: str | None = None
    origin: Mapping[str, Json] | None = None
    weighed: bool = False
    vertex_weights: Array | None = None
    names: Any = None
    changes: Changes | None = None


@dataclass(frozen=True)
class StoredRows:
    """Rows as stored in a file, on the host: all vertices and offsets are right, but rows may be unsorted
    and have repetitions and loops.

    ``both_directions``: the file says that each edge is in both of its rows, and this has been verified.
    ``reverse`` are the in-edges, if the file has them separately.
    """

    csr: Csr
    both_directions: bool = False
    reverse: Csr | None = None


def increases(offsets: Array, columns: Array) -> bool:
    """True if columns rise strictly in every row."""
    if len(columns) < 2:
        return True
    falls = columns[1:] <= columns[:-1]
    starts = offsets[1:-1]
    falls[starts[(starts > 0) & (starts < len(columns))] - 1] = False  # neighbours of different rows
    return not bool(falls.any())
