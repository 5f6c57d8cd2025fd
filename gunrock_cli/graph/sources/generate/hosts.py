"""A web: pages of a host have consecutive numbers. Links lead to a page of the same host, or of another;
the sooner a page comes in its host, the more links lead to it."""

from __future__ import annotations

from types import ModuleType

from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.chunks import chunks
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.model.graph import Array
from gunrock_cli.graph.sources.generate.ranks import Ranks


def edges(
    xp: ModuleType, nodes: int, edges: int, gamma: float, hosts: int, stay: float, seed: int
) -> EdgeList:
    host = _hosts(xp, nodes, Ranks(xp, hosts, gamma), seed)
    starts = xp.searchsorted(host, xp.arange(hosts + 1, dtype=xp.int32))
    src, dst = xp.empty(edges, dtype=xp.int32), xp.empty(edges, dtype=xp.int32)
    for first, count in chunks(xp, edges):
        draws = [rng.words(xp, first, count, seed, stream) for stream in range(1, 5)]
        page = rng.scaled(xp, draws[0], nodes)
        stays = rng.bernoulli(xp, draws[1], stay)
        # The host of any page: the larger a host, the more links lead to it.
        target = host[xp.where(stays, page, rng.scaled(xp, draws[2], nodes))]
        size = starts[target + 1] - starts[target]
        src[first : first + count] = page
        dst[first : first + count] = starts[target] + _early(xp, draws[3], size)
    return EdgeList(nodes, src, dst)


def _hosts(xp: ModuleType, n: int, ranks: Ranks, seed: int) -> Array:
    """The host of each page, ascending."""
    host = xp.empty(n, dtype=xp.int32)
    for first, count in chunks(xp, n):
        host[first : first + count] = ranks.drawn(rng.words(xp, first, count, seed))
    host.sort()
    return host


def _early(xp: ModuleType, word: Array, size: Array) -> Array:
    """Numbers below ``size``, low ones more often: from all, or the first half, quarter, ... 32768th."""
    part = xp.maximum(size >> (word & xp.uint64(15)).astype(xp.int64), 1)
    return rng.scaled_each(xp, word, part)
