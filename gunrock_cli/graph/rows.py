"""Rows on their way to a graph: what reading gives, whatever was read; and rows as a file has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gunrock_cli.graph.model import Array, Csr


@dataclass(frozen=True)
class Rows:
    """Clean, sorted rows, in the memory where they were made.

    ``undirected`` says that both directions of each edge are in them. What a file knows of them besides
    is ``reverse`` (the in-edges), ``hash`` (of ``csr`` as it is), ``name`` and ``origin`` (the history
    of a binary graph), and ``vertex_weights``. ``weighed``: the weights asked for are on them, as they
    are in the cache. ``names``: what the vertices are called, as in ``EdgeList``.
    """

    csr: Csr
    undirected: bool
    reverse: Csr | None = None
    hash: str | None = None
    name: str | None = None
    origin: dict[str, Any] | None = None
    weighed: bool = False
    vertex_weights: Array | None = None
    names: Any = None


@dataclass(frozen=True)
class StoredRows:
    """Rows as a file has them, on the host: all vertices and offsets are right, but rows may be unsorted
    and have repetitions and loops.

    ``both_directions``: the file says, and it was made sure of, that each edge is in both of its rows.
    ``reverse`` are the in-edges, where the file has them apart.
    """

    csr: Csr
    both_directions: bool = False
    reverse: Csr | None = None


def increases(offsets: Array, columns: Array) -> bool:
    """Whether columns rise strictly in every row."""
    if len(columns) < 2:
        return True
    falls = columns[1:] <= columns[:-1]
    starts = offsets[1:-1]
    falls[starts[(starts > 0) & (starts < len(columns))] - 1] = False  # neighbours of different rows
    return not bool(falls.any())
