"""Load files that are in ``tests/graph/cases``, or that a test writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from graph_helper import edges

from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.sources.files.readers.formats import kind_of_file
from gunrock_cli.graph.spec import GraphSpec

CASES = Path(__file__).parent / "graph" / "cases"
PATH = [(0, 1), (1, 2)]
"""The edges of three vertices in a row, which most of these files hold."""
MARKET = "%%MatrixMarket matrix coordinate"


def load(path: Path, kind: str | None = None, /, **how: Any) -> Graph:
    spec = GraphSpec(kind or kind_of_file(str(path)), path=str(path), **{"undirected": False, **how})
    return load_graph(spec, cache=False)


def found(graph: Graph) -> list[tuple[Any, ...]]:
    """The edges by their ends' names."""
    if graph.names is None:
        return edges(graph.csr)
    return sorted((graph.names[u], graph.names[v], *w) for u, v, *w in edges(graph.csr))


def written(folder: Path, text: str | bytes) -> Path:
    (folder / "g").write_bytes(text.encode() if isinstance(text, str) else text)
    return folder / "g"
