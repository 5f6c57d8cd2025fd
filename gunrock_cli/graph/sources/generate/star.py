"""A star: vertex 0 linked to all others."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from gunrock_cli.graph.model.edges import EdgeList


def edges(xp: ModuleType, params: dict[str, Any]) -> EdgeList:
    leaves = xp.arange(1, params["nodes"], dtype=xp.int32)
    return EdgeList(params["nodes"], xp.zeros_like(leaves), leaves, symmetric=True)
