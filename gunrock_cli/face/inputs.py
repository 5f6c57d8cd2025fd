"""The conversion of a caller's data to a graph."""

from __future__ import annotations

import os
import sys
from collections.abc import Hashable
from typing import Any

from gunrock_cli.errors import UsageError
from gunrock_cli.face.networkx_graphs import named_graph
from gunrock_cli.graph.arrays import graph_of
from gunrock_cli.graph.frames import graph_of_frame, is_frame
from gunrock_cli.graph.model.graph import Graph


def graph_from(
    a: Any,
    *,
    n: int | None = None,
    columns: tuple[Hashable, ...] | None = None,
    share: bool = False,
    **how: Any,
) -> Graph:
    """Make the graph of a matrix, arrays, a table of edges or a NetworkX graph; ``how`` and ``share`` are
    those of ``graph_of``. UsageError for anything else, and for ``n`` or ``columns`` that do not
    apply."""
    if isinstance(a, (str, os.PathLike)):
        raise UsageError(f"no graph: a name; give gunrock.load({os.fspath(a)!r})")
    of_frame = is_frame(a)
    if columns is not None and not of_frame:
        raise UsageError("columns goes with frames of edges")
    if not of_frame and not _is_networkx(a):
        return graph_of(a, n=n, share=share, **how)
    if n is not None:
        raise UsageError("n goes with arrays of ends: vertices with names are counted")
    return graph_of_frame(a, columns, **how) if of_frame else named_graph(a, **how)


def _is_networkx(a: Any) -> bool:
    networkx = sys.modules.get("networkx")  # whoever has such a graph has imported it
    return networkx is not None and isinstance(a, networkx.Graph)
