"""Merrill 2012, Figure 5: neighbour gathering by each strategy, alone."""

from __future__ import annotations

from gunrock_cli.bench.record import Record
from gunrock_cli.report.by_graph_figure import by_graph_figure
from gunrock_cli.report.cells import Table
from gunrock_cli.report.data import ReportData
from gunrock_cli.report.figure import Figure
from gunrock_cli.report.merrill import (
    SCRIPT,
    by_graph,
    normalized_means,
    put_all,
    rate,
    systems_of,
)

NAME, ORDER = "merrill12-figure5", 110
PRIMITIVE = "microbench-gather"
SERIAL = "SERIAL"
STRATEGIES = {SERIAL: "serial", "WARP": "warp", "SCAN": "scan", "TWC": "scan+warp+CTA",
              "LB": "equal chunks of edges (LB)", "LB_NODES": "equal chunks of vertices (LB_NODES)"}
"""The paper's by its names, then ours."""
PROFILED = {"dram_bytes_per_edge": "DRAM bytes per edge",
            "instructions_per_dram_byte": "thread instructions per DRAM byte"}
"""Of gunrock profile, where Nsight Compute is installed."""


def build(data: ReportData) -> Figure:
    points = Table(NAME, "Merrill 2012 Figure 5: neighbour gathering alone", ("Graph", "System"),
                   caption="Billions of edges a second, over the recorded frontiers of traversals from "
                   "random sources. The paper prints no numbers; its text: serial gathering does poorly "
                   "on most graphs, that by warps where lists are short, that by scan where degrees are "
                   "skewed; all three together do well throughout. Bytes moved through DRAM stand in the "
                   "table where gunrock profile found them.")
    found = by_graph(data, PRIMITIVE, gathering)
    if not found:
        points.missing = SCRIPT
        return Figure(points, None)
    put_all(points, found, STRATEGIES, rate)
    normalized_means(points, found, STRATEGIES, SERIAL)
    profiled = by_graph(data, PRIMITIVE, gathering, records=data.profiled)
    for metric, group in PROFILED.items():
        put_all(points, profiled, STRATEGIES, lambda each, name=metric: each.metrics.get(name), group)  # type: ignore[misc]
    points.caption += " " + data.hardware(systems_of(found))
    return by_graph_figure(points, "billion edges a second")


def gathering(record: Record) -> str | None:
    """The strategy of a record; one thread for each vertex is the paper's serial one."""
    name = record.options.get("strategy")
    return SERIAL if name == "TM" else name if name in STRATEGIES else None
