"""Roofline: measured time against its floor, the least time in which the bytes that the answer cannot
do without get to and fro on the device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gunrock_cli.bench.recordtable import graph_name
from gunrock_cli.report.cells import Table
from gunrock_cli.report.data import ReportData, measured_cell, primitive_label
from gunrock_cli.report.figure import COLOURS, INK, Figure, bare

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

NAME, ORDER = "roofline", 50


def build(data: ReportData) -> Figure:
    points = Table(NAME, "Roofline: time over floor", ("Alg.", "Graph", "System"),
                   caption="The floor is the time of the bytes that no program over the same arrays "
                   "can avoid, each once: what exceeds the cache at the memory's measured rates of "
                   "reading and writing, the rest at the cache's. The model is an estimate that "
                   "counts random gathers as well; a run may beat it. Best configuration of each "
                   "graph.")
    shown = []
    for primitive in data.primitives:
        for system in data.systems:
            for graph in data.graphs(primitive):
                record = data.best_on_graph(primitive, system, graph)
                if (record is None or record.status != "ok" or not record.floor_ms
                        or record.time_ms is None):
                    continue
                row = (primitive_label(primitive), graph_name(record), system.label)
                points.put(row, ("", "floor ms"), measured_cell(record, record.floor_ms))
                points.put(row, ("", "mean ms"), measured_cell(record, record.time_ms.mean))
                points.put(row, ("", "time / floor"), measured_cell(record, record.over_floor))
                if record.model_ms is not None:
                    points.put(row, ("", "model ms"), measured_cell(record, record.model_ms))
                shown.append(system)
    if not points.rows:
        points.missing = ("No record with a floor (those from before traffic was recorded have "
                          "none): gunrock PRIMITIVE ... --output FILE.jsonl.")
        return Figure(points, None)
    points.caption += " " + data.hardware(list(dict.fromkeys(shown)))
    return Figure(points, lambda canvas: draw(canvas, points), (7.5, 4.5))


def draw(canvas: Canvas, points: Table) -> None:
    """Time against floor, both logarithmic, with lines at 1, 10 and 100 times the floor."""
    axes = canvas.subplots()
    bare(axes)
    labels = list(dict.fromkeys(row[0] for row in points.rows))
    systems = list(dict.fromkeys(row[2] for row in points.rows))
    floors = []
    for row in points.rows:
        floor = points.cell(row, ("", "floor ms")).value or 0.0
        time = points.cell(row, ("", "mean ms")).value or 0.0
        floors.append(floor)
        axes.scatter(floor, time, color=COLOURS[labels.index(row[0]) % len(COLOURS)], s=24,
                     marker="oDs^v"[systems.index(row[2]) % 5])
        axes.annotate(row[1], (floor, time), fontsize=6, xytext=(4, -2),
                      textcoords="offset points", color=INK)
    low, high = min(floors) / 2, max(floors) * 2
    for factor, style in ((1, "-"), (10, "--"), (100, ":")):
        axes.plot([low, high], [low * factor, high * factor], style, color=INK, linewidth=0.8)
        axes.annotate(f"{factor}x", (high, high * factor), fontsize=7, color=INK)
    for index, label in enumerate(labels):
        axes.scatter([], [], color=COLOURS[index % len(COLOURS)], label=label)
    for index, system in enumerate(systems):
        axes.scatter([], [], color=INK, marker="oDs^v"[index % 5], label=system)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("floor (ms)")
    axes.set_ylabel("mean time (ms)")
    axes.legend(fontsize=7)
