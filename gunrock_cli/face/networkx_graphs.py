"""A NetworkX graph as one of ours. NetworkX itself is not imported."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.arrays import graph_of
from gunrock_cli.graph.model import Graph
from gunrock_cli.graph.names import index_of


def named_graph(graph: Any, *, attribute: Hashable | None = "weight", default: Any = 1,
                weighted: bool = True, symmetrize: bool = False, name: str | None = None,
                **how: Any) -> Graph:
    """A NetworkX graph as ours with its nodes' names, weighted by one of its edges' attributes, unless
    every edge weighs 1; ``how`` is that of ``graph_of``. An undirected one has both directions."""
    nodes = list(graph)
    index = {node: v for v, node in enumerate(nodes)}
    edges = graph.edges(data=attribute, default=default) if attribute is not None and weighted \
        else ((u, v, 1) for u, v in graph.edges())
    numbered = [(index[u], index[v], weight) for u, v, weight in edges]
    tails, heads = (np.array([edge[end] for edge in numbered], np.int64) for end in (0, 1))
    weights = _weights([edge[2] for edge in numbered])
    arrays = (tails, heads) if weights is None else (tails, heads, weights)
    own = graph_of(arrays, n=len(nodes), symmetrize=symmetrize or not graph.is_directed(),
                   weighted=weighted, name=name or "networkx", **how)
    return replace(own, names=index_of(nodes))


def _weights(values: list[Any]) -> np.ndarray[Any, Any] | None:
    """None where every edge weighs 1."""
    try:
        array = np.array(values)
        if array.dtype.kind not in "iuf":
            array = np.array(values, float)  # booleans, fractions
    except (TypeError, ValueError, OverflowError):
        raise InputError("weights must be numbers") from None
    if array.ndim != 1 or not np.isfinite(array).all():
        raise InputError("weights must be finite numbers")
    return None if (array == 1).all() else array
