"""Shortest paths where some weights are negative, by rounds on the host (Bellman 1958): each relaxes the
edges out of the vertices that the one before brought nearer.

Sums are of int64 or float64, along a path from its start as NetworkX's are, and so equal to the last
bit."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gunrock_cli.face.networkx_backend.graph import GunrockGraph
from gunrock_cli.face.networkx_backend.searches import check_weight
from gunrock_cli.face.networkx_backend.trees import Tree
from gunrock_cli.graph.model.graph import to_numpy
from gunrock_cli.graph.model.ranges import ranges

_Array = np.ndarray[Any, Any]


class Rows(NamedTuple):
    """The edges of vertex v are ``offsets[v]`` to ``offsets[v + 1]`` of ``heads`` and ``weights``."""

    offsets: _Array
    heads: _Array
    weights: _Array


class SignedTree(Tree):
    """A tree whose lengths may be negative; those of unreached vertices are the dtype's largest value."""

    def reached(self, cutoff: float | None = None) -> _Array:
        """True for each vertex to which a path leads. There are no cutoffs."""
        assert cutoff is None
        found: _Array = self.lengths != _farthest(self.lengths.dtype)
        return found


def has_negative(G: GunrockGraph, weight: Any) -> bool:
    """True if lengths by this weight need the rounds. NotImplementedError for weights by a function."""
    check_weight(weight)
    values = G.graph.csr.values
    return weight is not None and values is not None and len(values) > 0 and bool(values.min() < 0)


def rows_of(G: GunrockGraph) -> Rows:
    """The edges with their weights as given. NotImplementedError for such as float64 may round."""
    if G.edges is None:
        csr = G.graph.csr
        offsets, heads, values = map(to_numpy, (csr.row_offsets, csr.column_indices, csr.values))
        return Rows(offsets, heads, values.astype(np.int64))
    tails, heads, weights = G.edges
    assert weights is not None
    if weights.dtype == object:
        raise NotImplementedError(
            "gunrock: negative weights beside fractions, decimals or 2**53 and more"
        )
    if not G.is_directed():
        tails, heads = np.concatenate((tails, heads)), np.concatenate((heads, tails))
        weights = np.concatenate((weights, weights))
    order = np.argsort(tails, kind="stable")
    offsets = np.concatenate(([0], np.cumsum(np.bincount(tails, minlength=len(G)))))
    return Rows(offsets, heads[order], weights[order].astype(np.float64))


def signed_tree(G: GunrockGraph, rows: Rows, start: int) -> SignedTree:
    """The tree of a single source by the weights of ``rows``. NetworkXUnbounded for a negative cycle that
    it reaches."""
    import networkx as nx

    n = len(G)
    lengths = np.full(n, _farthest(rows.weights.dtype))
    predecessors, frontier = np.full(n, -1), np.array([start])
    lengths[start] = 0
    for number in range(1, n + 1):
        frontier = _relax(rows, lengths, predecessors, frontier)
        if lengths[start] < 0:
            break
        # now and then, as n rounds take long if a cycle is short; at the end, as one whose sum only
        # rounding makes negative may come to rest
        if (not len(frontier) or number.bit_count() == 1) and _is_cyclic(predecessors, start):
            break
        if not len(frontier):
            return SignedTree(G, frozenset({start}), lengths, predecessors.tolist(), "weight")
    raise nx.NetworkXUnbounded("Negative cycle detected.")


def _relax(rows: Rows, lengths: _Array, predecessors: _Array, frontier: _Array) -> _Array:
    """Relax the edges out of the frontier, all by the lengths before, and return who is nearer now."""
    begins = rows.offsets[frontier]
    counts = rows.offsets[frontier + 1] - begins
    tails = np.repeat(frontier, counts)
    edges = ranges(begins, counts)
    heads = rows.heads[edges]
    sums, before = lengths[tails] + rows.weights[edges], lengths[heads]
    np.minimum.at(lengths, heads, sums)
    won = (sums < before) & (sums == lengths[heads])
    predecessors[heads[won]] = tails[won]
    nearer: _Array = np.unique(heads[won])
    return nearer


def _is_cyclic(predecessors: _Array, start: int) -> bool:
    """True if some vertex's predecessors do not lead to the start: they go round a negative cycle."""
    ahead = np.where(predecessors < 0, start, predecessors)
    for _ in range(len(ahead).bit_length() + 1):
        if (ahead == start).all():
            return False
        ahead = ahead[ahead]
    return True


def _farthest(dtype: Any) -> Any:
    return np.inf if dtype.kind == "f" else np.iinfo(dtype).max
