"""Random bipartite graph: edges from a left part (hubs) to a right part (authorities)."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from gunrock_cli.graph import rng
from gunrock_cli.graph.edges import EdgeList


def edges(xp: ModuleType, params: dict[str, Any]) -> EdgeList:
    left, right, m = params["left"], params["right"], params["edges"]
    src = rng.scaled(xp, rng.words(xp, 0, m, params["seed"], 0), left)
    dst = rng.scaled(xp, rng.words(xp, 0, m, params["seed"], 1), right) + left
    return EdgeList(left + right, src.astype(xp.int32), dst.astype(xp.int32))
