"""The same in space: n points uniform in the unit cube, linked when within a radius."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.sources.generate.nearby import linked_points


def edges(xp: ModuleType, params: dict[str, Any]) -> EdgeList:
    return linked_points(xp, params["nodes"], params["radius"], 3, params["seed"])
