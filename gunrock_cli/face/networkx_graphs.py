"""The conversion of a NetworkX graph to ours. NetworkX itself is not imported."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import chain, compress, count, repeat
from numbers import Real
from operator import eq, is_, itemgetter, methodcaller
from typing import Any, NamedTuple

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.arrays import graph_of
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.names import index_of


def named_graph(
    graph: Any,
    *,
    attribute: Hashable | None = "weight",
    default: Any = 1,
    weighted: bool = True,
    symmetrize: bool = False,
    name: str | None = None,
    **how: Any,
) -> Graph:
    """Convert a NetworkX graph with its nodes' names, weighted by an attribute of its edges, unless every
    edge has weight 1; ``how`` is that of ``graph_of``. An undirected graph has both directions."""
    nodes = list(graph)
    edges = edges_of(graph, nodes, attribute if weighted else None, default)
    own = graph_of_edges(
        graph, nodes, edges, symmetrize=symmetrize, weighted=weighted, name=name or "networkx", **how
    )
    return replace(own, names=index_of(nodes))


_Array = np.ndarray[Any, Any]


class Edges(NamedTuple):
    """Ends of edges by their nodes' numbers, and weights with the graph's own type; None if every edge
    has weight 1."""

    tails: _Array
    heads: _Array
    weights: _Array | None


def edges_of(graph: Any, nodes: list[Any], attribute: Hashable | None, default: Any) -> Edges:
    """All edges; for an undirected graph one direction of each."""
    tails, heads, values = (_multigraph_edges if graph.is_multigraph() else _edges)(
        graph, nodes, attribute, default
    )
    return Edges(tails, heads, None if attribute is None else _weights(values))


def graph_of_edges(
    graph: Any, nodes: list[Any], edges: Edges, *, symmetrize: bool = False, **how: Any
) -> Graph:
    """The graph without names: vertex v is the v-th of its nodes."""
    weights = edges.weights
    if weights is not None and weights.dtype == object:
        weights = weights.astype(float)
    own = graph_of(
        edges[:2] if weights is None else (*edges[:2], weights),
        n=len(nodes),
        symmetrize=symmetrize or not graph.is_directed(),
        **how,
    )
    if graph.is_directed() or own.changes is None:
        return own
    return replace(own, changes=replace(own.changes, made_undirected=False, directions_dropped=False))


def _edges(
    graph: Any, nodes: list[Any], attribute: Hashable | None, default: Any
) -> tuple[_Array, _Array, list[Any]]:
    """Tails, heads and values, taken from whole rows, which Python reads faster than single edges."""
    of_node = dict(graph.adjacency())
    rows = [of_node[node] for node in nodes]
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    tails = np.repeat(np.arange(len(rows)), lengths)
    names = chain.from_iterable(rows)
    numbers = names if are_numbers(nodes) else map(index_dict(nodes).__getitem__, names)
    heads = np.fromiter(numbers, np.int64, len(tails))
    once = np.full(len(tails), True) if graph.is_directed() else tails <= heads
    values = [] if attribute is None else _values(rows, once, attribute, default)
    return tails[once], heads[once], values


def _values(rows: list[Any], once: _Array, attribute: Hashable, default: Any) -> list[Any]:
    """The values of an attribute for the edges that count: if all have it, without a Python statement per
    edge."""

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
    """True if the nodes are the whole numbers from 0 on, in order. Then no look-up is needed, which takes
    longer than all the rest, as names and table are scattered over memory (a million edges were converted
    in 0.4 of the time)."""
    return all(map(is_, map(type, nodes), repeat(int))) and all(map(eq, nodes, count()))


def _multigraph_edges(
    graph: Any, nodes: list[Any], attribute: Hashable | None, default: Any
) -> tuple[_Array, _Array, list[Any]]:
    """Tails, heads and values if several edges may join two nodes."""
    index = index_dict(nodes)
    edges = list(
        graph.edges(data=attribute, default=default)
        if attribute is not None
        else ((u, v, 1) for u, v in graph.edges())
    )
    tails, heads = (np.array([index[edge[end]] for edge in edges], np.int64) for end in (0, 1))
    return tails, heads, [edge[2] for edge in edges]


def _weights(values: list[Any]) -> _Array | None:
    """An array that holds the values exactly; None if every edge has weight 1. Text is never a number."""
    try:
        if any(map(is_, values, repeat(np.ma.masked))):
            raise TypeError
        array = np.array(values)
        if array.dtype.kind == "O" and not all(isinstance(each, (Real, Decimal)) for each in values):
            raise TypeError
        if array.dtype.kind not in "biufO":
            raise TypeError
        finite = array.ndim == 1 and np.isfinite(array.astype(float)).all()
    except (TypeError, ValueError, OverflowError):
        raise InputError("weights must be numbers") from None
    if not finite:
        raise InputError("weights must be finite numbers")
    if (array == 1).all():
        return None
    if array.dtype.kind == "f" and np.abs(array).max() >= 2**53:  # whole numbers mixed with fractions
        return np.array(values, object)
    return array.astype(np.int64) if array.dtype == np.bool_ else array
