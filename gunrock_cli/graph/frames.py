"""Edges as a table whose rows name their ends: pandas' frames, and all that speaks Arrow.

A vertex is any value that can be a key, numbers too: the vertices are the names that occur, in the order
of their first row, sources before targets. ``Graph.names`` keeps them.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.arrays import graph_of
from gunrock_cli.graph.model import Graph
from gunrock_cli.installation import install_extra

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("source", "target", "weight")
"""Where no others are named; the last may be missing."""
_lookup = threading.Lock()


def is_frame(a: Any) -> bool:
    """Whether this is a pandas.DataFrame or has Arrow's interface for tables."""
    pandas = sys.modules.get("pandas")  # whoever has a frame has imported it
    if pandas is not None and isinstance(a, (pandas.DataFrame, pandas.Series, pandas.Index)):
        return isinstance(a, pandas.DataFrame)
    return hasattr(a, "__arrow_c_stream__") or hasattr(a, "__arrow_c_array__")


def graph_of_frame(frame: Any, columns: tuple[Hashable, ...] | None = None, *, weighted: bool = True,
                   name: str | None = None, **how: Any) -> Graph:
    """The graph of a table of edges; ``columns`` names those of the sources, of the targets and, a third,
    of the weights. The rest is as for the arrays of ``graph_of``."""
    source, target, *weight = _chosen(frame, columns)
    ends, names = _numbered(source, target)
    arrays = (*ends, *(_numbers(each) for each in weight if weighted))
    graph = graph_of(arrays, n=len(names), weighted=weighted, name=name, **how)
    chosen = [str(each.name) for each in (source, target, *weight)]
    origin = {**graph.origin, "kind": "frame", "columns": chosen}
    return replace(graph, names=names, origin=origin)


def index_of(names: Iterable[Hashable]) -> pd.Index[Any]:
    """Names by their vertices' numbers; a tuple is one name."""
    import pandas as pd

    return pd.Index(list(names), dtype=object, tupleize_cols=False, name="vertex").infer_objects()


def vertex_named(names: pd.Index[Any], name: Hashable) -> int | None:
    """The number of the vertex of a name; None where there is none."""
    import pandas as pd

    with _lookup:  # the first look-up makes a table, and says that it is there before it is
        try:
            found = names.get_loc(name)
        except (LookupError, TypeError, ValueError, pd.errors.InvalidIndexError):
            return None
    return int(found) if isinstance(found, (int, np.integer)) else None  # days of a month named are many


def _chosen(frame: Any, columns: tuple[Hashable, ...] | None) -> list[pd.Series[Any]]:
    names, column = _table(frame)
    if columns is None:
        columns = COLUMNS if COLUMNS[2] in names else COLUMNS[:2]
    if len(columns) not in (2, 3):
        raise UsageError(f"columns={columns!r}: name the source's, the target's, and where there are "
                         "weights the weight's")
    for each in columns:
        if names.count(each) != 1:
            have = ", ".join(map(repr, names[:20])) or "none"
            raise UsageError(f"the frame has {names.count(each)} columns {each!r}: there are {have}; "
                             "name those of source, target and weight with columns=")
    return [column(each) for each in columns]


def _table(frame: Any) -> tuple[list[Hashable], Any]:
    """Names of the columns, and how to get one as pandas' kind."""
    import pandas as pd

    if isinstance(frame, pd.DataFrame):
        return list(frame.columns), frame.__getitem__
    try:
        import pyarrow
    except ImportError:
        raise UsageError(f"tables by Arrow need pyarrow ({install_extra('parquet')})") from None
    try:
        table = pyarrow.table(frame)
    except (pyarrow.ArrowException, TypeError, ValueError) as error:
        raise InputError(f"no table of edges: {' '.join(str(error).split())}") from None
    return table.column_names, lambda name: table.column(name).to_pandas().rename(name)


def _numbered(source: pd.Series[Any], target: pd.Series[Any]) -> tuple[tuple[Any, Any], pd.Index[Any]]:
    """The ends as numbers from 0, and the names in that order."""
    import pandas as pd

    if source.dtype != target.dtype:  # numbers of two types would meet as floating-point ones
        source, target = source.astype(object), target.astype(object)
    try:
        numbers, names = pd.factorize(pd.concat([source, target], ignore_index=True))
    except TypeError:
        raise InputError("vertices of a frame must be hashable: numbers, strings, tuples") from None
    if len(numbers) and numbers.min() < 0:
        row = int(np.flatnonzero(numbers < 0)[0])
        end = source if row < len(source) else target
        raise InputError(f"row {row % len(source)} of the frame has no {end.name!r}")
    ends = numbers[: len(source)], numbers[len(source):]
    if names.dtype == object:
        return ends, index_of(names)
    return ends, pd.Index(names, name="vertex")


def _numbers(weights: pd.Series[Any]) -> Any:
    kind = getattr(weights.dtype, "numpy_dtype", None)  # of types that know of missing values
    return weights.to_numpy() if kind is None or weights.isna().any() else weights.to_numpy(kind)
