"""Graphs that are made once and used for many runs."""

from __future__ import annotations

import os
from collections.abc import Hashable, Sequence
from typing import Any

from gunrock_cli.engine.backend import out_of_memory_as_error
from gunrock_cli.errors import UsageError
from gunrock_cli.face.arguments import declared, in_pythons_words
from gunrock_cli.face.inputs import graph_from
from gunrock_cli.face.near import nearest
from gunrock_cli.face.options import LOADING, MAKING, ROWS, of_param
from gunrock_cli.graph.arrays import graph_of_csr
from gunrock_cli.graph.device import graph_array_module
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.sources.files.readers.text import forget_pipe
from gunrock_cli.graph.sources.generate.parameters import GENERATORS
from gunrock_cli.graph.spec import spec_from_name
from gunrock_cli.primitives.option_values import checked

_OF_GENERATORS = {param.key for generator in GENERATORS.values() for param in generator.params}


@declared(*LOADING)
def load(
    name: str | os.PathLike[str],
    *,
    undirected: bool = True,
    keep_self_loops: bool = False,
    keep_duplicates: bool = False,
    weights: str | None = None,
    weight_type: str | None = None,
    weight_seed: int = 0,
    format: str | None = None,
    columns: Sequence[str] | None = None,
    named: bool = False,
    vertex_names: str | os.PathLike[str] | None = None,
    seed: int = 0,
    cache: bool = True,
    backend: str = "auto",
    **parameters: Any,
) -> Graph:
    """Load the graph of a file, of a generator with its ``parameters`` (``load("rmat", scale=16)``) or of
    a data set, cleaned as on the command line (docs/graphs.md): undirected, without self loops and
    repeated edges, unless asked otherwise, whereas ``as_graph`` and the functions keep them.

    ``weights`` is "none", "unit", "random" or "random:LOW:HIGH"; by default the file's. They are int32 or
    float32. Without weights every edge weighs 1; the command line draws weights from 1 to 64 for
    primitives that need them, as "random" does here. ``format`` is a file's, such as "edge-list", if its
    name does not tell. ``columns`` are those of a table, ``named`` says that a list of edges has names
    for vertices, ``vertex_names`` is a file of names, one per line. Arrays and outputs are in the memory
    of ``backend``: on the GPU if there is one. Raises one-line errors.GunrockError."""
    if not isinstance(name, (str, os.PathLike)):
        raise UsageError(
            f"no graph to load: a {type(name).__name__}; give the name of a file, of a "
            "generator or of a data set"
        )
    for other in parameters:
        if other not in _OF_GENERATORS:
            there = nearest(other, [option.key for option in LOADING])
            raise UsageError(f"load has no option {other!r}: {there}, and a generator's parameters")
    known = [of_param(param) for param in GENERATORS[name].params] if name in GENERATORS else []
    fitting = {
        option.key: checked(option, parameters[option.key])
        for option in known
        if option.key in parameters
    }
    path, names = os.fspath(name), None if vertex_names is None else os.fspath(vertex_names)
    try:
        with in_pythons_words(known, parameters):
            spec = spec_from_name(
                path,
                {**parameters, **fitting},
                seed,
                format,
                undirected=undirected,
                keep_self_loops=keep_self_loops,
                keep_duplicates=keep_duplicates,
                weights=weights,
                weight_type=weight_type,
                weight_seed=weight_seed,
                columns=None if columns is None else tuple(columns),
                named=named,
                vertex_names=names,
            )
        return load_graph(spec, graph_array_module(backend), cache)
    finally:
        for each in filter(None, (path, names)):
            forget_pipe(each)


@declared(*MAKING)
def as_graph(
    A: Any,
    *,
    n: int | None = None,
    columns: tuple[Hashable, ...] | None = None,
    symmetrize: bool = False,
    keep_self_loops: bool = True,
    keep_duplicates: bool = False,
    weighted: bool = True,
    name: str | None = None,
    backend: str = "auto",
) -> Graph:
    """Make a graph for many runs from a sparse matrix, from arrays ``(source, target)`` or ``(source,
    target, weight)`` of one entry per edge, from a frame of edges (pandas or Arrow; ``columns`` are the
    names of those three) or from NetworkX.

    Its weights are A's values as int32 or float32, unless ``weighted`` is False. ``n`` is the number of
    vertices of arrays, by default 1 + the largest end. ``symmetrize`` adds the reverse of every edge.
    ``keep_duplicates`` keeps edges that arrays repeat; otherwise the lightest is kept. The graph shares
    no memory with A, and is in the memory of ``backend``. Raises one-line errors.GunrockError."""
    with out_of_memory_as_error("making the graph"):
        return graph_from(
            A,
            n=n,
            columns=columns,
            symmetrize=symmetrize,
            keep_self_loops=keep_self_loops,
            keep_duplicates=keep_duplicates,
            weighted=weighted,
            name=name,
            xp=graph_array_module(backend),
        )


@declared(*ROWS)
def from_csr(
    row_offsets: Any,
    column_indices: Any,
    values: Any = None,
    *,
    name: str | None = None,
    backend: str = "auto",
) -> Graph:
    """Make the graph whose edges from v lead to ``column_indices[row_offsets[v]:row_offsets[v + 1]]``,
    with their weights in ``values``.

    The shapes are (n + 1,), (m,) and (m,), all of integers except ``values``. If rows ascend strictly,
    int32 offsets and indices in the memory of ``backend`` are used in place: they must not change while
    the graph is in use. Of equal edges the lightest is kept. Raises one-line errors.GunrockError."""
    with out_of_memory_as_error("making the graph"):
        return graph_of_csr(
            row_offsets, column_indices, values, name=name, xp=graph_array_module(backend)
        )
