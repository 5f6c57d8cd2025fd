"""The names that the package exports: a few objects, and a function for every primitive."""

from __future__ import annotations

from functools import cache
from typing import Any

from gunrock_cli.errors import GunrockError, WrongAnswer
from gunrock_cli.face.diameter import diameter
from gunrock_cli.face.dynamic import DynamicGraph
from gunrock_cli.face.functions import function_of, run
from gunrock_cli.face.graphs import as_graph, from_csr, load
from gunrock_cli.face.prepare import Prepared, prepare
from gunrock_cli.face.result import Answer, Result
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives import get_primitive, primitive_names

OWN: dict[str, Any] = {
    each.__name__: each
    for each in (
        Answer,
        DynamicGraph,
        Graph,
        GunrockError,
        Prepared,
        Result,
        WrongAnswer,
        as_graph,
        diameter,
        from_csr,
        load,
        prepare,
        run,
    )
}


def names() -> list[str]:
    """All exported names, sorted."""
    return sorted((*OWN, *primitive_names()))


@cache
def find(name: str) -> Any:
    """Return the object with that name, or None."""
    if name in OWN:
        return OWN[name]
    return function_of(get_primitive(name)) if name in primitive_names() else None
