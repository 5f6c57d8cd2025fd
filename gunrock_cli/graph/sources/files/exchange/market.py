"""Writing Matrix Market files that Gunrock 1.x reads too; ``readers.market`` reads them."""

from __future__ import annotations

from typing import BinaryIO, Literal

from gunrock_cli.errors import printable
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.sources.files.exchange.matrix import stored_once

_FIELDS = {None: "pattern", "i": "integer", "f": "real"}


def write(graph: Graph, file: BinaryIO) -> None:
    """Write a graph; an undirected one becomes a symmetric matrix, one entry per edge."""
    from scipy.io import mmwrite

    symmetry: Literal["symmetric", "general"] = "symmetric" if graph.undirected else "general"
    if graph.m == 0:  # SciPy writes any matrix without entries as a real one
        field = _FIELDS[None if graph.csr.values is None else graph.csr.values.dtype.kind]
        file.write(
            f"%%MatrixMarket matrix coordinate {field} {symmetry}\n% {printable(graph.name)}\n"
            f"{graph.n} {graph.n} 0\n".encode()
        )
        return
    mmwrite(
        file,
        stored_once(graph),
        comment=f" {graph.name}",
        field=None if graph.weighted else "pattern",
        symmetry=symmetry,
    )
