"""The vertices that --top shows: the highest values of an answer, or the nearest if it holds
distances."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gunrock_cli.cli.save import answers_each
from gunrock_cli.graph.model.names import names_of
from gunrock_cli.primitives.base import Primitive

if TYPE_CHECKING:
    from gunrock_cli.bench.protocol.runner import Measured


@dataclass(frozen=True)
class Top:
    """The best of one output, or of one of its columns; values have the output's own type."""

    order: str  # "highest" or "nearest"
    name: str
    column: str
    vertices: np.ndarray[Any, Any]
    values: np.ndarray[Any, Any]
    names: Any = None
    """The vertices' names (``Graph.names``)."""
    finds_vertices: bool = False
    """True if the values are vertices, too."""
    source: Any = None
    """Whose answer this is if there were several, by its name if it has one."""

    def shown(self) -> tuple[list[Any], list[Any]]:
        """Vertices and values, with vertices by name if they have one; None for no vertex."""
        return (
            names_of(self.names, self.vertices),
            names_of(self.names if self.finds_vertices else None, self.values),
        )

    @property
    def title(self) -> str:
        start = "" if self.source is None else f" from vertex {self.source}"
        return f"{self.order} {self.name}{start}" + (f", {self.column}" if self.column else "")

    def to_dict(self) -> dict[str, Any]:
        """For JSON, which has no infinity."""
        vertices, values = self.shown()
        values = [
            None if isinstance(value, float) and not math.isfinite(value) else value for value in values
        ]
        column = {"column": self.column} if self.column else {}
        source = {} if self.source is None else {"source": self.source}
        return {
            "order": self.order,
            "output": self.name,
            **source,
            **column,
            "vertices": vertices,
            "values": values,
        }


def tops(measured: Measured, primitive: Primitive, count: int) -> list[Top]:
    """The tops of the first output, or of each of its columns, or of each output in
    ``primitive.shows.columns``; with several sources, for the last one."""
    order = "nearest" if primitive.shows.nearest_first else "highest"
    source = _last_of_several(measured, primitive)
    found = []
    for name, column, values in _answers(measured, primitive):
        best = (_nearest if primitive.shows.nearest_first else _highest)(values, count)
        found.append(
            Top(
                order,
                name,
                column,
                best,
                values[best],
                measured.names,
                name in primitive.shows.vertices,
                source,
            )
        )
    return found


def _last_of_several(measured: Measured, primitive: Primitive) -> Any:
    """None if there was one source, or if the answers of all were added up."""
    sources = measured.record.sources
    if not answers_each(primitive, sources):
        return None
    return names_of(measured.names, np.array(sources[-1:]))[0]


def _answers(measured: Measured, primitive: Primitive) -> Iterator[tuple[str, str, Any]]:
    for each in primitive.shows.columns:
        yield each, "", measured.outputs[each]
    if primitive.shows.columns or not measured.outputs:
        return
    name, values = next(iter(measured.outputs.items()))
    if values.ndim == 1:
        yield name, "", values
        return
    for column, of_column in zip(measured.column_names, values.T, strict=True):
        yield name, column, of_column


def _highest(values: Any, count: int) -> Any:
    return np.argsort(-values.astype(np.float64), kind="stable")[:count]


def _nearest(values: Any, count: int) -> Any:
    reached = np.flatnonzero((values >= 0) & np.isfinite(values))
    return reached[np.argsort(values[reached], kind="stable")[:count]]
