"""Rows on their way to a graph: what reading gives, whatever was read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gunrock_cli.graph.model import Csr


@dataclass(frozen=True)
class Rows:
    """Clean, sorted rows, in the memory where they were made.

    ``undirected`` says that both directions of each edge are in them. What a file knows of them besides
    is ``reverse`` (the in-edges), ``hash`` (of ``csr`` as it is), ``name`` and ``origin`` (the history
    of a binary graph). ``weighed``: the weights asked for are on them, as they are in the cache.
    """

    csr: Csr
    undirected: bool
    reverse: Csr | None = None
    hash: str | None = None
    name: str | None = None
    origin: dict[str, Any] | None = None
    weighed: bool = False
