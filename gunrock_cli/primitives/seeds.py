"""Vertices at which rankings begin."""

from __future__ import annotations

from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Array, Graph, to_numpy


def drawn_seeds(graph: Graph, count: int) -> list[int]:
    """This many vertices with out-edges, all different where there are enough; without edges, any
    vertices. The same ones every time."""
    candidates = np.flatnonzero(to_numpy(graph.csr.degrees()))
    among = candidates if len(candidates) else np.arange(graph.n)
    drawn = np.random.default_rng(0).choice(among, count, replace=len(among) < count)
    return [int(vertex) for vertex in drawn]


def seed_bitmap(seeds: Array, graph: Graph) -> Any:
    """A bit for every vertex, set for the seeds; it lies where the graph's arrays lie."""
    words = np.zeros((graph.n + 31) // 32, np.uint32)
    vertices = to_numpy(seeds)
    np.bitwise_or.at(words, vertices // 32, np.uint32(1) << (vertices % 32).astype(np.uint32))
    return graph.xp.asarray(words)
