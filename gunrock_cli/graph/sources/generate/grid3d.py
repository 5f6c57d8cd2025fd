"""The 7-point lattice: vertex (z * height + y) * width + x, linked along the three axes."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.sources.generate.lattice import lattice_edges


def edges(xp: ModuleType, params: dict[str, Any]) -> EdgeList:
    return lattice_edges(xp, (params["depth"], params["height"], params["width"]))
