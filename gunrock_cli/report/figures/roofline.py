"""Roofline: measured time against its floor, the shortest time in which the device can move the bytes
that the answer requires."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gunrock_cli.bench.records.table import graph_name
from gunrock_cli.report.evidence.data import ReportData, measured_cell, primitive_label
from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.forms.plot import INK, MARKERS, Figure, bare, clipped, colour, legend_of, tip

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

NAME, ORDER = "roofline", 50
PANELS_A_ROW = 4
Place = tuple[float, float]
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
    return Figure(
        points,
        lambda canvas: draw(canvas, points),
        (10.5, 2.3 * -(-len({row[0] for row in points.rows}) // PANELS_A_ROW) + 0.5),
    )


def draw(canvas: Canvas, points: Table) -> None:
    """Draw a panel for each primitive: times over their floors against the floors, both logarithmic."""
    labels = list(dict.fromkeys(row[0] for row in points.rows))
    systems = list(dict.fromkeys(row[2] for row in points.rows))
    lines = -(-len(labels) // PANELS_A_ROW)
    grid = canvas.subplots(
        lines, min(len(labels), PANELS_A_ROW), sharex=True, sharey=True, squeeze=False
    ).flatten()
    places = {
        axes: _points(axes, points, label, systems) for axes, label in zip(grid, labels, strict=False)
    }
    for axes in grid[len(labels) :]:
        axes.set_visible(False)
    for place in range(len(labels)):
        grid[place].tick_params(labelbottom=place + PANELS_A_ROW >= len(labels))
    canvas.supxlabel("floor (ms)", fontsize=9)
    canvas.supylabel("mean time over floor", fontsize=9)
    if len(systems) > 1:
        legend_of(canvas, grid[0], free=len(grid) > len(labels))
    canvas.draw_without_rendering()  # now the axes have their final place
    for axes, found in places.items():
        name_points(axes, found)


def _points(axes: Axes, points: Table, label: str, systems: list[str]) -> list[tuple[str, Place]]:
    """Draw a primitive's points; returns their graphs and places."""
    bare(axes)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_title(clipped(label), fontsize=9)
    axes.axhline(1, color=INK, linewidth=0.8)
    places = []
    for row in points.rows:
        if row[0] != label:
            continue
        floor, time, ratio = (
            points.cell(row, ("", name)) for name in ("floor ms", "mean ms", "time / floor")
        )
        index = systems.index(row[2])
        place = (floor.value or 0.0, ratio.value or 0.0)
        dot = axes.scatter(*place, s=20, marker=MARKERS[index % len(MARKERS)], **colour(index))
        tip(dot, f"{row[0]} on {row[1]}, {row[2]}: {time.marked} ms, {ratio.text} times its floor")
        places.append((row[1], place))
    for index, system in enumerate(systems):
        axes.scatter([], [], marker=MARKERS[index % len(MARKERS)], label=clipped(system), **colour(index))
    return places


def name_points(axes: Axes, places: list[tuple[str, Place]]) -> None:
    """Write the graph's name next to each point, if it covers no other point and no other name."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.transforms import Bbox

    renderer = FigureCanvasAgg(axes.get_figure(root=True)).get_renderer()  # type: ignore[no-untyped-call]
    dots = [axes.transData.transform(place) for _, place in places]
    taken = [Bbox.from_extents(x - DOT, y - DOT, x + DOT, y + DOT) for x, y in dots]
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
            box = text.get_window_extent(renderer).padded(1)
            inside = axes.bbox.x0 <= box.x0 and box.x1 <= axes.bbox.x1
            if inside and not any(box.overlaps(other) for other in taken):
                taken.append(box)
                break
            text.remove()
