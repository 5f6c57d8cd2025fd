"""A full band around the diagonal, and hubs (dense rows and columns) evenly spread over it."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.sources.generate.spokes import spokes


def edges(xp: ModuleType, params: dict[str, Any]) -> EdgeList:
    n, count = params["nodes"], params["hubs"]
    vertex = xp.arange(n, dtype=xp.int32)
    hubs = xp.arange(count, dtype=xp.int64) * n // max(count, 1)
    more = spokes(xp, hubs, params["hub_degree"], n, params["seed"])
    steps = range(1, min(params["bandwidth"], n - 1) + 1)
    src = xp.concatenate([*(vertex[:-step] for step in steps), more[0]])
    dst = xp.concatenate([*(vertex[step:] for step in steps), more[1]])
    return EdgeList(n, src, dst, symmetric=True)
