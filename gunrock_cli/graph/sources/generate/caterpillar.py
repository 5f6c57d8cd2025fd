"""A chain with branches: each vertex of the chain is followed by its branches, then comes the next."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.model.graph import Array
from gunrock_cli.graph.sources.generate.parents import tree_of


def edges(xp: ModuleType, params: dict[str, Any]) -> EdgeList:
    length = params["leg_length"]
    block = 1 + params["legs"] * length

    def parent(vertices: Array) -> Array:
        place = vertices % block
        start = xp.where(place == 0, vertices - block, vertices - place)  # on the chain
        return xp.where((place == 0) | ((place - 1) % length == 0), start, vertices - 1)

    return tree_of(xp, params["nodes"], parent)
