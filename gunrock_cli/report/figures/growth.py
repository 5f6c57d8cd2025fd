"""R-MAT graphs of growing scale: time, rate and memory of each primitive, until nothing larger fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.data import (
    PRIMITIVES,
    ReportData,
    System,
    iteration_ms,
    measured_cell,
    system_of,
)
from gunrock_cli.report.evidence.identity import edge_factor, simple
from gunrock_cli.report.evidence.marks import marks_of_all
from gunrock_cli.report.evidence.plain_runs import devices_of
from gunrock_cli.report.forms.cells import Cell, Column, Row, Table
from gunrock_cli.report.forms.plot import COLOURS, MARKERS, Figure, bare, tip

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

NAME, ORDER = "growth", 35
RECIPE = {"kind": "rmat", "a": 0.57, "b": 0.19, "c": 0.19}
MS, RATE, MEMORY, BYTES = "ms", "GTEPS", "peak memory, GiB", "bytes per directed edge"
DRAWN = (MS, RATE, MEMORY, BYTES)
_GIB = 2**30


def build(data: ReportData) -> Figure:
    points = Table(
        NAME,
        "Growing R-MAT graphs",
        ("Alg.", "Scale", "System"),
        caption=(
            "R-MAT (0.57, 0.19, 0.19, 0.05), undirected, a line for each primitive. PageRank's time is "
            "that "
            "of one iteration. GTEPS: billions of edges out of reached vertices per second (BC: twice, "
            "forward and back), of CC and PageRank all edges of the graph (each iteration). Memory is "
            "the "
            "most that the tool held on the device during the runs, graph included."
        ),
    )
    points.declare(columns=[("", name) for name in ("directed edges", *DRAWN, "floor ms", "model ms")])
    grown = _largest_family(data)
    for primitive, label in PRIMITIVES.items():
        for record in grown.get(primitive, []):
            _put(points, label, record)
    points.drop_empty_columns()
    if not points.rows:
        points.missing = "Not measured yet: python benchmarks/scaling.py --output FILE.jsonl."
        return Figure(points, None)
    shown = [record for records in grown.values() for record in records]
    points.caption += f" Edge factor {edge_factor(shown[0].graph['origin']):g}. " + data.hardware(
        [system_of(shown[0])]
    )
    return Figure(points, lambda canvas: draw(canvas, points), (9.5, 6.4))


def _largest_family(data: ReportData) -> dict[str, list[Record]]:
    """The runs on one device by primitive, on graphs of one edge factor, smallest first: the family that
    includes the largest graph."""
    families: dict[tuple[System, float | None], list[Record]] = {}
    for system in data.systems:
        for record in data.current:
            if system.name == "gunrock" and system_of(record) == system and _is_recipe(record):
                families.setdefault((system, edge_factor(record.graph["origin"])), []).append(record)
    if not families:
        return {}
    (system, factor), records = max(families.items(), key=lambda family: max(map(_scale, family[1])))
    found: dict[str, list[Record]] = {}
    for primitive in PRIMITIVES:
        for scale in sorted({_scale(record) for record in records}):
            best = data.best(
                primitive,
                system,
                lambda record: (
                    _is_recipe(record)
                    and _scale(record) == scale  # noqa: B023
                    and edge_factor(record.graph["origin"]) == factor
                ),
            )
            if best is not None:
                found.setdefault(primitive, []).append(best)
    return found


def _is_recipe(record: Record) -> bool:
    """True if one device ran on such a graph."""
    origin = record.graph.get("origin") or {}
    return (
        devices_of(record) == 1
        and not origin.get("stand_in")
        and all(origin.get(key) == value for key, value in RECIPE.items())
        and simple(origin)
        and edge_factor(origin) is not None
    )


def _scale(record: Record) -> int:
    return int(str(record.graph["origin"]["scale"]))


def _put(points: Table, label: str, record: Record) -> None:
    row = (label, str(_scale(record)), system_of(record).label)
    peak, edges = record.peak_device_bytes, record.graph.get("edges")
    values = {
        MS: _milliseconds(record),
        RATE: _rate(record),
        MEMORY: peak / _GIB if peak else None,
        BYTES: peak / edges if peak and edges else None,
        "floor ms": _of_iteration(record, record.floor_ms),
        "model ms": _of_iteration(record, record.model_ms),
    }
    if edges:
        points.put(
            row,
            ("", "directed edges"),
            Cell(f"{edges:,}", float(edges), "measured", (record.id,), marks=marks_of_all([record])),
        )
    for name, value in values.items():
        if value is not None or (name == MS and record.status != "ok"):
            points.put(row, ("", name), measured_cell(record, value))


def _milliseconds(record: Record) -> float | None:
    if record.primitive == "pagerank":
        return iteration_ms(record)
    return record.time_ms.mean if record.time_ms else None


def _of_iteration(record: Record, value: float | None) -> float | None:
    if value is None or record.primitive != "pagerank":
        return value
    return value / record.iterations if record.iterations else None


def _rate(record: Record) -> float | None:
    if record.mteps is not None:
        return record.mteps / 1e3
    edges, took = record.graph.get("edges"), _milliseconds(record)
    return edges / took / 1e6 if edges and took else None


def draw(canvas: Canvas, points: Table) -> None:
    """Draw a panel each for time, rate, memory and bytes per edge; a color and a mark per primitive."""
    columns: list[Column] = [("", name) for name in DRAWN if ("", name) in points.columns]
    panels = canvas.subplots(2, 2).flat
    for axes, column in zip(panels, columns, strict=False):
        bare(axes)
        if column[1] != BYTES:
            axes.set_yscale("log")
        axes.set_ylabel(column[1])
        axes.set_xlabel("scale (log2 of the vertices)")
        axes.xaxis.get_major_locator().set_params(integer=True)
        for index, label in enumerate(PRIMITIVES.values()):
            _line(axes, points, column, [row for row in points.rows if row[0] == label], index)
        if column[1] == BYTES:
            axes.set_ylim(bottom=0)
    for axes in list(canvas.axes)[len(columns) :]:
        axes.remove()
    canvas.axes[0].legend(fontsize=7.5)


def _line(axes: Axes, points: Table, column: Column, rows: list[Row], index: int) -> None:
    found = [(int(row[1]), points.cell(row, column)) for row in rows]
    line = [(scale, cell.value, cell.marked) for scale, cell in found if cell.value]
    if not line:
        return
    axes.plot(
        [scale for scale, _, _ in line],
        [value for _, value, _ in line],
        marker=MARKERS[index],
        color=COLOURS[index],
        markersize=4,
        linewidth=1,
        label=rows[0][0],
    )
    for scale, value, text in line:
        spot = axes.scatter(scale, value, s=40, alpha=0)
        tip(spot, f"{rows[0][0]} at scale {scale}: {text} {column[1]}")
