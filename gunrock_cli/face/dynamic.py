"""A graph of a program's data whose edges change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gunrock_cli.errors import UsageError
from gunrock_cli.face.graphs import as_graph
from gunrock_cli.face.result import Result
from gunrock_cli.graph.changing import ChangingGraph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.going_on import refuse_given


class DynamicGraph(ChangingGraph):
    """A graph whose edges are inserted and deleted in batches; every primitive's function takes it.

    A is what ``as_graph`` takes, with its arguments ``how``, or a Graph. ``cc(d, previous=result)``, and
    bfs, sssp and pagerank likewise, go on from an answer for an earlier state of this graph
    (docs/changing.md). UsageError for a graph that repeats edges."""

    def __init__(self, A: Any, **how: Any) -> None:
        if isinstance(A, Graph) and how:
            raise UsageError(f"{min(how)} is for making a graph, and A is one already")
        super().__init__(A if isinstance(A, Graph) else as_graph(A, **how))


def present(a: Any) -> Any:
    """A changing graph as it is now; anything else as it is."""
    return a.graph if isinstance(a, ChangingGraph) else a


def with_previous(primitive: Primitive, d: Any, previous: Any, given: Mapping[str, Any]) -> Graph:
    """The present graph with the answer ``previous``, a Result; UsageError for an answer from which the
    primitive cannot go on, and for arguments that leave nothing to go on from."""
    for name, none in (("symmetrize", False), ("devices", "auto")):
        if given.get(name, none) != none:
            raise UsageError(f"{name}={given[name]!r} does not go with previous: leave one of them out")
    if not isinstance(d, ChangingGraph):
        raise UsageError("previous is for a DynamicGraph, which knows what has changed since")
    if not isinstance(previous, Result) or previous.version is None:
        raise UsageError("previous is no answer for this graph: give a Result of an earlier call")
    record, name = previous.record, primitive.goes_on_from
    if record.primitive != primitive.name:
        raise UsageError(f"previous is an answer of {record.primitive}, not of {primitive.name}")
    refuse_given(primitive, primitive.asked(given))
    return d.after(previous.version, {name: previous.outputs[name]})


def check_source(previous: Result | None, sources: list[int]) -> None:
    """Raise UsageError if an earlier answer is for another source."""
    if previous is not None and sources and previous.record.sources[-1] != sources[0]:
        raise UsageError(f"previous starts from vertex {previous.record.sources[-1]}, not {sources[0]}")
