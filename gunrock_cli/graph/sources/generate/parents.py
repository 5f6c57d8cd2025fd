"""Trees, each vertex of which is a function of its number."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from gunrock_cli.graph.model.chunks import chunks
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.model.graph import Array


def tree_of(xp: ModuleType, n: int, parent: Callable[[Array], Array]) -> EdgeList:
    """Vertices 1 .. n - 1, each linked to its ``parent``, an earlier one: int64 both."""
    parents = xp.empty(n - 1, dtype=xp.int32)
    for first, count in chunks(xp, n - 1):
        vertices = xp.arange(first + 1, first + 1 + count, dtype=xp.int64)
        parents[first : first + count] = parent(vertices)
    return EdgeList(n, parents, xp.arange(1, n, dtype=xp.int32), symmetric=True)
