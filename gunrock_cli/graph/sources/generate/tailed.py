"""A power law, a chain that leads out of it to a sink, and vertices that only link to the sink."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.sources.generate import powerlaw


def edges(xp: ModuleType, params: dict[str, Any]) -> EdgeList:
    core = powerlaw.edges(xp, params)
    sink = core.n + params["tail"]
    n = sink + 1 + params["fans"]
    end = core.dst[:1] if len(core.dst) else xp.zeros(1, dtype=xp.int32)  # an edge leads there
    path = xp.concatenate((end, xp.arange(core.n, sink + 1, dtype=xp.int32)))
    fans = xp.arange(sink + 1, n, dtype=xp.int32)
    src = xp.concatenate((core.src, path[:-1], fans))
    dst = xp.concatenate((core.dst, path[1:], xp.full_like(fans, sink)))
    return EdgeList(n, src, dst)
