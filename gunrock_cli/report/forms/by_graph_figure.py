"""A picture of a table by graph: a place for each row, a mark for each column that is in no group."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gunrock_cli.report.forms.cells import Row, Table
from gunrock_cli.report.forms.plot import MARKERS, Figure, bare, clipped, colour, tip

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

MEAN = "harmonic mean"
"""Rows that begin with this hold means of the others; they go into the legend."""
LEGEND_COLUMNS = 3
MOST_NAMED = 16
"""Letters of a graph's name below its place."""


def by_graph_figure(points: Table, axis: str, scale: str = "log") -> Figure:
    """The figure of a table whose rows are (graph, system); none if there are no rows."""
    if not points.rows:
        return Figure(points, None)
    return Figure(points, drawer(points, axis, scale), (8.5, 4.2))


def drawer(points: Table, axis: str, scale: str) -> Callable[[Canvas], None]:
    """Draws rows from left to right in the table's order; a column's means go into the legend."""

    def draw(canvas: Canvas) -> None:
        axes = canvas.subplots()
        bare(axes)
        axes.set_yscale(scale)
        axes.set_ylabel(axis)
        rows = [row for row in points.rows if not row[0].startswith(MEAN)]
        several = len({row[1] for row in rows}) > 1
        for index, column in enumerate(each for each in points.columns if not each[0]):
            for place, row in enumerate(rows):
                cell = points.cell(row, column)
                if cell.value is None or (scale == "log" and cell.value <= 0):
                    continue
                dot = axes.scatter(
                    place, cell.value, marker=MARKERS[index % len(MARKERS)], s=30, **colour(index)
                )
                tip(dot, f"{' '.join(row)}, {column[1]}: {cell.marked}")
            axes.scatter(
                [],
                [],
                marker=MARKERS[index % len(MARKERS)],
                label=_label(points, column),
                **colour(index),
            )
        axes.set_xticks(
            range(len(rows)), [_name(row, several) for row in rows], rotation=40, ha="right", fontsize=7
        )
        canvas.legend(loc="outside upper center", ncols=LEGEND_COLUMNS, fontsize=7.5)

    return draw


def _name(row: Row, several: bool) -> str:
    return clipped(row[0], MOST_NAMED) + (f"\n{clipped(row[1], MOST_NAMED)}" if several else "")


def _label(points: Table, column: tuple[str, str]) -> str:
    means = [
        points.cell(row, column).text
        for row in points.rows
        if row[0].startswith(MEAN) and points.cell(row, column).value is not None
    ]
    return clipped(column[1]) + (f" ({', '.join(f'{mean}x' for mean in means)})" if means else "")
