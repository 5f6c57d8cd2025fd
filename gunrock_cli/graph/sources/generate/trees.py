"""Trees, including paths and stars."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.chunks import chunks
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.model.graph import Array


def path(xp: ModuleType, nodes: int) -> EdgeList:
    """A path 0 - 1 - ... - (n - 1)."""
    vertex = xp.arange(nodes, dtype=xp.int32)
    return EdgeList(nodes, vertex[:-1], vertex[1:], symmetric=True)


def star(xp: ModuleType, nodes: int) -> EdgeList:
    """A star: vertex 0 linked to all others."""
    leaves = xp.arange(1, nodes, dtype=xp.int32)
    return EdgeList(nodes, xp.zeros_like(leaves), leaves, symmetric=True)


def kary(xp: ModuleType, nodes: int, arity: int) -> EdgeList:
    """The k-ary tree: vertex v has the children kv + 1 .. kv + k."""
    return _tree_of(xp, nodes, lambda vertices: (vertices - 1) // arity)


def tree(xp: ModuleType, nodes: int, window: int, seed: int) -> EdgeList:
    """Random recursive trees: vertex v is linked to one of the vertices before it, or of the last few of
    these."""

    def parent(vertices: Array) -> Array:
        word = rng.hash_counters(xp, vertices, seed)
        return vertices - 1 - rng.scaled_each(xp, word, xp.minimum(vertices, window))

    return _tree_of(xp, nodes, parent)


def hubtree(xp: ModuleType, nodes: int, hubs: int, hub_degree: int, seed: int) -> EdgeList:
    """Hubs in a chain, numbered first; then the neighbours of each; then random trees behind all of
    them."""
    behind = hubs + hubs * hub_degree

    def parent(vertices: Array) -> Array:
        beyond = xp.maximum(vertices - hubs, 0)
        word = rng.hash_counters(xp, vertices, seed)
        near = xp.where(vertices < hubs, vertices - 1, beyond // hub_degree)
        return xp.where(vertices < behind, near, hubs + rng.scaled_each(xp, word, beyond))

    return _tree_of(xp, nodes, parent)


def caterpillar(xp: ModuleType, nodes: int, legs: int, leg_length: int) -> EdgeList:
    """A chain with branches: each of its vertices is followed by its branches, then by the next."""
    block = 1 + legs * leg_length

    def parent(vertices: Array) -> Array:
        place = vertices % block
        start = xp.where(place == 0, vertices - block, vertices - place)  # on the chain
        return xp.where((place == 0) | ((place - 1) % leg_length == 0), start, vertices - 1)

    return _tree_of(xp, nodes, parent)


def _tree_of(xp: ModuleType, n: int, parent: Callable[[Array], Array]) -> EdgeList:
    """Vertices 1 .. n - 1, each linked to its ``parent``, an earlier vertex: int64 both."""
    parents = xp.empty(n - 1, dtype=xp.int32)
    for first, count in chunks(xp, n - 1):
        vertices = xp.arange(first + 1, first + 1 + count, dtype=xp.int64)
        parents[first : first + count] = parent(vertices)
    return EdgeList(n, parents, xp.arange(1, n, dtype=xp.int32), symmetric=True)
