"""The plan of a primitive on a graph, for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gunrock_cli.bench.records.record import Record
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.peers import measure
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.parts.base import OnSeveralDevices
from gunrock_cli.primitives.variant import Variant


def planned(
    primitive: Primitive, graph: Graph, given: Mapping[str, Any] | None = None, alone: bool = True
) -> Variant[Any]:
    """The variant with these options by key, and defaults for the rest."""
    asked = primitive.asked(given or {})
    if alone:
        return primitive.plan(graph, asked)
    assert isinstance(primitive, OnSeveralDevices)
    return primitive.plan_in_parts(graph, asked)


def run_peers(
    names: Sequence[str],
    primitive: Primitive,
    graph: Graph,
    given: Options | Mapping[str, Any],
    *more: Any,
    **how: Any,
) -> list[Record]:
    """``peers.measure.run_peers`` with these options, resolved or by key."""
    options = given if isinstance(given, Options) else primitive.asked(given)
    return measure.run_peers(names, primitive, graph, options, *more, **how)
