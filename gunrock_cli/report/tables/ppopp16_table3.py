"""PPoPP'16, Table 3: runtime and edge throughput by primitive, data set and system."""

from __future__ import annotations

from gunrock_cli.report.cells import Table
from gunrock_cli.report.data import ReportData
from gunrock_cli.report.paper_tables import comparison_table, five_lines

NAME, ORDER = "ppopp16-table3", 30
SYSTEMS = ["CuSha", "MapGraph", "Hardwired GPU", "Ligra", "Gunrock"]


def build(data: ReportData) -> Table:
    table = Table(NAME, "PPoPP'16 Table 3: performance comparison", ("Alg.", "Dataset"),
                  caption="PageRank times are of one iteration. OOM: out of memory.")
    return comparison_table(data, table, "ppopp16", "table3", SYSTEMS, five_lines(True))
