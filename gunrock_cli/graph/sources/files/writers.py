"""Write graphs to files, in any format of ``formats.FORMATS``."""

from __future__ import annotations

import gzip
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.files import atomic_write_all, is_stream
from gunrock_cli.graph.model.graph import Csr, Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.rows.build import in_edges
from gunrock_cli.graph.sources.files.names_file import names_file, put_names
from gunrock_cli.graph.sources.files.readers.formats import FORMATS, Format, format_to_write

_log = logging.getLogger("gunrock")


def write_graph(
    graph: Graph, path: str | Path, format_name: str | None = None, *, names: bool = False
) -> list[Path]:
    """Write a graph (host or device) in a format of ``FORMATS``, by default the one that the file's name
    implies, and return the files written: either all of them appear complete, or none does.

    ``path`` is the name to give to a program that reads the format. An undirected graph is written as the
    format requires: each edge once in lists of edges, in both rows in formats of rows. ``names``: with
    the map of its vertices' names, if they have any (``names_file``). UsageError for a format that cannot
    be written; InputError for a graph that does not fit the format, and for a full disk and the like.
    """
    path = str(path)
    name = format_to_write(path, format_name)
    form = FORMATS[name]
    if graph.vertex_weights is not None and name != "binary":
        _log.warning("gunrock: %s: %s has no place for vertex weights, which are left out", path, name)
    called: Any = graph.names if names else None
    graph = prepared(graph, name, path)
    paths = files_of(form, path, graph.weighted)
    maps = [] if called is None else _map_of(paths[0])
    with (
        atomic_write_all([*paths, *maps]) as files,
        _packed(files[: len(paths)], path.endswith(".gz")) as outs,
    ):
        form.write(graph, *outs)
        for file in files[len(paths) :]:
            put_names(file, called)
    return [*paths, *maps]


def _map_of(path: Path) -> list[Path]:
    """The file for the names, none for a device or a pipe, which a message says."""
    if not is_stream(path):
        return [names_file(path)]
    _log.warning("gunrock: %s: no place beside it for the vertices' names, which are left out", path)
    return []


def files_of(form: Format, path: str, weighted: bool) -> list[Path]:
    """The paths of a graph's files; if there are several, the path may name the first."""
    base = path.removesuffix(form.files[0])
    return [Path(base + ending) for ending in form.files + (form.weight_files if weighted else ())]


def check_fits(n: int, m: int, form: Format, name: str, path: str) -> None:
    """Raise InputError if a format cannot count that many vertices or directed edges, or knows vertices
    only by their edges and there are none."""
    if n < form.fewest_vertices:
        raise InputError(
            f"{name} has at least {form.fewest_vertices} vertices, and this graph has {n}", path=path
        )
    if form.loses_last and m == 0:
        raise InputError(
            f"{name} is a list of edges, and this graph has none; .mtx keeps its vertices", path=path
        )
    if form.most_edges is not None and m > form.most_edges:
        raise InputError(
            f"{name} has at most {form.most_edges} directed edges, and this graph has {m}", path=path
        )


def prepared(graph: Graph, name: str, path: str) -> Graph:
    """The graph on the host as a format needs it: its weights dropped, made whole or added, with in-edges
    if they are needed. InputError for a graph that the format cannot hold."""
    form = FORMATS[name]
    check_fits(graph.n, graph.m, form, name, path)
    if form.weights == "none":
        graph = with_weights(graph, "none")
    elif not graph.weighted and form.weights == "needed":
        raise InputError(
            f"{name} has weights, and this graph has none; choose some with "
            "--weights (random draws the papers' 1 to 64)",
            path=path,
        )
    elif not graph.weighted and form.weights == "ones":
        graph = with_weights(graph, "unit", "float32")
    graph = graph.to(np)
    if form.numbers != "any" and graph.csr.values is not None:
        _check_numbers(graph.csr, form.numbers, name, path)
        graph = with_weights(graph, None, form.numbers)
    if form.both_sides and graph.reverse is None:
        graph = replace(graph, reverse=in_edges(graph.csr))
    if form.loses_last:
        _tell_what_is_lost(graph, path)
    return graph


def _check_numbers(csr: Csr, numbers: str, name: str, path: str) -> None:
    """Raise InputError if a weight is not one of the format's numbers."""
    values: Any = csr.values
    if str(values.dtype) == numbers:
        return
    if numbers == "int32":
        unfit, what = (values != np.floor(values)) | (np.abs(values) >= 2.0**31), "integers of 32 bits"
    else:
        unfit, what = values.astype(np.float32).astype(np.int64) != values, "floats of 32 bits"
    if unfit.any():
        edge = int(unfit.argmax())
        row = int(np.searchsorted(csr.row_offsets, edge, "right")) - 1
        raise InputError(
            f"{name} has {what} as weights, and the edge from {row} to "
            f"{csr.column_indices[edge]} weighs {values[edge]}; choose others with "
            "--weights",
            path=path,
        )


def _tell_what_is_lost(graph: Graph, path: str) -> None:
    ends = [int(graph.csr.column_indices.max()) + 1] if graph.m else [0]
    ends.append(int(np.searchsorted(graph.csr.row_offsets, graph.m, "left")))
    if max(ends) < graph.n:
        _log.warning(
            "gunrock: %s: the last %d vertices have no edges, so a list of edges does not know of them",
            path,
            graph.n - max(ends),
        )


@contextmanager
def _packed(files: list[BinaryIO], packed: bool) -> Iterator[list[BinaryIO]]:
    if not packed:
        yield files
        return
    with gzip.GzipFile(fileobj=files[0], mode="wb", mtime=0, compresslevel=6) as out:
        yield [cast(BinaryIO, out)]
