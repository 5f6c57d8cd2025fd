"""The plan of a primitive on a graph, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.variant import Variant


def planned(
    primitive: Primitive, graph: Graph, given: Mapping[str, Any] | None = None, alone: bool = True
) -> Variant[Any]:
    """The variant with these options by key, and defaults for the rest."""
    return primitive.plan(graph, primitive.asked(given or {}), alone)
