"""Pictures of one graph: its degrees, and where its matrix has entries (``gunrock stats``)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gunrock_cli.errors import UsageError
from gunrock_cli.files import atomic_write
from gunrock_cli.graph.model.chunks import chunks
from gunrock_cli.graph.model.graph import Graph, row_ids, to_numpy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RASTER = 256
"""Squares on a side of a sparsity plot."""


def draw_degrees(axes: Axes, graph: Graph) -> None:
    """The number of vertices of each degree, both axes logarithmic."""
    degrees, counts = np.unique(to_numpy(graph.csr.degrees()), return_counts=True)
    axes.plot(degrees, counts, ".", markersize=3)
    axes.set_xscale("symlog", linthresh=1)
    axes.set_yscale("log")
    axes.set(xlabel="degree", ylabel="vertices")


def draw_sparsity(axes: Axes, graph: Graph) -> None:
    """The adjacency matrix, darker where it has more entries, as in Merrill's Table 1."""
    axes.imshow(np.log1p(raster(graph)), cmap="Greys", extent=(0, graph.n, graph.n, 0))
    axes.set(xlabel="to vertex", ylabel="from vertex")


def raster(graph: Graph, side: int = RASTER) -> np.ndarray[Any, Any]:
    """Count the entries in each square of the adjacency matrix: int64, shape (side, side), or smaller for
    a graph of fewer vertices; sources go down."""
    xp, side = graph.xp, max(1, min(side, graph.n))
    found = np.zeros(side * side, np.int64)
    for first, count in chunks(xp, graph.m):
        rows = row_ids(graph.csr.row_offsets, first, first + count).astype(xp.int64)
        columns = graph.csr.column_indices[first : first + count].astype(xp.int64)
        squares = rows * side // graph.n * side + columns * side // graph.n
        found += to_numpy(xp.bincount(squares, minlength=side * side))
    return found.reshape(side, side)


def draw(graph: Graph, path: Path, option: str, picture: Callable[[Axes, Graph], None]) -> None:
    """Write a picture in the format of the file's suffix, PNG without one; ``option`` named the file."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(5, 3.5), layout="constrained")
    try:
        picture(axes, graph)
        axes.set_title(graph.name)
        with atomic_write(path) as file:
            figure.savefig(file, format=path.suffix.removeprefix(".") or "png")
    except ValueError as error:
        raise UsageError(f"{option} {path}: {error}") from error
    finally:
        pyplot.close(figure)
