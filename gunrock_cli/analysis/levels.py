"""Distances in edges from a vertex, for statistics: by the BFS primitive, or by SciPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gunrock_cli.errors import BackendError
from gunrock_cli.graph.model import Array, Graph

Levels = Callable[[int], Array]
"""From a source to the depth of every vertex: int32, shape (n,), -1 where unreached. The array is
overwritten by the next call."""


def level_search(graph: Graph) -> Levels:
    """A search on the graph where its arrays are; compiled and allocated once.

    On the CPU without a C++ compiler SciPy does it.
    """
    from gunrock_cli.engine.backend import choose_backend

    try:
        backend = choose_backend("cpu" if graph.xp is np else "cuda")
    except BackendError:
        if graph.xp is not np:
            raise
        return scipy_levels(graph)
    return _primitive_levels(graph, backend)


def scipy_levels(graph: Graph) -> Levels:
    """The search by SciPy alone."""
    from gunrock_cli.primitives.references import reference_labels

    host = graph.to(np)
    return lambda source: reference_labels(host, source)


def _primitive_levels(graph: Graph, backend: Any) -> Levels:
    from gunrock_cli.primitives import get_primitive
    from gunrock_cli.primitives.compile import compile_primitive
    from gunrock_cli.primitives.run_options import RunOptions

    bfs = get_primitive("bfs")
    options = bfs.check_options(graph, {option.key: option.default for option in bfs.options})
    program = compile_primitive(bfs, graph, options, backend, RunOptions())
    problem = bfs.problem(graph, options)

    def levels(source: int) -> Array:
        program.run(problem, lambda: bfs.reset(problem, graph, options, source))
        return bfs.outputs(problem, graph, options)["labels"]

    return levels
