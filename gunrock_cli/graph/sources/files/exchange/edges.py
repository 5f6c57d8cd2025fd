"""Edge lists as GAP reads them (.el, .wel): two vertices, counted from 0, and a weight if there are
weights; each undirected edge once; nothing else, as GAP accepts no comments.

Layout: sbeamer/gapbs b5e3e19, src/reader.h. ``readers.edge_list`` reads them.
"""

from __future__ import annotations

from typing import BinaryIO

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.sources.files.exchange.matrix import stored_once


def write(graph: Graph, file: BinaryIO) -> None:
    """Write a graph, with its weights if it has any."""
    import pandas as pd

    matrix = stored_once(graph)
    columns = {"u": matrix.row, "v": matrix.col}
    if graph.weighted:
        columns["w"] = matrix.data
    pd.DataFrame(columns).to_csv(file, sep="\t", header=False, index=False, lineterminator="\n")
