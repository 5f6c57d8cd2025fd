"""Random geometric graph: n points uniform in the unit square, linked when within a radius."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.sources.generate.catalog import rgg_radius
from gunrock_cli.graph.sources.generate.nearby import linked_points


def edges(xp: ModuleType, params: dict[str, Any]) -> EdgeList:
    return linked_points(xp, params["nodes"], rgg_radius(params), 2, params["seed"])
