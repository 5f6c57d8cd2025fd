"""Scaling over several devices: one graph on an increasing number, and graphs that grow with it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from gunrock_cli.bench.record import Record
from gunrock_cli.report.evidence.data import ReportData, measured_cell, primitive_label, runtime_cell
from gunrock_cli.report.evidence.device_counts import (
    SCRIPT,
    Key,
    asked,
    by_devices,
    sources_asked,
    time_of,
)
from gunrock_cli.report.evidence.identity import SIMPLE, edge_factor
from gunrock_cli.report.evidence.plain_runs import build_of, devices_of
from gunrock_cli.report.forms.cells import Column, Table
from gunrock_cli.report.forms.plot import COLOURS, MARKERS, Figure, bare, clipped, tip

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

NAME, ORDER = "several-devices", 35
TIME, STRONG, WEAK = "Time (ms)", "Times as fast as one", "Weak scaling"
PANELS = {STRONG: "times as fast as one device", WEAK: "one device's time over that of N"}


def build(data: ReportData) -> Figure:
    points = Table(
        NAME,
        "Scaling over several devices",
        ("Primitive", "Graph", "System"),
        caption="Mean times, of PageRank of an iteration; each row is of one commit. Weak "
        "scaling: one device's time on the R-MAT graph that has its share of the vertices, "
        "over that of all on the whole: 1 is perfect.",
    )
    found = by_devices(data)
    if not found:
        points.missing = SCRIPT
        return Figure(points, None)
    counts = sorted({devices for each in found.values() for devices in each} | {1})
    points.declare(
        columns=[(TIME, str(devices)) for devices in counts]
        + [(group, str(devices)) for group in PANELS for devices in counts if devices > 1]
    )
    ones = _single(data)
    for key, records in found.items():
        _put(points, key, records, ones)
    points.drop_empty_columns()
    points.caption += " " + data.hardware(list(dict.fromkeys(system for _, _, system in found)))
    return Figure(points, lambda canvas: draw(canvas, points), (11.0, 4.2))


def _put(points: Table, key: Key, records: dict[int, Record], ones: dict[Any, Record]) -> None:
    primitive, graph, system = key
    row = (primitive_label(primitive), graph, system.label)
    for devices, record in records.items():
        points.put(row, (TIME, str(devices)), runtime_cell(record, per_iteration=primitive == "pagerank"))
        if devices == 1:
            continue
        for group, base in ((STRONG, records.get(1)), (WEAK, ones.get(_share(record, devices)))):
            one, several = time_of(base) if base else None, time_of(record)
            if one and several:
                points.put(row, (group, str(devices)), measured_cell(record, one / several))


def _single(data: ReportData) -> dict[Any, Record]:
    """The newest runs of R-MAT graphs on one device, by the properties that make them comparable,
    including the commit."""
    found: dict[Any, Record] = {}
    for record in sorted(data.of_each_build, key=lambda each: each.time):
        family = _share(record, 1)
        if family is not None and devices_of(record) == 1 and time_of(record):
            found[family] = record
    return found


def _share(record: Record, devices: int) -> tuple[Any, ...] | None:
    """The R-MAT graph that is one device's share of a record's graph; None for other graphs."""
    origin, less = record.graph.get("origin") or {}, math.log2(devices)
    drawn = edge_factor(origin)
    if drawn is None or less != int(less):
        return None
    shape = (drawn, *(origin.get(name) for name in (*"abc", *SIMPLE)))
    searches = len(set(record.sources)), sources_asked(record), asked(record)
    smaller = origin["scale"] - int(less)
    alike = build_of(record), searches
    return record.primitive, record.system, record.device.get("name"), smaller, shape, alike


def draw(canvas: Canvas, points: Table) -> None:
    """Draw a panel for each kind of scaling, and a line for each primitive and graph."""
    panels = [group for group in PANELS if any(column[0] == group for column in points.columns)]
    if not panels:
        return
    for axes, group in zip(canvas.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
        bare(axes)
        axes.set_xlabel("devices")
        axes.set_ylabel(PANELS[group])
        axes.xaxis.get_major_locator().set_params(integer=True)
        _lines(axes, points, [column for column in points.columns if column[0] == group])
    lines = {
        label: line
        for axes in canvas.axes
        for line, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    canvas.legend(lines.values(), lines, fontsize=7, loc="outside right upper")


def _lines(axes: Axes, points: Table, columns: list[Column]) -> None:
    for index, row in enumerate(points.rows):
        line = [(int(column[1]), points.cell(row, column)) for column in columns]
        line = [(devices, cell) for devices, cell in line if cell.value is not None]
        if not line:
            continue
        axes.plot(
            [1, *(devices for devices, _ in line)],
            [1.0, *(cell.value or 0.0 for _, cell in line)],
            "-" + MARKERS[index % len(MARKERS)],
            markersize=4,
            linewidth=1,
            label=clipped(f"{row[0]}, {row[1]}"),
            color=COLOURS[index % len(COLOURS)],
        )
        for devices, cell in line:
            tip(
                axes.scatter(devices, cell.value or 0.0, s=40, alpha=0),
                f"{', '.join(row)} on {devices}: {cell.marked}",
            )
