"""A path 0 - 1 - ... - (n - 1)."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from gunrock_cli.graph.model.edges import EdgeList


def edges(xp: ModuleType, params: dict[str, Any]) -> EdgeList:
    vertex = xp.arange(params["nodes"], dtype=xp.int32)
    return EdgeList(params["nodes"], vertex[:-1], vertex[1:], symmetric=True)
