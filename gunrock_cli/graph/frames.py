"""Tables of edges whose rows name their ends: pandas' frames, and anything that supports Arrow.

A vertex is any value that can be a key, including numbers: the vertices are the names that occur, in the
order of their first row, sources before targets. ``Graph.names`` keeps them.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.arrays import graph_of
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.names import edge_columns, numbered
from gunrock_cli.installation import install_extra

if TYPE_CHECKING:
    import pandas as pd


def is_frame(a: Any) -> bool:
    """True if this is a pandas.DataFrame or has Arrow's interface for tables."""
    pandas = sys.modules.get("pandas")  # a program with a frame has imported it
    if pandas is not None and isinstance(a, (pandas.DataFrame, pandas.Series, pandas.Index)):
        return isinstance(a, pandas.DataFrame)
    return hasattr(a, "__arrow_c_stream__") or hasattr(a, "__arrow_c_array__")


def graph_of_frame(
    frame: Any,
    columns: tuple[Hashable, ...] | None = None,
    *,
    weighted: bool = True,
    name: str | None = None,
    **how: Any,
) -> Graph:
    """The graph of a table of edges; ``columns`` names the sources, the targets and, as an optional
    third, the weights. The other arguments are as for ``graph_of``'s arrays."""
    source, target, *weight = _chosen(frame, columns)
    ends, names = numbered(source, target)
    arrays = (*ends, *(_numbers(each) for each in weight if weighted))
    graph = graph_of(arrays, n=len(names), weighted=weighted, name=name, **how)
    chosen = [str(each.name) for each in (source, target, *weight)]
    origin = {**graph.origin, "kind": "frame", "columns": chosen}
    return replace(graph, names=names, origin=origin)


def _chosen(frame: Any, columns: tuple[Hashable, ...] | None) -> list[pd.Series[Any]]:
    names, column = _table(frame)
    return [column(each) for each in edge_columns(names, columns, "the frame", "columns=")]


def _table(frame: Any) -> tuple[list[Hashable], Any]:
    """The columns' names, and a function that returns a column as pandas data."""
    import pandas as pd

    if isinstance(frame, pd.DataFrame):
        return list(frame.columns), frame.__getitem__
    try:
        import pyarrow
    except ImportError:
        raise UsageError(f"tables by Arrow need pyarrow ({install_extra('parquet')})") from None
    try:
        table = pyarrow.table(frame)
    except MemoryError:
        raise
    except Exception as error:  # Arrow's, or the table's own
        raise InputError(f"no table of edges: {' '.join(str(error).split())}") from None
    return table.column_names, lambda name: table.column(name).to_pandas().rename(name)


def _numbers(weights: pd.Series[Any]) -> Any:
    kind = getattr(weights.dtype, "numpy_dtype", None)  # for types that allow missing values
    return weights.to_numpy() if kind is None or weights.isna().any() else weights.to_numpy(kind)
