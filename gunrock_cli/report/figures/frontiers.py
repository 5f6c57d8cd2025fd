"""Frontier plots (Merrill 2012, Figure 3): vertices and edges of the frontier by iteration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gunrock_cli.bench.record import Record
from gunrock_cli.bench.recordtable import graph_name
from gunrock_cli.report.cells import Table
from gunrock_cli.report.data import ReportData, measured_cell, primitive_label, system_of
from gunrock_cli.report.figure import COLOURS, Figure, bare, tip
from gunrock_cli.visible import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

NAME, ORDER = "frontiers", 40
COLUMNS = {"frontier_vertices": "vertices", "frontier_edges": "edges"}
PANELS_A_ROW = 3
TABLE_ROWS = 40
"""A road network has thousands of iterations: the table keeps this many of each graph."""


def build(data: ReportData) -> Figure:
    points = Table(NAME, "Frontier plots (Merrill 2012 Figure 3)", ("Run", "Iteration"),
                   caption="Vertices in the frontier and edges out of it, iteration by iteration, "
                   "from runs with --trace.")
    traced = data.traced
    if not traced:
        points.missing = "No traced run here: gunrock bfs ... --trace --output FILE.jsonl."
        return Figure(points, None)
    for record in traced:
        for row in thinned(record.trace):
            for key, label in COLUMNS.items():
                points.put((run_label(record), str(row["iteration"])), ("", label),
                           measured_cell(record, row.get(key)))
    points.caption += " " + data.hardware(list(dict.fromkeys(map(system_of, traced))))
    if any(len(record.trace) > TABLE_ROWS for record in traced):
        points.notes.append(f"The table keeps {TABLE_ROWS} iterations of a long trace.")
    rows = -(-len(traced) // PANELS_A_ROW)
    return Figure(points, lambda canvas: draw(canvas, traced), (9.5, 2.6 * rows + 0.4))


def thinned(trace: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """At most TABLE_ROWS rows, evenly spread, the first among them."""
    step = -(-len(trace) // TABLE_ROWS)
    return trace[::step]


def run_label(record: Record) -> str:
    options = record.options
    detail = [visible(str(options[key])) for key in ("direction", "advance_mode") if options.get(key)]
    return " ".join([primitive_label(record.primitive), graph_name(record), *detail,
                     f"({visible(record.id[:6])})"])


def draw(canvas: Canvas, traced: list[Record]) -> None:
    """One panel a run, logarithmic in the sizes."""
    rows = -(-len(traced) // PANELS_A_ROW)
    columns = min(len(traced), PANELS_A_ROW)
    panels = list(canvas.subplots(rows, columns, squeeze=False).flat)
    for axes, record in zip(panels, traced, strict=False):
        bare(axes)
        iterations = [row["iteration"] for row in record.trace]
        for index, (key, label) in enumerate(COLUMNS.items()):
            sizes = [max(1, row.get(key) or 0) for row in record.trace]
            line, = axes.plot(iterations, sizes, color=COLOURS[index], linewidth=1, label=label,
                              marker="." if len(iterations) < 40 else None)
            tip(line, f"{run_label(record)}: {label}, at most {max(sizes, default=0)}")
        axes.set_yscale("log")
        axes.set_title(run_label(record), fontsize=7)
        axes.set_xlabel("iteration")
    for axes in panels[len(traced):]:
        axes.set_visible(False)
    panels[0].legend(fontsize=7)
