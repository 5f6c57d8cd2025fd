"""A power law, a path, and the same power law again."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.sources.generate import powerlaw


def edges(xp: ModuleType, params: dict[str, Any]) -> EdgeList:
    core = powerlaw.edges(xp, params)
    second = core.n + params["length"] - 1
    end = core.src[:1] if len(core.src) else xp.zeros(1, dtype=xp.int32)  # where both have an edge
    path = xp.concatenate((end, xp.arange(core.n, second, dtype=xp.int32), end + second))
    src = xp.concatenate((core.src, core.src + second, path[:-1]))
    dst = xp.concatenate((core.dst, core.dst + second, path[1:]))
    return EdgeList(second + core.n, src, dst)
