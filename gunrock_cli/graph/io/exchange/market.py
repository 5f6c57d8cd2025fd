"""Writing Matrix Market files that Gunrock 1.x reads too; ``readers.market`` reads them."""

from __future__ import annotations

from typing import BinaryIO

from gunrock_cli.graph.io.exchange.matrix import stored_once
from gunrock_cli.graph.model import Graph


def write(graph: Graph, file: BinaryIO) -> None:
    """Write a graph; an undirected one becomes a symmetric matrix, one entry per edge."""
    from scipy.io import mmwrite

    mmwrite(file, stored_once(graph), comment=f" {graph.name}",
            field=None if graph.weighted else "pattern",
            symmetry="symmetric" if graph.undirected else "general")
