"""Scalability over Kronecker graphs: the arXiv paper's Table 3 as curves, next to our own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gunrock_cli.report.evidence.data import PRIMITIVES, ReportData
from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.forms.plot import COLOURS, INK, Figure, bare, tip
from gunrock_cli.report.tables import arxiv15_table3

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

NAME, ORDER = "scalability", 30


def build(data: ReportData) -> Figure:
    points = arxiv15_table3.build(data)
    points.name, points.title = NAME, "Scalability over Kronecker graphs (arXiv 2015 Table 3)"
    points.caption = (
        f"Dashed with hollow circles: the paper (†); solid with diamonds: measured here. {points.caption}"
    )
    return Figure(points, lambda canvas: draw(canvas, points), (9.0, 3.8))


def draw(canvas: Canvas, points: Table) -> None:
    """Draw runtime and MTEPS against the scale, one color per primitive."""
    panels = canvas.subplots(1, 2)
    for axes, group in zip(panels, arxiv15_table3.GROUPS.values(), strict=True):
        bare(axes)
        axes.set_yscale("log")
        axes.set_ylabel(group)
        axes.set_xlabel("scale (log2 of the vertices)")
        axes.xaxis.get_major_locator().set_params(integer=True)
        for index, label in enumerate(PRIMITIVES.values()):
            _curves(axes, points, (group, label), COLOURS[index])
    for index, label in enumerate(PRIMITIVES.values()):
        panels[0].plot([], [], color=COLOURS[index], label=label)
    panels[0].plot([], [], "--o", color=INK, markerfacecolor="none", label="paper †")
    panels[0].plot([], [], "-D", color=INK, markersize=4, label="measured")
    panels[0].legend(fontsize=7, ncols=2)


def _curves(axes: Axes, points: Table, column: tuple[str, str], colour: str) -> None:
    for system in dict.fromkeys(row[1] for row in points.rows):
        line = [
            (int(row[0].rpartition("logn")[2]), points.cell(row, column))
            for row in points.rows
            if row[1] == system
        ]
        line = [(scale, cell) for scale, cell in line if cell.value]
        if not line:
            continue
        published = line[0][1].origin == "published"
        axes.plot(
            [scale for scale, _ in line],
            [cell.value or 0.0 for _, cell in line],
            "--o" if published else "-D",
            color=colour,
            markersize=4,
            linewidth=1,
            markerfacecolor="none" if published else colour,
        )
        for scale, cell in line:
            spot = axes.scatter(scale, cell.value or 0.0, s=40, alpha=0)
            tip(spot, f"{column[1]} at scale {scale}, {system}: {column[0]} {cell.marked}")
