"""A graph as a user asks for it: a file or a generator, and how to clean it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

FILE_KINDS = ("market", "edge-list", "dimacs", "metis", "npz", "binary")


@dataclass(frozen=True)
class GraphSpec:
    """``kind`` is one of FILE_KINDS (then ``path`` is set; "-" is stdin, Matrix Market only) or a
    generator's name (then ``params`` holds its parameters, ``seed`` among them)."""

    kind: str
    path: str | None = None
    params: dict[str, Any] = field(default_factory=dict)
    undirected: bool = True
    keep_self_loops: bool = False
    keep_duplicates: bool = False
    weights: str | None = None  # None: what the file has; "random:1:64"; "unit"; "none"
    weight_type: str | None = None  # "int32", "float32"; None: the file's, int32 when drawn
    weight_seed: int = 0
    reverse: bool = True  # False: a directed graph comes without its in-edges
    name: str | None = None  # overrides the name derived from the path or the generator
