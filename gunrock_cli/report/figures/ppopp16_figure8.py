"""PPoPP'16, Figure 8: the effect of three optimizations of BFS."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

from gunrock_cli.report.evidence.by_option import by_option
from gunrock_cli.report.evidence.claims import without_gpu
from gunrock_cli.report.evidence.data import ReportData, measured_cell, short_device, system_of
from gunrock_cli.report.evidence.marks import PAPER_RUNS
from gunrock_cli.report.forms.cells import Row, Table
from gunrock_cli.report.forms.plot import MARKERS, Figure, bare, clipped, colour, tip
from gunrock_cli.visible import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

NAME, ORDER = "ppopp16-figure8", 20
PANELS = {
    "advance_mode": "Workload mapping",
    "idempotence": "Idempotent operations",
    "direction": "Forward or direction-optimized",
}
WORDS = {
    "advance_mode": {
        "TM": "one thread per vertex (TM)",
        "LB": "equal chunks of edges (LB)",
        "LB_NODES": "equal chunks of vertices (LB_NODES)",
        "TWC": "thread, warp or block by degree (TWC)",
        "AUTO": "by the frontier's size (AUTO)",
        "HYBRID": "the papers' rule (HYBRID)",
    },
    "idempotence": {"true": "idempotent", "false": "atomic"},
    "direction": {
        "push": "forward (push)",
        "pull": "backward (pull)",
        "optimized": "direction-optimized",
    },
}
"""The legend's names for an option's values."""

CAPTION = (
    "Mean runtime in ms (lower is better) of BFS runs of one commit that differ in one option only; a "
    "run whose direction could never change (optimized, with an alpha of 0) counts as push, which it "
    "was. The paper shows its figure without numbers."
)
AGAINST = (("idempotence=true", "idempotence=false"), ("advance_mode=TWC", "advance_mode=LB"))
"""Settings that the papers found faster than, or as fast as, the ones next to them."""
WHY = 'docs/decisions/levels.md, "Idempotence and TWC against the papers", says why.'


def build(data: ReportData) -> Figure:
    points = Table(
        NAME, "PPoPP'16 Figure 8: three ablations of BFS", ("Graph", "Optimization"), caption=CAPTION
    )
    systems = []
    cpus: set[Row] = set()
    for option, title in PANELS.items():
        for found in by_option(data.of_each_build, "bfs", option):
            row = (f"{found.graph}, {short_device(found.device)}", title)
            if any(map(without_gpu, found.by_value.values())):
                cpus.add(row)
            for value, record in sorted(found.by_value.items()):
                time = record.time_ms
                points.put(
                    row,
                    ("", f"{option}={visible(value)}"),
                    measured_cell(record, time.mean if time else None, runs=PAPER_RUNS, by_option=True),
                )
                systems.append(system_of(record))
    if not points.rows:
        points.missing = "Not measured yet: scripts/ppopp16-figure8.sh."
        return Figure(points, None)
    points.caption += " " + against_the_papers(points, cpus) + data.hardware(list(dict.fromkeys(systems)))
    graphs = len({graph for graph, _ in points.rows})
    return Figure(points, lambda canvas: draw(canvas, points), (10.0, 2.2 + 0.6 * graphs))


def against_the_papers(points: Table, cpus: Container[Row]) -> str:
    """A sentence for a caption if these runs on GPUs contradict the papers, or an empty string."""
    found = []
    for praised, other in AGAINST:
        ratios = []
        for row in points.rows:
            if row in cpus:
                continue
            other_ms, praised_ms = (points.cell(row, ("", name)).value for name in (other, praised))
            if other_ms and praised_ms and praised_ms > other_ms:
                ratios.append(f"{praised_ms / other_ms:.1f} times on {row[0]}")
        if ratios:
            found.append(f"{praised} took longer than {other} ({', '.join(ratios)})")
    return f"Against the papers, {'; '.join(found)}: {WHY} " if found else ""


def words(option: str, value: str) -> str:
    """A setting as a reader would say it."""
    return WORDS[option].get(value, value)


def draw(canvas: Canvas, points: Table) -> None:
    """Draw one panel per optimization, one line per graph, named once, and one dot per setting (bars
    could not stand on a logarithmic axis, which has no zero)."""
    graphs = list(dict.fromkeys(row[0] for row in points.rows))
    panels = canvas.subplots(1, len(PANELS), sharey=True, squeeze=False)[0]
    for axes, (option, title) in zip(panels, PANELS.items(), strict=True):
        bare(axes, "x")
        axes.set_title(title)
        columns = [column for column in points.columns if column[1].startswith(f"{option}=")]
        step = 0.6 / max(1, len(columns))
        for index, column in enumerate(columns):
            setting = words(option, column[1].partition("=")[2])
            for place, graph in enumerate(graphs):
                cell = points.cell((graph, title), column)
                if cell.value:
                    dot = axes.scatter(
                        cell.value,
                        place + (index - (len(columns) - 1) / 2) * step,
                        marker=MARKERS[index % len(MARKERS)],
                        s=30,
                        **colour(index),
                    )
                    tip(dot, f"{graph}, {setting}: {cell.marked} ms")
            axes.scatter([], [], marker=MARKERS[index % len(MARKERS)], label=setting, **colour(index))
        if columns:
            axes.set_xscale("log")
            axes.set_xlabel("mean runtime (ms)")
            axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), fontsize=7.5)
        else:
            axes.text(0.5, 0.5, "not measured", ha="center", transform=axes.transAxes)
            axes.set_xticks([])
    panels[0].set_ylim(len(graphs) - 0.5, -0.5)
    panels[0].set_yticks(range(len(graphs)), map(clipped, graphs))
