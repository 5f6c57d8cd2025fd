"""Random recursive trees: vertex v is linked to one of the vertices before it, or of the last few of
them."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.model.graph import Array
from gunrock_cli.graph.sources.generate.parents import tree_of


def edges(xp: ModuleType, params: dict[str, Any]) -> EdgeList:
    def parent(vertices: Array) -> Array:
        word = rng.hash_counters(xp, vertices, params["seed"])
        return vertices - 1 - rng.scaled_each(xp, word, xp.minimum(vertices, params["window"]))

    return tree_of(xp, params["nodes"], parent)
