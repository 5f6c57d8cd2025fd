"""Chung and Lu's graph: both ends of an edge are drawn by a power law, and vertices relabelled."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.chunks import chunks
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.sources.generate.ranks import Ranks
from gunrock_cli.graph.sources.generate.shuffle import shuffled


def edges(xp: ModuleType, params: dict[str, Any]) -> EdgeList:
    n, m, seed = params["nodes"], params["edges"], params["seed"]
    ranks = Ranks(xp, n, params["gamma"])
    vertex = shuffled(xp, n, seed).astype(xp.int32)
    ends = xp.empty((2, m), dtype=xp.int32)
    for first, count in chunks(xp, m):
        for side in (0, 1):
            word = rng.words(xp, first, count, seed, 1 + side)
            ends[side, first : first + count] = vertex[ranks.drawn(word)]
    return EdgeList(n, ends[0], ends[1])
