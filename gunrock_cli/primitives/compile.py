"""Compiling a variant to a program on a backend."""

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
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.run_options import RUN_OPTIONS, RunOptions
from gunrock_cli.primitives.variant import Problem, Queues, Variant

_SPARE = 1024
"""Items that queues have room for besides their maximum."""


def compile_run(
    primitive: Primitive, variant: Variant[Any], backend: Backend, run: RunOptions, count: bool = False
) -> Program | Relay:
    """Compile a variant's kernel (``compile_variant``), or the two kernels that share a run."""
    other = variant.successor
    if other is None:
        return compile_variant(primitive, variant, backend, run, count)

    def make_other(problem: Problem) -> tuple[Program, Problem]:
        program = compile_variant(primitive, other, backend, run, count, relays=True)
        return program, other.allocate(problem)

    return Relay(compile_variant(primitive, variant, backend, run, count, relays=True), make_other)


def compile_variant(
    primitive: Primitive,
    variant: Variant[Any],
    backend: Backend,
    run: RunOptions,
    count: bool = False,
    relays: bool = False,
) -> Program:
    """Compile a variant's kernel for its graph and this backend; ``count``: with code that counts the
    edges it inspects; ``relays``: with code that may leave a run to another kernel."""
    graph, constants = variant.graph, variant.constants
    check_graph(primitive, graph)
    if not (primitive.reads_reverse(variant.options) or variant.goes_on):
        graph = graph.without_reverse()
    elif graph.reverse is None:
        raise GunrockError(f"{primitive.name} reads in-edges, and {graph.name} was loaded without")
    program = backend.program(
        variant.kernel_file,
        graph,
        macros(primitive, variant, run, relays),
        room_of(primitive, variant.queues, run),
        replace(run.settings, count=count),
        variant.launch,
        constants,
    )
    program.contract.check_constants(constants, primitive.name)
    return program


def compile_primitive(
    primitive: Primitive, graph: Graph, given: Mapping[str, Any], backend: Backend, run: RunOptions
) -> Program:
    """Compile one kernel for a graph, options by key (defaults for the rest) and a backend."""
    variant = primitive.plan(graph, primitive.asked(given))
    return compile_variant(primitive, variant, backend, run)


def check_graph(primitive: Primitive, graph: Graph) -> None:
    """Raise UsageError for a kind of graph to which the primitive's question does not apply."""
    if primitive.needs.undirected and not graph.undirected:
        raise UsageError(
            f"{primitive.name} is for undirected graphs, and {graph.name} was loaded as a "
            "directed one; leave out --directed"
        )
    if primitive.needs.vertex_weights and graph.vertex_weights is None:
        raise UsageError(
            f"{primitive.name} needs vertex weights, and {graph.name} has none: METIS files "
            "can have them (--metis)"
        )


def room_of(primitive: Primitive, queues: Queues, run: RunOptions) -> QueueRoom:
    """The queues' first capacities: their maximum, or the share of it that --queue-sizing says."""
    if not primitive.frontier.queued:
        even, odd = _SPARE, _SPARE
    elif run.queue_sizing is None:
        even, odd = (most + _SPARE for most in queues.most)
    else:
        even, odd = (max(1, math.ceil(most * run.queue_sizing)) for most in queues.most)
    return QueueRoom(even, odd, queues.lists)


def macros(
    primitive: Primitive, variant: Variant[Any], run: RunOptions, relays: bool = False
) -> dict[str, str | int]:
    """All macros by name: for the run, for the primitive's options, and those that the variant derives
    from them. ``relays`` is True if it shares its runs."""
    return {
        **_of(RUN_OPTIONS, run.values()),
        **_of(primitive.options, variant.options.values()),
        "GR_QUEUES_DIFFER": int(len(set(variant.queues.most)) > 1),
        **({RELAY: 1} if relays else {}),
        **variant.defines,
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
