"""Hubs in a chain, numbered first; then the neighbours of each; then random trees behind all of these."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.model.graph import Array
from gunrock_cli.graph.sources.generate.parents import tree_of


def edges(xp: ModuleType, params: dict[str, Any]) -> EdgeList:
    hubs, degree = params["hubs"], params["hub_degree"]
    behind = hubs + hubs * degree

    def parent(vertices: Array) -> Array:
        beyond = xp.maximum(vertices - hubs, 0)
        word = rng.hash_counters(xp, vertices, params["seed"])
        near = xp.where(vertices < hubs, vertices - 1, beyond // degree)
        return xp.where(vertices < behind, near, hubs + rng.scaled_each(xp, word, beyond))

    return tree_of(xp, params["nodes"], parent)
