"""arXiv 2015, Table 1: the data sets of the first version, and the graphs that represent them here."""

from __future__ import annotations

from dataclasses import replace

from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.forms.cells import Cell, Table
from gunrock_cli.report.tables.ppopp16_table1 import DESCRIBED, described, measured_graphs

NAME, ORDER, SOURCE = "arxiv15-table1", 45, "arxiv15"
COLUMNS = ("Vertices", "Edges", "Max degree", "Diameter", "Type")
PAPER, HERE = "the paper", "here"


def build(data: ReportData) -> Table:
    table = Table(
        NAME,
        "arXiv 2015 Table 1: data sets",
        ("Dataset",),
        caption="As the paper prints them. Here edges are directed: an undirected one counts "
        f"twice; what the paper's count is differs from graph to graph. {DESCRIBED}",
    )
    table.declare(columns=[(group, label) for group in (PAPER, HERE) for label in COLUMNS])
    frame = data.papers.datasets
    lines = frame[frame["source"] == SOURCE].fillna("").to_dict("records")
    names = {str(line["short"]): str(line["name"]) for line in lines}
    for line in lines:
        for label in COLUMNS:
            text = str(line[label.lower().replace(" ", "_")])
            if text:
                table.put((str(line["name"]),), (PAPER, label), Cell(text, None, "published"))
    for record in measured_graphs(data).values():
        found = data.identity(record, SOURCE, list(names))
        if found is None:
            continue
        for label, cell in described(data, record):
            marked = replace(cell, marks=(*found.marks, *cell.marks))
            table.put((names[found.dataset],), (HERE, label), marked)
    table.drop_empty_columns()
    if not any(group == HERE for group, _ in table.columns):
        table.missing = (
            "None of them was measured: scripts/arxiv15-scaling.sh, or make -C datasets arxiv15."
        )
    return table
