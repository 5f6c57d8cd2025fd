"""PPoPP'16, Figure 7: speedups of Gunrock over other systems, a dot a data set."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from gunrock_cli.report.cells import Cell, Table
from gunrock_cli.report.data import PRIMITIVES, ReportData, primitive_label
from gunrock_cli.report.figure import INK, Figure, bare
from gunrock_cli.report.marks import PAPER_RUNS, marks_of_all
from gunrock_cli.report.numbers import figure
from gunrock_cli.report.speedups import speedups

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

NAME, ORDER = "ppopp16-figure7", 10
SYSTEMS = ("CuSha", "MapGraph", "Hardwired GPU", "Ligra")
CAPTION = ("Execution-time speedup of Gunrock, one dot a data set; filled: Gunrock is faster, "
           "hollow: slower. Circles are the paper's Table 3 (†), diamonds were measured here; "
           "a speedup never mixes the two.")


def build(data: ReportData) -> Figure:
    points = Table(NAME, "PPoPP'16 Figure 7: speedups", ("Alg.", "System"))
    printed = data.papers.table("ppopp16", "table3")
    for (primitive, dataset, system, metric), other in printed.items():
        if metric != "runtime" or system == "Gunrock":
            continue
        ours = printed[primitive, dataset, "Gunrock", "runtime"]
        speedup = other.value / ours.value
        if speedup == speedup:  # not NaN: neither ran out of memory
            cell = Cell(figure(speedup), speedup, "published")
            points.put((PRIMITIVES[primitive], system), ("", dataset), cell)
    measured = speedups(data)
    for pair in measured:
        row = (primitive_label(pair.primitive), f"{pair.slow.label} / {pair.fast.label}")
        for graph, value in pair.ratios.items():
            both = pair.behind(graph)
            cell = Cell(figure(value), value, "measured", tuple(record.id for record in both),
                        marks=marks_of_all(both, PAPER_RUNS))
            points.put(row, ("", graph), cell)
    shown = dict.fromkeys(system for pair in measured for system in (pair.fast, pair.slow))
    points.caption = f"{CAPTION} {data.papers.hardware('ppopp16', ['Gunrock', *SYSTEMS])}"
    if shown:
        points.caption += " " + data.hardware(list(shown))
    else:
        points.missing = "No graph was measured with gunrock and a second system (--against)."
    rows = max(Counter(label for label, _ in points.rows).values())
    return Figure(points, lambda canvas: draw(canvas, points), (10.0, 2.8 + 0.12 * rows))


def draw(canvas: Canvas, points: Table) -> None:
    """One panel a primitive, systems side by side, a logarithmic axis shared by all."""
    labels = list(dict.fromkeys([*PRIMITIVES.values(), *(label for label, _ in points.rows)]))
    labels = [label for label in labels if any(row[0] == label for row in points.rows)]
    panels = canvas.subplots(1, len(labels), sharey=True, squeeze=False)[0]
    for axes, label in zip(panels, labels, strict=True):
        bare(axes)
        systems = [row[1] for row in points.rows if row[0] == label]
        for (primitive, system), _, cell in points.each():
            if primitive != label or cell.value is None:
                continue
            axes.scatter(
                systems.index(system), cell.value, s=26, linewidths=0.9, edgecolors=INK,
                facecolors=INK if cell.value >= 1 else "none",
                marker="o" if cell.origin == "published" else "D",
            )
        axes.axhline(1, color=INK, linewidth=0.8, linestyle="--")
        axes.set_yscale("log")
        axes.set_xlim(-0.6, len(systems) - 0.4)
        axes.set_xticks(range(len(systems)), systems, rotation=70, ha="right",
                        rotation_mode="anchor", fontsize=7)
        axes.set_title(label, color=INK)
    panels[0].set_ylabel("speedup of Gunrock")
