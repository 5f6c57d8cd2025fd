"""PPoPP'16, Table 1: the data sets, and the graphs that were measured here."""

from __future__ import annotations

from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.table import graph_name
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.evidence.marks import MODIFIED, modified
from gunrock_cli.report.forms.cells import Cell, Table
from gunrock_cli.report.forms.numbers import count

NAME, ORDER = "ppopp16-table1", 10
COLUMNS = ("Vertices", "Edges", "Max degree", "Diameter", "Type")


def build(data: ReportData) -> Table:
    table = Table(
        NAME,
        "PPoPP'16 Table 1: data sets",
        ("From", "Dataset"),
        caption="Edges are directed: an undirected one counts twice.",
    )
    table.declare(columns=[("", label) for label in COLUMNS])
    frame = data.papers.datasets
    for line in frame[frame["source"] == "ppopp16"].fillna("").to_dict("records"):
        row = ("paper", str(line["name"]))
        for label in COLUMNS:
            text = str(line[label.lower().replace(" ", "_")])
            table.put(row, ("", label), Cell(text or "—", None, "published"))
    for record in data.current:
        graph, name = record.graph, graph_name(record)
        if not {"vertices", "edges"} <= graph.keys() or ("here", name) in table.rows:
            continue
        values = {
            "Vertices": graph["vertices"],
            "Edges": graph["edges"],
            "Max degree": graph.get("max_degree"),
            "Diameter": graph.get("diameter"),
        }
        for label, value in values.items():
            if value is not None:
                text = f"{value}" if label in ("Max degree", "Diameter") else count(value)
                table.put(("here", name), ("", label), described(record, text, value))
        if graph.get("type"):
            table.put(("here", name), ("", "Type"), described(record, str(graph["type"])))
    if not any(row[0] == "here" for row in table.rows):
        table.missing = "No measured graph in the records."
    return table


def described(record: Record, text: str, value: float | None = None) -> Cell:
    """A value of the record's graph, which does not depend on how it ran or was checked."""
    return Cell(text, value, "measured", (record.id,), marks=(MODIFIED,) if modified(record) else ())
