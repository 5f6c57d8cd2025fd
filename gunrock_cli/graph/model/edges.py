"""A list of edges, as readers and generators hand it to the builder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gunrock_cli.graph.model.graph import Array


@dataclass
class EdgeList:
    """``src`` and ``dst`` are int32, shape (k,), NumPy or CuPy, vertices from 0 to n - 1.

    ``weights`` is int32 or float32, shape (k,), or None. ``symmetric`` says that both directions of every
    edge are meant, though the list may hold only one of them (a symmetric Matrix Market file, a generator
    of an undirected graph). ``skew`` says that the reverse of an edge then has the negative weight (a
    skew-symmetric file), which matters only if directions are kept. ``vertex_weights`` are int32, shape
    (n,) or (n, weights per vertex), or None. ``names``: the vertices' names (a pandas.Index), or None if
    they are numbers.
    """

    n: int
    src: Array
    dst: Array
    weights: Array | None = None
    symmetric: bool = False
    skew: bool = False
    vertex_weights: Array | None = None
    names: Any = None
