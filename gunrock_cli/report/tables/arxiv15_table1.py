"""arXiv 2015, Table 1: the data sets of the first version, and the graphs that represent them here."""

from __future__ import annotations

from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.forms.cells import Cell, Table
from gunrock_cli.report.forms.numbers import count
from gunrock_cli.report.tables.ppopp16_table1 import described

NAME, ORDER, SOURCE = "arxiv15-table1", 45, "arxiv15"
COLUMNS = ("Vertices", "Edges", "Max degree", "Diameter", "Type")
PAPER, HERE = "the paper", "here"


def build(data: ReportData) -> Table:
    table = Table(
        NAME,
        "arXiv 2015 Table 1: data sets",
        ("Dataset",),
        caption="As the paper prints them. Here edges are directed: an undirected one counts "
        "twice; what the paper's count is differs from graph to graph.",
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
    for record in data.current:
        found = data.identity(record, SOURCE, list(names))
        if found is None or not {"vertices", "edges"} <= record.graph.keys():
            continue
        row = (names[found.dataset],)
        for label, key in (
            ("Vertices", "vertices"),
            ("Edges", "edges"),
            ("Max degree", "max_degree"),
            ("Diameter", "diameter"),
            ("Type", "type"),
        ):
            value = record.graph.get(key)
            if value is None:
                continue
            number = None if label == "Type" else float(str(value))
            text = count(number) if label in ("Vertices", "Edges") else str(value)
            cell = described(record, text, number)
            table.put(
                row,
                (HERE, label),
                Cell(cell.text, cell.value, cell.origin, cell.records, marks=(*found.marks, *cell.marks)),
            )
    table.drop_empty_columns()
    if not any(group == HERE for group, _ in table.columns):
        table.missing = (
            "None of them was measured: scripts/arxiv15-scaling.sh, or make -C datasets arxiv15."
        )
    return table
