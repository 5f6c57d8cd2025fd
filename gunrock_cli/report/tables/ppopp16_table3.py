"""PPoPP'16, Table 3: runtime and edge throughput by primitive, data set and system."""

from __future__ import annotations

from dataclasses import replace

from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.forms.cells import Mark, Table
from gunrock_cli.report.tables._paper_tables import comparison_table, five_lines

NAME, ORDER = "ppopp16-table3", 30
SYSTEMS = ["CuSha", "MapGraph", "Hardwired GPU", "Ligra", "Gunrock"]
RERUN = "Gunrock rerun"
_SLOW = ("sssp", "rgg")
"""The cell whose printed time is contradicted by its authors' own rerun."""


def build(data: ReportData) -> Table:
    table = Table(
        NAME,
        "PPoPP'16 Table 3: performance comparison",
        ("Alg.", "Dataset"),
        caption="PageRank times are of one iteration. OOM: out of memory.",
    )
    comparison_table(data, table, "ppopp16", "table3", SYSTEMS, five_lines(True), {"rerun16": [RERUN]})
    mark = Mark(
        "#",
        f"rerun of the paper by its authors (K40c, v0.3.1, Nov 2016): SSSP on rgg "
        f"{_times_faster(data):.0f} times faster than printed.",
    )
    table.cells = {
        place: replace(cell, marks=(mark,)) if place[1][1] == RERUN else cell
        for place, cell in table.cells.items()
    }
    return table


def _times_faster(data: ReportData) -> float:
    """The speedup of the rerun of that cell over the printed time."""
    printed = data.papers.table("ppopp16", "table3")[(*_SLOW, "Gunrock", "runtime")]
    return printed.value / data.papers.table("rerun16", "table3")[(*_SLOW, RERUN, "runtime")].value
