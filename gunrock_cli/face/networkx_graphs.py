"""A NetworkX graph as one of ours. NetworkX itself is not imported."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from dataclasses import replace
from itertools import chain, compress, count, repeat
from operator import eq, is_, itemgetter, methodcaller
from typing import Any

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.arrays import graph_of
from gunrock_cli.graph.model import Graph
from gunrock_cli.graph.names import index_of


def named_graph(graph: Any, *, attribute: Hashable | None = "weight", default: Any = 1,
                weighted: bool = True, symmetrize: bool = False, name: str | None = None,
                **how: Any) -> Graph:
    """A NetworkX graph as ours with its nodes' names, weighted by an attribute of its edges, unless every
    edge has weight 1; ``how`` is that of ``graph_of``. An undirected graph has both directions."""
    nodes = list(graph)
    own = numbered_graph(graph, nodes, attribute if weighted else None, default,
                         symmetrize=symmetrize, weighted=weighted, name=name or "networkx", **how)
    return replace(own, names=index_of(nodes))


def numbered_graph(graph: Any, nodes: list[Any], attribute: Hashable | None, default: Any, *,
                   symmetrize: bool = False, **how: Any) -> Graph:
    """The same without names: vertex v is the v-th of its nodes."""
    edges_of = _multigraph_edges if graph.is_multigraph() else _edges
    tails, heads, weights = edges_of(graph, nodes, attribute, default)
    arrays = (tails, heads) if weights is None else (tails, heads, weights)
    return graph_of(arrays, n=len(nodes), symmetrize=symmetrize or not graph.is_directed(), **how)


_Array = np.ndarray[Any, Any]


def _edges(graph: Any, nodes: list[Any], attribute: Hashable | None, default: Any
           ) -> tuple[_Array, _Array, _Array | None]:
    """Tails, heads and weights of all edges; for an undirected graph one direction of each. They are
    taken from whole rows, which Python goes through faster than through edges."""
    of_node = dict(graph.adjacency())
    rows = [of_node[node] for node in nodes]
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    tails = np.repeat(np.arange(len(rows)), lengths)
    names = chain.from_iterable(rows)
    numbers = names if are_numbers(nodes) else map(index_dict(nodes).__getitem__, names)
    heads = np.fromiter(numbers, np.int64, len(tails))
    once = np.full(len(tails), True) if graph.is_directed() else tails <= heads
    weights = None if attribute is None else _weights(_values(rows, once, attribute, default))
    return tails[once], heads[once], weights


def _values(rows: list[Any], once: _Array, attribute: Hashable, default: Any) -> list[Any]:
    """The values of an attribute for the edges that count: if all have it, without a line of Python for
    each."""
    def data_of_edges() -> Iterator[Any]:
        return compress(chain.from_iterable(map(methodcaller("values"), rows)), once.tolist())

    try:
        return list(map(itemgetter(attribute), data_of_edges()))
    except KeyError:
        return [data.get(attribute, default) for data in data_of_edges()]


def index_dict(nodes: Collection[Any]) -> dict[Any, int]:
    """The vertex of each node."""
    return {node: v for v, node in enumerate(nodes)}


def are_numbers(nodes: Collection[Any]) -> bool:
    """Whether the nodes are whole numbers from 0 on, in order: then none needs looking up, which takes
    longer than all the rest, as names and table are scattered over memory (a million edges were converted
    in 0.4 of the time)."""
    return all(map(is_, map(type, nodes), repeat(int))) and all(map(eq, nodes, count()))


def _multigraph_edges(graph: Any, nodes: list[Any], attribute: Hashable | None, default: Any
                      ) -> tuple[_Array, _Array, _Array | None]:
    """The same where several edges may join two nodes."""
    index = index_dict(nodes)
    edges = list(graph.edges(data=attribute, default=default) if attribute is not None
                 else ((u, v, 1) for u, v in graph.edges()))
    tails, heads = (np.array([index[edge[end]] for edge in edges], np.int64) for end in (0, 1))
    return tails, heads, _weights([edge[2] for edge in edges])


def _weights(values: list[Any]) -> np.ndarray[Any, Any] | None:
    """None if every edge has weight 1."""
    try:
        array = np.array(values)
        if array.dtype.kind not in "iuf":
            array = np.array(values, float)  # booleans, fractions
    except (TypeError, ValueError, OverflowError):
        raise InputError("weights must be numbers") from None
    if array.ndim != 1 or not np.isfinite(array).all():
        raise InputError("weights must be finite numbers")
    return None if (array == 1).all() else array
