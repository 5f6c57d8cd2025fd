"""arXiv 2015, Table 2: the first version's comparison, with other data sets and systems."""

from __future__ import annotations

from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.tables._paper_tables import Line, comparison_table, five_lines

NAME, ORDER = "arxiv15-table2", 50
SYSTEMS = ["BGL", "PowerGraph", "Medusa", "MapGraph", "Hardwired GPU", "Ligra", "Gunrock"]
ITERATION = Line("pagerank", "PageRank, 1 iteration", "runtime of one iteration", True)


def build(data: ReportData) -> Table:
    table = Table(NAME, "arXiv 2015 Table 2: performance comparison", ("Alg.", "Dataset"))
    lines = five_lines(False)
    lines.insert(1 + [line.primitive for line in lines].index("pagerank"), ITERATION)
    return comparison_table(data, table, "arxiv15", "table2", SYSTEMS, lines)
