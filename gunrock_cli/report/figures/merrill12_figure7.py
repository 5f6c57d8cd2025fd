"""Merrill 2012, Figure 7: the size of queues if duplicates are not culled, next to logical frontiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gunrock_cli.bench.protocol.counting import EDGES, VERTICES
from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.evidence.merrill import SCRIPT, ByGraph, by_graph, systems_of
from gunrock_cli.report.figures.frontiers import PANELS_A_ROW, TABLE_ROWS, thinned
from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.forms.numbers import figure
from gunrock_cli.report.forms.plot import COLOURS, Figure, bare, legend_of, tip

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

NAME, ORDER = "merrill12-figure7", 130
UNCULLED = "none"
CURVES = {
    "vertices": "logical vertices",
    VERTICES: "vertices queued",
    "edges": "logical edges",
    EDGES: "edges queued",
}


def build(data: ReportData) -> Figure:
    points = Table(
        NAME,
        "Merrill 2012 Figure 7: queues without local culling",
        ("Graph", "System", "Level"),
        caption="Vertices and edges that an idempotent BFS without culling (--cull none) "
        "queues, level by level, beside the logical frontiers, of the last source. The "
        "redundant expansion factor is the mean of all sources: edges inspected over edges "
        "out of reached vertices. The paper: 4.2 on grid5pt.5000, 2.6 on grid7pt.300, 1.7 on "
        "nlpkkt160, 1.1 on coPapersCiteseer; on kron_g500-logn20 memory ran out.",
    )
    found = by_graph(data, "bfs", unculled)
    if not found:
        points.missing = SCRIPT
        return Figure(points, None)
    for (graph, system), variants in found.items():
        each = variants[UNCULLED]
        for row in thinned(each.record.frontiers):
            for key, label in CURVES.items():
                points.put((graph, system.label, str(row["level"])), ("", label), each.cell(row[key]))
        factor = each.record.counts.get("redundant_expansion")
        points.put((graph, system.label, "all"), ("", "redundant expansion"), each.cell(factor))
    points.caption += " " + data.hardware(systems_of(found))
    if any(len(variants[UNCULLED].record.frontiers) > TABLE_ROWS for variants in found.values()):
        points.notes.append(f"The table keeps {TABLE_ROWS} levels of a long run.")
    drawn = {key: variants for key, variants in found.items() if variants[UNCULLED].record.frontiers}
    if not drawn:
        return Figure(points, None)
    rows = -(-len(drawn) // PANELS_A_ROW)
    return Figure(points, lambda canvas: draw(canvas, drawn), (9.5, 2.6 * rows + 0.4))


def unculled(record: Record) -> str | None:
    """An idempotent run with no culling but the label's, counted or failed."""
    options = record.options
    asked = options.get("idempotence") and options.get("cull") == UNCULLED
    return UNCULLED if asked and (record.frontiers or record.status != "ok") else None


def draw(canvas: Canvas, found: ByGraph) -> None:
    """Draw a panel for each graph, logarithmic in the sizes."""
    rows = -(-len(found) // PANELS_A_ROW)
    panels = list(canvas.subplots(rows, min(len(found), PANELS_A_ROW), squeeze=False).flat)
    for axes, ((graph, _), variants) in zip(panels, found.items(), strict=False):
        bare(axes)
        record = variants[UNCULLED].record
        for index, (key, label) in enumerate(CURVES.items()):
            sizes = [max(1, row[key]) for row in record.frontiers]
            (line,) = axes.plot(
                [row["level"] for row in record.frontiers],
                sizes,
                label=label,
                linewidth=1,
                color=COLOURS[index // 2],
                linestyle="-" if index % 2 else "--",
                marker="." if len(sizes) < 40 else None,
            )
            tip(line, f"{graph}: {label}, at most {max(sizes)}")
        axes.set_yscale("log")
        axes.set_title(f"{graph}: {figure(record.counts.get('redundant_expansion'))}x", fontsize=7)
        axes.set_xlabel("level")
    for axes in panels[len(found) :]:
        axes.set_visible(False)
    legend_of(canvas, panels[0], free=len(panels) > len(found))
