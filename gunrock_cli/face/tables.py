"""Outputs as a table, with the user's names for the vertices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gunrock_cli.graph.model.graph import Array, Graph, to_numpy
from gunrock_cli.graph.model.names import named
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.shown import Listed, entries

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Layout:
    """The properties of outputs that a table needs: the number of vertices, their names, the outputs that
    are vertices themselves, and a list's columns (``Primitive.rows``)."""

    n: int
    names: pd.Index[Any] | None = None
    vertex_outputs: tuple[str, ...] = ()
    rows: Mapping[str, str] = field(default_factory=dict)
    headings: tuple[str, ...] = ()  # of an output's columns, if it has several values per vertex
    first_only: bool = False  # the other outputs are lists, even those of length n
    places: Mapping[str, str] = field(default_factory=dict)  # ``Shown.places``

    @classmethod
    def of(cls, primitive: Primitive, graph: Graph, options: Options) -> Layout:
        """The layout of a primitive's outputs, with its resolved options."""
        return cls(
            graph.n,
            graph.names,
            tuple(primitive.shows.vertices),
            dict(primitive.shows.row_columns(options)),
            tuple(primitive.shows.column_names(options)),
            isinstance(primitive.shows, Listed),
            dict(primitive.shows.places),
        )


def frame_of(outputs: Mapping[str, Array], layout: Layout, most: int | None = None) -> pd.DataFrame:
    """A frame of all rows, or of the first ``most``."""
    import pandas as pd

    columns = dict(_columns(outputs, layout, slice(most)))
    if layout.rows:
        return pd.DataFrame(columns)
    names = pd.RangeIndex(layout.n, name="vertex") if layout.names is None else layout.names
    return pd.DataFrame(columns, index=names[:most])


def _columns(outputs: Mapping[str, Array], layout: Layout, part: slice) -> Iterator[tuple[str, Any]]:
    each = list(outputs)[:1] if layout.first_only else outputs
    wanted = layout.rows or {name: name for name in each if len(outputs[name]) == layout.n}
    for column, name in wanted.items():
        of, found = entries(name, outputs, layout.places)
        values = to_numpy(found[part])
        names = layout.names if of in layout.vertex_outputs else None
        if values.ndim > 1:
            headings = layout.headings or range(values.shape[1])
            several = {
                f"{column}, {heading}": part for heading, part in zip(headings, values.T, strict=True)
            }
        else:
            several = {column: values}
        for title, each in several.items():
            yield title, each if names is None else named(names, each)
