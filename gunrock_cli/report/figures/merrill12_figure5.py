"""Merrill 2012, Figure 5: neighbor gathering by each strategy, alone."""

from __future__ import annotations

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.evidence.merrill import by_graph, put_all, variants_figure
from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.forms.plot import Figure

NAME, ORDER = "merrill12-figure5", 110
PRIMITIVE = "microbench-gather"
SERIAL = "SERIAL"
STRATEGIES = {
    SERIAL: "serial",
    "WARP": "warp",
    "SCAN": "scan",
    "TWC": "scan+warp+CTA",
    "TWC, stolen": "scan+warp+CTA, tiles stolen",
    "LB": "equal chunks of edges (LB)",
    "LB_NODES": "equal chunks of vertices (LB_NODES)",
}
"""The paper's strategies by its names, then ours."""
PROFILED = {
    "dram_bytes_per_edge": "DRAM bytes per edge",
    "instructions_per_dram_byte": "thread instructions per DRAM byte",
}
"""Metrics of gunrock profile, if Nsight Compute is installed."""


def build(data: ReportData) -> Figure:
    points = Table(
        NAME,
        "Merrill 2012 Figure 5: neighbour gathering alone",
        ("Graph", "System"),
        caption="Billions of edges a second, over the recorded frontiers of traversals from "
        "random sources. The paper prints no numbers; its text: serial gathering does poorly "
        "on most graphs, that by warps where lists are short, that by scan where degrees are "
        "skewed; all three together do well throughout. Bytes moved through DRAM stand in the "
        "table where gunrock profile found them.",
    )
    found = by_graph(data, PRIMITIVE, gathering)
    drawn = variants_figure(points, data, found, STRATEGIES, over=SERIAL)
    profiled = by_graph(data, PRIMITIVE, gathering, records=data.profiled if found else ())
    for metric, group in PROFILED.items():
        put_all(points, profiled, STRATEGIES, lambda each, name=metric: each.metrics.get(name), group)  # type: ignore[misc]
    return drawn


def gathering(record: Record) -> str | None:
    """A record's strategy; one thread per vertex is the paper's serial one."""
    name = record.options.get("strategy")
    if record.options.get("tiles") == "stolen":
        name = f"{name}, stolen"
    return SERIAL if name == "TM" else name if name in STRATEGIES else None
