"""One call of the face: from the caller's data to an answer."""

from __future__ import annotations

import operator
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from gunrock_cli.bench.inputs.graphs import fit
from gunrock_cli.bench.inputs.sources import LARGEST_DEGREE, of_largest_degree
from gunrock_cli.bench.protocol.runner import Measured, Protocol, measure
from gunrock_cli.engine.backend import Backend, choose_backend, out_of_memory_as_error
from gunrock_cli.errors import GunrockError, UsageError, WrongAnswer
from gunrock_cli.face.dynamic import check_source, present, with_previous
from gunrock_cli.face.inputs import graph_from
from gunrock_cli.face.near import nearest
from gunrock_cli.face.options import COMMON, GRAPH_OPTIONS, MEASURING_OPTIONS
from gunrock_cli.face.result import Result
from gunrock_cli.face.tables import Layout
from gunrock_cli.graph.arrays import module_of, symmetrized
from gunrock_cli.graph.changing import ChangingGraph
from gunrock_cli.graph.model.graph import Graph, moved
from gunrock_cli.graph.model.names import vertex_named
from gunrock_cli.graph.vertex_list import by_number
from gunrock_cli.primitives.base import Primitive, SumsSources
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.option_values import with_defaults
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.run_options import RUN_OPTIONS


def solve(primitive: Primitive, a: Any, source: Any, given: Mapping[str, Any]) -> Result:
    """Run a primitive on A from ``source`` (None for those that need none), with the given options."""
    given, previous = dict(given), None
    if primitive.goes_on_from:
        previous = given.pop("previous", None)
    check_names(primitive, given, COMMON)
    options = primitive.asked(given)
    how = with_defaults(MEASURING_OPTIONS, given)
    run = with_defaults(RUN_OPTIONS, given)
    form = with_defaults(GRAPH_OPTIONS, given)
    backend = choose_backend(how["backend"], how["threads"])
    begin = time.perf_counter()
    # An answer for a symmetrized graph is one for another graph.
    version = a.version if isinstance(a, ChangingGraph) and not form["symmetrize"] else None
    a = present(a) if previous is None else with_previous(primitive, a, previous, given)
    with out_of_memory_as_error("making the graph"):
        graph = fitted_graph(primitive, a, options, form, backend, share=True)  # freed when this returns
    options = by_their_numbers(primitive, graph, options, given)
    load_ms = 1e3 * (time.perf_counter() - begin)
    protocol = Protocol(
        runs=how["runs"],
        warmup=how["warmup"],
        check="reference" if how["check"] else "none",
        max_steps=how["max_steps"],
        trace=how["trace"],
        **run,
    )
    xp = module_of(a)
    sources = sources_of(primitive, graph, options, source)
    check_source(previous, sources)
    measured = measure(
        primitive, graph, options, sources, backend, protocol, {"load": load_ms}, in_place=xp is graph.xp
    )
    _raise_failure(measured)
    outputs = {name: moved(array, xp) for name, array in measured.outputs.items()}
    return Result(outputs, Layout.of(primitive, graph, measured.options), measured.record, version)


def check_names(primitive: Primitive, given: Mapping[str, Any], common: Iterable[Option]) -> None:
    """Raise UsageError for names that are neither an option of the primitive nor a common one."""
    offered = (*primitive.options, *common)
    known, shown = [option.key for option in offered], [option.argument for option in offered]
    others = ["source"] if primitive.source is not None else []
    for name in given:
        if name not in known:
            raise UsageError(
                f"{primitive.name} has no option {name!r}: {nearest(name, [*others, *shown])}"
            )


def fitted_graph(
    primitive: Primitive,
    a: Any,
    options: Options,
    form: Mapping[str, Any],
    backend: Backend,
    share: bool = False,
) -> Graph:
    """The graph of A as the primitive reads it, where it runs; ``form`` holds the GRAPH_OPTIONS. It may
    ``share`` A's memory if A does not change while the graph is in use."""
    form = {option.key: form[option.key] for option in GRAPH_OPTIONS}
    if not isinstance(a, Graph):
        graph = graph_from(
            a,
            weighted=primitive.reads_weights(options) or primitive.needs.weights_if_any,
            reverse=primitive.reads_reverse(options),
            xp=backend.xp,
            share=share,
            **form,
        )
    elif form["n"] is not None:
        raise UsageError("n goes with arrays of ends: a graph has its own size")
    elif form["columns"] is not None:
        raise UsageError("columns goes with frames of edges: a graph has its own")
    else:
        graph = symmetrized(a.to(backend.xp)) if form["symmetrize"] else a
    return fit(graph, primitive, options, backend)


def by_their_numbers(
    primitive: Primitive, graph: Graph, options: Options, given: Mapping[str, Any]
) -> Options:
    """The options, with lists of vertices written so that numbers stay numbers even if vertices have
    names; text is as on the command line."""
    values = options.values()
    listed = [
        option.key
        for option in primitive.options
        if option.lists_vertices
        and values[option.key] is not None
        and graph.names is not None
        and not isinstance(given[option.key], str)
    ]
    return replace(options, **{key: by_number(str(values[key])) for key in listed})


def sources_of(primitive: Primitive, graph: Graph, options: Options, source: Any) -> list[int]:
    """The vertices to start from, by number: those that options name, or ``source``; none if the
    primitive has no start."""
    start = primitive.source
    if start is None or not start.is_read(options):
        return []
    if graph.n == 0:
        raise UsageError(f"{graph.name} has no vertices, so no source")
    named = start.named(graph, options)
    if len(named) > 1:
        raise UsageError(f"{primitive.name} starts from one source: call it for each")
    if named:
        return named
    if _is_largest_degree(graph, source):
        return [of_largest_degree(graph)]
    if _is_several(graph, source):
        if not isinstance(primitive, SumsSources):
            raise UsageError(f"{primitive.name} starts from one source: call it for each")
        return [vertex_of(graph, each) for each in source]
    return [vertex_of(graph, source)]


def _is_largest_degree(graph: Graph, source: Any) -> bool:
    """True for that word, unless it is the name of a vertex."""
    asked = isinstance(source, str) and source == LARGEST_DEGREE
    return asked and (graph.names is None or vertex_named(graph.names, source) is None)


def _is_several(graph: Graph, source: Any) -> bool:
    if isinstance(source, tuple) and graph.names is not None:
        return vertex_named(graph.names, source) is None  # otherwise it is a name
    return isinstance(source, (list, tuple, range)) or getattr(source, "ndim", 0) > 0


def vertex_of(graph: Graph, source: Any) -> int:
    """Return the number of a vertex given by its number, or by its name if it has one."""
    if graph.names is not None:
        named = vertex_named(graph.names, source)
        if named is None:
            raise UsageError(f"source={source!r}: no vertex of {graph.name} has that name")
        return named
    try:
        vertex = operator.index(source)
    except TypeError:
        vertex = None
    if vertex is None or isinstance(source, bool):
        raise UsageError(f"source={source!r}: give a vertex, a whole number, or {LARGEST_DEGREE!r}")
    if not 0 <= vertex < graph.n:
        raise UsageError(f"source={vertex}: {graph.name} has the vertices 0 to {graph.n - 1}")
    return vertex


def _raise_failure(measured: Measured) -> None:
    record, failure = measured.record, measured.failure
    if isinstance(failure, (GunrockError, KeyboardInterrupt)):
        raise failure
    if failure is not None:
        raise GunrockError(f"what follows the runs failed: {record.error}") from failure
    if record.status == "wrong":
        raise WrongAnswer(f"wrong answer: {record.error}")
