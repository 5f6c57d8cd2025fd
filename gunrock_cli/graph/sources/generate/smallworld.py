"""Watts-Strogatz: a ring where each vertex is linked to its k nearest, then edges rewired."""

from __future__ import annotations

from types import ModuleType

from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.rows.drawing import SMALL_WORLD, Drawing, struct


def edges(xp: ModuleType, nodes: int, neighbors: int, rewire: float, seed: int) -> EdgeList:
    n, half = nodes, neighbors // 2
    vertex = xp.arange(n, dtype=xp.int64)
    src = xp.tile(vertex, half)
    dst = xp.empty(n * half, dtype=xp.int64)
    for step in range(half):
        dst[step * n : (step + 1) * n] = (vertex + step + 1) % n
    if rewire > 0 and n > 2:
        word = rng.words(xp, 0, len(src), seed)
        rewired = rng.bernoulli(xp, word, rewire)
        # Anywhere but to itself: to one of the n - 1 other vertices.
        jump = 1 + rng.scaled(xp, rng.words(xp, 0, len(src), seed, 1), n - 1)
        dst = xp.where(rewired, (src + jump) % n, dst)
    return EdgeList(n, src.astype(xp.int32), dst.astype(xp.int32), symmetric=True)


def drawing(nodes: int, neighbors: int, rewire: float, seed: int) -> Drawing:
    """The generator's edges as compiled code draws them, each by its number."""
    n = nodes
    edges = n * (neighbors // 2)
    rewired = rng.threshold(rewire) if n > 2 else 0
    recipe = struct(
        SMALL_WORLD, keys=[rng.stream_key(seed, stream) for stream in range(2)], rewired=rewired, n=n
    )
    return Drawing(
        "SmallWorld", recipe, n, edges, lambda both, _: edges * (2.0 if both else 1.0), symmetric=True
    )
