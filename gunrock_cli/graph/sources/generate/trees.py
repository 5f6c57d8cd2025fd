"""Trees, including paths and stars."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.chunks import chunks
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.model.graph import Array


def path(xp: ModuleType, params: dict[str, Any]) -> EdgeList:
    """A path 0 - 1 - ... - (n - 1)."""
    vertex = xp.arange(params["nodes"], dtype=xp.int32)
    return EdgeList(params["nodes"], vertex[:-1], vertex[1:], symmetric=True)


def star(xp: ModuleType, params: dict[str, Any]) -> EdgeList:
    """A star: vertex 0 linked to all others."""
    leaves = xp.arange(1, params["nodes"], dtype=xp.int32)
    return EdgeList(params["nodes"], xp.zeros_like(leaves), leaves, symmetric=True)


def kary(xp: ModuleType, params: dict[str, Any]) -> EdgeList:
    """The k-ary tree: vertex v has the children kv + 1 .. kv + k."""
    return _tree_of(xp, params["nodes"], lambda vertices: (vertices - 1) // params["arity"])


def tree(xp: ModuleType, params: dict[str, Any]) -> EdgeList:
    """Random recursive trees: vertex v is linked to one of the vertices before it, or of the last few of
    these."""

    def parent(vertices: Array) -> Array:
        word = rng.hash_counters(xp, vertices, params["seed"])
        return vertices - 1 - rng.scaled_each(xp, word, xp.minimum(vertices, params["window"]))

    return _tree_of(xp, params["nodes"], parent)


def hubtree(xp: ModuleType, params: dict[str, Any]) -> EdgeList:
    """Hubs in a chain, numbered first; then the neighbours of each; then random trees behind all of
    them."""
    hubs, degree = params["hubs"], params["hub_degree"]
    behind = hubs + hubs * degree

    def parent(vertices: Array) -> Array:
        beyond = xp.maximum(vertices - hubs, 0)
        word = rng.hash_counters(xp, vertices, params["seed"])
        near = xp.where(vertices < hubs, vertices - 1, beyond // degree)
        return xp.where(vertices < behind, near, hubs + rng.scaled_each(xp, word, beyond))

    return _tree_of(xp, params["nodes"], parent)


def caterpillar(xp: ModuleType, params: dict[str, Any]) -> EdgeList:
    """A chain with branches: each of its vertices is followed by its branches, then by the next."""
    length = params["leg_length"]
    block = 1 + params["legs"] * length

    def parent(vertices: Array) -> Array:
        place = vertices % block
        start = xp.where(place == 0, vertices - block, vertices - place)  # on the chain
        return xp.where((place == 0) | ((place - 1) % length == 0), start, vertices - 1)

    return _tree_of(xp, params["nodes"], parent)


def _tree_of(xp: ModuleType, n: int, parent: Callable[[Array], Array]) -> EdgeList:
    """Vertices 1 .. n - 1, each linked to its ``parent``, an earlier vertex: int64 both."""
    parents = xp.empty(n - 1, dtype=xp.int32)
    for first, count in chunks(xp, n - 1):
        vertices = xp.arange(first + 1, first + 1 + count, dtype=xp.int64)
        parents[first : first + count] = parent(vertices)
    return EdgeList(n, parents, xp.arange(1, n, dtype=xp.int32), symmetric=True)
