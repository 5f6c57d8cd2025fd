"""Scaling over several devices: one graph on an increasing number, and graphs that grow with it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from gunrock_cli.bench.records.record import Record
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
from gunrock_cli.report.forms.cells import Row, Table
from gunrock_cli.report.forms.plot import COLOURS, INK, MARKERS, Figure, bare, clipped, tip

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

NAME, ORDER = "several-devices", 35
TIME, STRONG, WEAK = "Time (ms)", "Times as fast as one", "Weak scaling"
PANELS_A_ROW = 4
MOST_NAMED = 18
"""Letters of a graph's name in a panel's legend."""
PANELS = {STRONG: "times as fast as one device", WEAK: "one device's time over that of N"}


def build(data: ReportData) -> Figure:
    points = Table(
        NAME,
        "Scaling over several devices",
        ("Primitive", "Graph", "System"),
        caption="Mean times, of PageRank of an iteration; each row is of one commit. Weak "
        "scaling: one device's time on the R-MAT graph that has its share of the vertices, "
        "over that of all on the whole: 1 is perfect. Dotted: perfect scaling.",
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
    panels = panels_of(points)
    if not panels:
        return Figure(points, None)
    rows = -(-len(panels) // PANELS_A_ROW)
    return Figure(points, lambda canvas: draw(canvas, points, panels), (10.5, 3.3 * rows))


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
    smaller = int(str(origin["scale"])) - int(less)
    alike = build_of(record), searches
    return record.primitive, record.system, record.device.get("name"), smaller, shape, alike


def panels_of(points: Table) -> list[tuple[str, str]]:
    """The kinds of scaling, and the primitives of each."""
    filled = dict.fromkeys(
        (column[0], row[0]) for row, column, cell in points.each() if cell.value is not None
    )
    return [(group, primitive) for group in PANELS for kind, primitive in filled if kind == group]


def draw(canvas: Canvas, points: Table, panels: list[tuple[str, str]]) -> None:
    """Draw a panel for each kind of scaling and primitive, with a line for each graph."""
    rows = -(-len(panels) // PANELS_A_ROW)
    grid = canvas.subplots(rows, min(len(panels), PANELS_A_ROW), squeeze=False).flatten()
    for axes, (group, primitive) in zip(grid, panels, strict=False):
        bare(axes)
        axes.set_title(primitive if group == STRONG else f"{primitive}, {group.lower()}", fontsize=9)
        axes.set_xlabel("devices")
        axes.set_ylabel(PANELS[group], fontsize=8)
        axes.xaxis.get_major_locator().set_params(integer=True)
        highest = _lines(axes, points, group, [row for row in points.rows if row[0] == primitive])
        axes.set_ylim(0, 1.05 * highest)
        axes.legend(fontsize=6.5, loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2)
    for axes in grid[len(panels) :]:
        axes.set_visible(False)


def _lines(axes: Axes, points: Table, group: str, rows: list[Row]) -> float:
    """Draw a line for each row, and where perfect scaling would be; returns the highest value."""
    columns = [column for column in points.columns if column[0] == group]
    most = max(int(column[1]) for column in columns)
    perfect = float(most) if group == STRONG else 1.0
    axes.plot([1, most], [1, perfect], ":", color=INK, linewidth=0.8)
    index, highest = 0, perfect
    for row in rows:
        line = [(int(column[1]), points.cell(row, column)) for column in columns]
        line = [(devices, cell) for devices, cell in line if cell.value is not None]
        if not line:
            continue
        axes.plot(
            [1, *(devices for devices, _ in line)],
            [1.0, *(cell.value or 0.0 for _, cell in line)],
            ("--" if index >= len(COLOURS) else "-") + MARKERS[index % len(MARKERS)],
            markersize=4,
            linewidth=1,
            label=clipped(row[1], MOST_NAMED),
            color=COLOURS[index % len(COLOURS)],
        )
        index, highest = index + 1, max(highest, *(cell.value or 0.0 for _, cell in line))
        for devices, cell in line:
            tip(
                axes.scatter(devices, cell.value or 0.0, s=40, alpha=0),
                f"{', '.join(row)} on {devices}: {cell.marked}",
            )
    return highest
