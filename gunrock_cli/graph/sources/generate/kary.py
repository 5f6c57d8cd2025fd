"""The k-ary tree: vertex v has the children kv + 1 .. kv + k."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.sources.generate.parents import tree_of


def edges(xp: ModuleType, params: dict[str, Any]) -> EdgeList:
    return tree_of(xp, params["nodes"], lambda vertices: (vertices - 1) // params["arity"])
