"""Roofline: measured time against its floor, the shortest time in which the device can move the bytes
that the answer requires."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gunrock_cli.bench.recordtable import graph_name
from gunrock_cli.report.evidence.data import ReportData, measured_cell, primitive_label
from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.forms.plot import INK, MARKERS, Figure, bare, clipped, colour, tip

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas
    from matplotlib.text import Annotation

NAME, ORDER = "roofline", 50
DOT = 4.0
"""Half the width of a point's mark, in the canvas's own pixels."""
BESIDE = (
    ((6, 0), "left", "center"),
    ((-6, 0), "right", "center"),
    ((0, 5), "center", "bottom"),
    ((0, -5), "center", "top"),
)
"""The places of a name: its offset from the point, and its alignment there."""


def build(data: ReportData) -> Figure:
    points = Table(
        NAME,
        "Roofline: time over floor",
        ("Alg.", "Graph", "System"),
        caption="The floor is the time of the bytes that no program over the same arrays "
        "can avoid, each once: what exceeds the cache at the memory's measured rates of "
        "reading and writing, the rest at the cache's. The model is an estimate that "
        "counts random gathers as well; a run may beat it. Best configuration of each "
        "graph. Graphs are named in the picture where there is room, all in the table.",
    )
    shown = []
    for primitive in data.primitives:
        for system in data.systems:
            for graph in data.graphs(primitive):
                record = data.best_on_graph(primitive, system, graph)
                if (
                    record is None
                    or record.status != "ok"
                    or not record.floor_ms
                    or record.time_ms is None
                ):
                    continue
                row = (primitive_label(primitive), graph_name(record), system.label)
                points.put(row, ("", "floor ms"), measured_cell(record, record.floor_ms))
                points.put(row, ("", "mean ms"), measured_cell(record, record.time_ms.mean))
                points.put(row, ("", "time / floor"), measured_cell(record, record.over_floor))
                if record.model_ms is not None:
                    points.put(row, ("", "model ms"), measured_cell(record, record.model_ms))
                shown.append(system)
    if not points.rows:
        points.missing = (
            "No record with a floor (those from before traffic was recorded have "
            "none): gunrock PRIMITIVE ... --output FILE.jsonl."
        )
        return Figure(points, None)
    points.caption += " " + data.hardware(list(dict.fromkeys(shown)))
    return Figure(points, lambda canvas: draw(canvas, points), (9.5, 5.2))


def draw(canvas: Canvas, points: Table) -> None:
    """Draw time against floor, both logarithmic, with lines at 1, 10 and 100 times the floor."""
    axes = canvas.subplots()
    bare(axes)
    axes.set_xscale("log")
    axes.set_yscale("log")
    labels = list(dict.fromkeys(row[0] for row in points.rows))
    systems = list(dict.fromkeys(row[2] for row in points.rows))
    places = []
    for row in points.rows:
        floor, time, ratio = (
            points.cell(row, ("", name)) for name in ("floor ms", "mean ms", "time / floor")
        )
        place = (floor.value or 0.0, time.value or 0.0)
        dot = axes.scatter(
            *place,
            s=24,
            marker=MARKERS[systems.index(row[2]) % len(MARKERS)],
            **colour(labels.index(row[0])),
        )
        tip(dot, f"{row[0]} on {row[1]}, {row[2]}: {time.marked} ms, {ratio.text} times its floor")
        places.append((row[1], place))
    floors = [floor for _, (floor, _) in places]
    low, high = min(floors) / 2, max(floors) * 2
    lines = []
    for factor, style in ((1, "-"), (10, "--"), (100, ":")):
        axes.plot([low, high], [low * factor, high * factor], style, color=INK, linewidth=0.8)
        lines.append(axes.annotate(f"{factor}x", (high, high * factor), fontsize=7, color=INK))
    for index, label in enumerate(labels):
        axes.scatter([], [], label=clipped(label), **colour(index))
    for index, system in enumerate(systems):
        axes.scatter([], [], color=INK, marker=MARKERS[index % len(MARKERS)], label=clipped(system))
    axes.set_xlabel("floor (ms)")
    axes.set_ylabel("mean time (ms)")
    canvas.legend(fontsize=7, loc="outside right upper")
    name_points(canvas, axes, places, lines)


def name_points(
    canvas: Canvas, axes: Axes, places: list[tuple[str, tuple[float, float]]], lines: list[Annotation]
) -> None:
    """Write the graph's name next to each point, if it covers no other point and no other name."""
    from matplotlib.transforms import Bbox

    canvas.draw_without_rendering()  # now the axes have their final place
    dots = [axes.transData.transform(place) for _, place in places]
    taken = [Bbox.from_extents(x - DOT, y - DOT, x + DOT, y + DOT) for x, y in dots]
    taken += [line.get_window_extent() for line in lines]
    for name, place in places:
        for offset, across, up in BESIDE:
            text = axes.annotate(
                clipped(name),
                place,
                fontsize=6,
                xytext=offset,
                ha=across,
                va=up,
                textcoords="offset points",
                color=INK,
                in_layout=False,
            )
            box = text.get_window_extent().padded(1)
            inside = axes.bbox.x0 <= box.x0 and box.x1 <= axes.bbox.x1
            if inside and not any(box.overlaps(other) for other in taken):
                taken.append(box)
                break
            text.remove()
