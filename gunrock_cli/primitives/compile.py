"""From a primitive and its options to a program on a backend."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from gunrock_cli.engine.backend import Backend
from gunrock_cli.engine.program import Program, QueueRoom
from gunrock_cli.engine.relay import RELAY, Relay
from gunrock_cli.errors import GunrockError, UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.base import Option, Options, Primitive
from gunrock_cli.primitives.parts.base import InParts
from gunrock_cli.primitives.run_options import RUN_OPTIONS, RunOptions


def compile_run(
    primitive: Primitive,
    graph: Graph,
    options: Options,
    backend: Backend,
    run: RunOptions,
    count: bool = False,
) -> Program | Relay:
    """As ``compile_primitive``, or the two kernels that share a run with these options."""
    others = primitive.others_options(graph, options)
    if others is None:
        return compile_primitive(primitive, graph, options, backend, run, count)

    def make_other(problem: dict[str, Any]) -> tuple[Program, dict[str, Any]]:
        own = primitive.problem(graph, others)
        return (
            compile_primitive(primitive, graph, others, backend, run, count, relays=True),
            own
            | {
                name: problem[name]
                for name, value in own.items()
                if name in problem and (value is None or getattr(value, "ndim", 0) > 0)
            },
        )

    first = compile_primitive(primitive, graph, options, backend, run, count, relays=True)
    return Relay(first, make_other)


def compile_primitive(
    primitive: Primitive,
    graph: Graph,
    options: Options,
    backend: Backend,
    run: RunOptions,
    count: bool = False,
    relays: bool = False,
) -> Program:
    """The primitive's kernel for this graph, these (resolved) options and this backend; ``count``: with
    code that counts the edges it inspects; ``relays``: with code that may leave a run to another."""
    check_graph(primitive, graph)
    if not primitive.reads_reverse(options):
        graph = graph.without_reverse()
    elif graph.reverse is None:
        raise GunrockError(f"{primitive.name} reads in-edges, and {graph.name} was loaded without")
    constants = primitive.constants(graph, options)
    program = backend.program(
        primitive.kernel_file(graph, options),
        graph,
        macros(primitive, graph, options, run, relays),
        room_of(primitive, graph, options, run),
        replace(run.settings, count=count),
        primitive.launch(graph, options),
        constants,
    )
    program.contract.check_constants(constants, primitive.name)
    return program


def in_parts_of(primitive: Primitive, run: RunOptions) -> InParts:
    """How the primitive runs on several devices; UsageError where it does not."""
    if primitive.in_parts is None:
        raise UsageError(f"--devices {run.devices}: {primitive.name} runs on one device only")
    return primitive.in_parts


def check_graph(primitive: Primitive, graph: Graph) -> None:
    """UsageError for a kind of graph that the primitive's question does not apply to."""
    if primitive.needs_undirected and not graph.undirected:
        raise UsageError(
            f"{primitive.name} is for undirected graphs, and {graph.name} was loaded as a "
            "directed one; leave out --directed (from Python: symmetrize=True)"
        )
    if primitive.needs_vertex_weights and graph.vertex_weights is None:
        raise UsageError(
            f"{primitive.name} needs vertex weights, and {graph.name} has none: METIS files "
            "can have them (--metis)"
        )


def room_of(primitive: Primitive, graph: Graph, options: Options, run: RunOptions) -> QueueRoom:
    """The queues' first capacities: shares of what they could hold, by --queue-sizing or the primitive's
    own guess."""
    queues = primitive.queues(graph, options)
    if run.queue_sizing is None or primitive.queue_factor == 0:
        even, odd = (int(most * primitive.queue_factor) + 1024 for most in queues.most)
    else:
        even, odd = (max(1, math.ceil(most * run.queue_sizing)) for most in queues.most)
    return QueueRoom(even, odd, queues.lists)


def macros(
    primitive: Primitive, graph: Graph, options: Options, run: RunOptions, relays: bool = False
) -> dict[str, str | int]:
    """Everything that is decided at compile time, by macro name: for the run, for the primitive's
    options, and what the primitive derives from them; ``relays``: whether it shares its runs."""
    return {
        **_of(RUN_OPTIONS, run.values()),
        **_of(primitive.options, options),
        "GR_QUEUES_DIFFER": int(len(set(primitive.queues(graph, options).most)) > 1),
        **({RELAY: 1} if relays else {}),
        **primitive.defines(graph, options),
    }


def _of(declared: Iterable[Option], values: Mapping[str, Any]) -> dict[str, str | int]:
    found: dict[str, str | int] = {}
    for option in declared:
        if option.define is not None:
            value = values[option.key]
            if option.choices:
                index = option.choices.index(value)
                found[option.define] = option.constants[index] if option.constants else index
            else:
                found[option.define] = int(value)
    return found
