"""PPoPP'16, Figure 8: what three optimizations of BFS are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gunrock_cli.report.by_option import by_option
from gunrock_cli.report.cells import Table
from gunrock_cli.report.data import ReportData, measured_cell, short_device, system_of
from gunrock_cli.report.figure import COLOURS, Figure, bare
from gunrock_cli.report.marks import PAPER_RUNS
from gunrock_cli.visible import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

NAME, ORDER = "ppopp16-figure8", 20
PANELS = {
    "advance_mode": "Workload mapping",
    "idempotence": "Idempotent operations",
    "direction": "Forward or direction-optimized",
}

CAPTION = (
    "Mean runtime in ms (lower is better) of BFS runs that differ in one option only; a run whose "
    "direction could never change (optimized, with an alpha of 0) counts as push, which it was. The "
    "paper shows its figure without numbers."
)
AGAINST = (("idempotence=true", "idempotence=false"), ("advance_mode=TWC", "advance_mode=LB"))
"""Settings that the papers found faster than, or as fast as, those beside them."""
WHY = "docs/performance.md, \"Idempotence and TWC against the papers\", says why."


def build(data: ReportData) -> Figure:
    points = Table(NAME, "PPoPP'16 Figure 8: three ablations of BFS", ("Graph", "Optimization"),
                   caption=CAPTION)
    systems = []
    for option, title in PANELS.items():
        for found in by_option(data.current, "bfs", option):
            row = (f"{found.graph}, {short_device(found.device)}", title)
            for value, record in sorted(found.by_value.items()):
                time = record.time_ms
                points.put(row, ("", f"{option}={visible(value)}"),
                           measured_cell(record, time.mean if time else None, runs=PAPER_RUNS))
                systems.append(system_of(record))
    if not points.rows:
        points.missing = "Not measured yet: scripts/ppopp16-figure8.sh."
        return Figure(points, None)
    points.caption += " " + against_the_papers(points) + data.hardware(list(dict.fromkeys(systems)))
    return Figure(points, lambda canvas: draw(canvas, points), (10.0, 4.2))


def against_the_papers(points: Table) -> str:
    """Where these runs contradict the papers: a sentence of a caption, or nothing."""
    found = []
    for praised, other in AGAINST:
        ratios = []
        for row in points.rows:
            other_ms, praised_ms = (points.cell(row, ("", name)).value for name in (other, praised))
            if other_ms and praised_ms and praised_ms > other_ms:
                ratios.append(f"{praised_ms / other_ms:.1f} times on {row[0]}")
        if ratios:
            found.append(f"{praised} took longer than {other} ({', '.join(ratios)})")
    return f"Against the papers, {'; '.join(found)}: {WHY} " if found else ""


def draw(canvas: Canvas, points: Table) -> None:
    """One panel per optimization: one dot per setting, grouped by graph (a logarithmic axis has no
    zero for bars to stand on)."""
    for axes, (option, title) in zip(canvas.subplots(1, 3), PANELS.items(), strict=True):
        bare(axes)
        axes.set_title(title)
        graphs = [row for row in points.rows if row[1] == title]
        columns = [column for column in points.columns if column[1].startswith(f"{option}=")]
        step = 0.5 / max(1, len(columns))
        for index, column in enumerate(columns):
            places = [place + (index - (len(columns) - 1) / 2) * step
                      for place in range(len(graphs))]
            times = [points.cell(row, column).value or float("nan") for row in graphs]
            axes.plot(places, times, "oDs^v"[index % 5], label=column[1].partition("=")[2],
                      color=COLOURS[index % len(COLOURS)], markersize=6)
        if not graphs:
            axes.text(0.5, 0.5, "not measured", ha="center", transform=axes.transAxes)
            axes.set_yticks([])
            axes.set_xticks([])
            continue
        axes.set_yscale("log")
        axes.set_xlim(-0.5, len(graphs) - 0.5)
        axes.set_xticks(range(len(graphs)), [row[0] for row in graphs], rotation=45, ha="right",
                        rotation_mode="anchor", fontsize=7)
        axes.legend(fontsize=7)
    canvas.axes[0].set_ylabel("runtime (ms)")
