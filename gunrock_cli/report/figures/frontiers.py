"""Frontier plots (Merrill 2012, Figure 3): vertices and edges of the frontier by iteration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.table import graph_name
from gunrock_cli.report.evidence.data import ReportData, measured_cell, primitive_label, system_of
from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.forms.plot import COLOURS, Figure, bare, legend_of, tip
from gunrock_cli.visible import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

NAME, ORDER = "frontiers", 40
COLUMNS = {"vertices": "vertices", "edges": "edges", "distinct_ends": "distinct ends of edges"}
TRACED = {"iteration": "iteration", "vertices": "frontier_vertices", "edges": "frontier_edges"}
"""The columns, by their names in a trace."""
PANELS_A_ROW = 3
TABLE_ROWS = 40
"""The number of rows that the table keeps per graph, as a road network has thousands of iterations."""


def build(data: ReportData) -> Figure:
    points = Table(
        NAME,
        "Frontier plots (Merrill 2012 Figure 3)",
        ("Run", "Iteration"),
        caption="Vertices in the frontier and edges out of it, iteration by iteration, "
        "from runs with --trace; of counted runs (--count) the logical frontiers, and how "
        "many different vertices the edges lead to: the edge frontier without its duplicates.",
    )
    shown = [
        record
        for record in data.counted
        if not record.options.get("idempotence") and not record.options.get("mark_pred")
    ]
    known = {record.graph.get("hash") for record in shown}
    shown += [record for record in data.traced if record.graph.get("hash") not in known]
    if not shown:
        points.missing = (
            "No traced or counted run here: gunrock bfs ... --direction push --count --output FILE.jsonl."
        )
        return Figure(points, None)
    for record in shown:
        for row in thinned(rows_of(record)):
            for key, label in COLUMNS.items():
                if key in row:
                    points.put(
                        (run_label(record), str(row["iteration"])),
                        ("", label),
                        measured_cell(record, row[key]),
                    )
    points.caption += " " + data.hardware(list(dict.fromkeys(map(system_of, shown))))
    if any(len(rows_of(record)) > TABLE_ROWS for record in shown):
        points.notes.append(f"The table keeps {TABLE_ROWS} iterations of a long trace.")
    rows = -(-len(shown) // PANELS_A_ROW)
    return Figure(points, lambda canvas: draw(canvas, shown), (9.5, 2.6 * rows + 0.4))


def rows_of(record: Record) -> list[dict[str, Any]]:
    """The frontiers of a counted run, or else of a traced one."""
    if record.frontiers:
        return [{"iteration": row["level"], **row} for row in record.frontiers]
    return [{key: row.get(name) for key, name in TRACED.items()} for row in record.trace]


def thinned(trace: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """At most TABLE_ROWS rows, evenly spread, including the first."""
    step = -(-len(trace) // TABLE_ROWS)
    return trace[::step]


def run_label(record: Record) -> str:
    options = record.options
    detail = [visible(str(options[key])) for key in ("direction", "advance_mode") if options.get(key)]
    return " ".join(
        [primitive_label(record.primitive), graph_name(record), *detail, f"({visible(record.id[:6])})"]
    )


def draw(canvas: Canvas, shown: list[Record]) -> None:
    """One panel per run, logarithmic in the sizes."""
    rows = -(-len(shown) // PANELS_A_ROW)
    columns = min(len(shown), PANELS_A_ROW)
    panels = list(canvas.subplots(rows, columns, squeeze=False).flat)
    for axes, record in zip(panels, shown, strict=False):
        bare(axes)
        found = rows_of(record)
        iterations = [row["iteration"] for row in found]
        for index, (key, label) in enumerate(COLUMNS.items()):
            if key not in found[0]:
                continue
            sizes = [max(1, row[key] or 0) for row in found]
            (line,) = axes.plot(
                iterations,
                sizes,
                color=COLOURS[index],
                linewidth=1,
                label=label,
                marker="." if len(iterations) < 40 else None,
            )
            tip(line, f"{run_label(record)}: {label}, at most {max(sizes, default=0)}")
        axes.set_yscale("log")
        axes.set_title(run_label(record), fontsize=7)
        axes.set_xlabel("iteration")
    for axes in panels[len(shown) :]:
        axes.set_visible(False)
    legend_of(canvas, panels[0], free=len(panels) > len(shown))
