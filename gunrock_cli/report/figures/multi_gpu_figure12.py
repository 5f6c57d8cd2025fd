"""Merrill 2012, Figure 12: BFS on several devices by size and degree of uniform random graphs."""

from __future__ import annotations

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.evidence.device_counts import SCRIPT
from gunrock_cli.report.evidence.merrill import by_graph, variants_figure
from gunrock_cli.report.evidence.plain_runs import devices_of
from gunrock_cli.report.figures.multi_gpu_figure11 import searched
from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.forms.plot import Figure

NAME, ORDER = "multi-gpu-figure12", 37
DISTANCES, PREDECESSORS = "distances", "predecessors"
COLUMNS = {
    f"{devices} {what}": f"{words}, {what}"
    for devices, words in ((2, "two devices"), (3, "three"), (4, "four"))
    for what in (DISTANCES, PREDECESSORS)
}


def build(data: ReportData) -> Figure:
    points = Table(
        NAME,
        "Merrill 2012 Figure 12: uniform random graphs on several devices",
        ("Graph", "System"),
        caption="Billions of traversed edges a second, push, mean of random sources, of "
        "uniform random graphs by size and mean degree. The paper prints no numbers; its "
        "text, of four C2050s: the rate grows with the degree and hardly depends on the size.",
    )
    found = by_graph(data, "bfs", variant, several=True)
    return variants_figure(points, data, found, COLUMNS, script=SCRIPT)


def variant(record: Record) -> str | None:
    """The variant of a search of a uniform random graph: the number of devices, and whether it found
    distances or predecessors; None for others."""
    if (record.graph.get("origin") or {}).get("kind") != "random" or not searched(record):
        return None
    what = PREDECESSORS if record.options.get("mark_pred") else DISTANCES
    name = f"{devices_of(record)} {what}"
    return name if name in COLUMNS else None
