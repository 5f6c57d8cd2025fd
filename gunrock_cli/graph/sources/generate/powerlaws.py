"""Graphs whose degrees follow a power law, alone or joined to other graphs."""

from __future__ import annotations

from types import ModuleType

from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.chunks import chunks
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.sources.generate.ranks import Ranks


def powerlaw(xp: ModuleType, nodes: int, edges: int, gamma: float, seed: int) -> EdgeList:
    """Chung and Lu's graph: both ends of an edge are drawn by a power law, and vertices relabelled."""
    ranks = Ranks(xp, nodes, gamma)
    vertex = rng.shuffled(xp, nodes, seed).astype(xp.int32)
    ends = xp.empty((2, edges), dtype=xp.int32)
    for first, count in chunks(xp, edges):
        for side in (0, 1):
            word = rng.words(xp, first, count, seed, 1 + side)
            ends[side, first : first + count] = vertex[ranks.drawn(word)]
    return EdgeList(nodes, ends[0], ends[1])


def joined(xp: ModuleType, nodes: int, edges: int, gamma: float, length: int, seed: int) -> EdgeList:
    """A power law, a path, and the same power law again."""
    core = powerlaw(xp, nodes, edges, gamma, seed)
    second = core.n + length - 1
    end = core.src[:1] if len(core.src) else xp.zeros(1, dtype=xp.int32)  # a vertex with an edge in both
    path = xp.concatenate((end, xp.arange(core.n, second, dtype=xp.int32), end + second))
    src = xp.concatenate((core.src, core.src + second, path[:-1]))
    dst = xp.concatenate((core.dst, core.dst + second, path[1:]))
    return EdgeList(second + core.n, src, dst)


def tailed(
    xp: ModuleType, nodes: int, edges: int, gamma: float, tail: int, fans: int, seed: int
) -> EdgeList:
    """A power law, a chain that leads out of it to a sink, and vertices that only link to the sink."""
    core = powerlaw(xp, nodes, edges, gamma, seed)
    sink = core.n + tail
    n = sink + 1 + fans
    end = core.dst[:1] if len(core.dst) else xp.zeros(1, dtype=xp.int32)  # an edge leads there
    path = xp.concatenate((end, xp.arange(core.n, sink + 1, dtype=xp.int32)))
    fans = xp.arange(sink + 1, n, dtype=xp.int32)
    src = xp.concatenate((core.src, path[:-1], fans))
    dst = xp.concatenate((core.dst, path[1:], xp.full_like(fans, sink)))
    return EdgeList(n, src, dst)
