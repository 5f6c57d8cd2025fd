"""The vertices at which rankings begin."""

from __future__ import annotations

from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Array, Graph, to_numpy
from gunrock_cli.primitives.variant import Problem


def drawn_seeds(graph: Graph, count: int) -> list[int]:
    """Draw this many vertices with out-edges, all different if there are enough; without edges, any
    vertices. The draw is the same every time."""
    candidates = np.flatnonzero(to_numpy(graph.csr.degrees()))
    among = candidates if len(candidates) else np.arange(graph.n)
    drawn = np.random.default_rng(0).choice(among, count, replace=len(among) < count)
    return [int(vertex) for vertex in drawn]


def begin_at(problem: Problem, graph: Graph, seeds: Array, shares: Array) -> None:
    """Put all rank on the seeds, which are different rows of the graph. ``problem`` has the members of
    ``kernels/primitives/ppr/iteration.cuh``; its shares and totals are 0. ``shares`` is the number of
    shares of each vertex's rank."""
    weight = 1 / len(seeds)
    degrees = shares[seeds]
    problem["seed_bits"][...] = seed_bitmap(seeds, graph)
    problem["seed_weight"] = weight
    problem["shares"][seeds] = weight / graph.xp.maximum(degrees, 1)
    problem["totals"][1] = weight * int(graph.xp.equal(degrees, 0).sum())


def bitmap_words(n: int) -> int:
    """The number of words that have a bit for each of n vertices."""
    return (n + 31) // 32


def seed_bitmap(seeds: Array, graph: Graph) -> Any:
    """A bit for every vertex, set for the seeds, in the memory of the graph's arrays."""
    words = np.zeros(bitmap_words(graph.n), np.uint32)
    vertices = to_numpy(seeds)
    np.bitwise_or.at(words, vertices // 32, np.uint32(1) << (vertices % 32).astype(np.uint32))
    return graph.xp.asarray(words)
