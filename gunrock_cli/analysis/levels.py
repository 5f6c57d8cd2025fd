"""Distances in edges from a vertex, for statistics: by the BFS primitive, or by SciPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from gunrock_cli.errors import BackendError
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.graph.parts.parted import GraphInParts

Levels = Callable[[int], Array]
"""A function from a source to the depth of every vertex: int32, shape (n,), -1 where unreached. The next
call overwrites the array."""


def level_search(graph: Graph) -> Levels:
    """A search on the graph in the memory of its arrays; compiled and allocated once.

    On the CPU without a C++ compiler SciPy does it.
    """
    from gunrock_cli.engine.backend import choose_backend

    if isinstance(graph, GraphInParts):
        search = cache(lambda: runs_in_parts("bfs", graph))  # takes memory, so only on request
        return lambda source: search()(source)["labels"]
    try:
        backend = choose_backend("cpu" if graph.xp is np else "cuda")
    except BackendError:
        if graph.xp is not np:
            raise
        return scipy_levels(graph)
    return _primitive_levels(graph, backend)


def runs_in_parts(name: str, graph: GraphInParts) -> Callable[[int], dict[str, Array]]:
    """A function from a source to a primitive's outputs on the devices that hold a graph; compiled and
    allocated once."""
    from gunrock_cli.primitives import get_primitive
    from gunrock_cli.primitives.execution import PartedExecution
    from gunrock_cli.primitives.run_options import RunOptions

    primitive, devices = get_primitive(name), graph.places
    execution = PartedExecution(
        primitive, graph, primitive.asked({}), devices.backend, RunOptions(), devices.numbers
    )
    program, problem = execution.program(), execution.problem()

    def found(source: int) -> dict[str, Array]:
        execution.run(program, problem, source)
        return execution.outputs(problem)

    return found


def scipy_levels(graph: Graph) -> Levels:
    """The search by SciPy alone."""
    from gunrock_cli.primitives.references import reference_labels

    host = graph.to(np)
    return lambda source: reference_labels(host, source)


def _primitive_levels(graph: Graph, backend: Any) -> Levels:
    from gunrock_cli.primitives import get_primitive
    from gunrock_cli.primitives.compile import compile_run
    from gunrock_cli.primitives.run_options import RunOptions

    bfs = get_primitive("bfs")
    search = bfs.plan(graph, bfs.asked({}))
    program = compile_run(bfs, search, backend, RunOptions())
    problem = search.allocate()

    def levels(source: int) -> Array:
        program.run(problem, lambda: search.reset(problem, source))
        return search.outputs(problem)["labels"]

    return levels
