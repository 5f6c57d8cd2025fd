"""PPoPP'16, Table 1: the data sets, and the graphs that were measured here."""

from __future__ import annotations

from collections.abc import Iterator

from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.table import graph_name
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.evidence.marks import MODIFIED, modified
from gunrock_cli.report.forms.cells import Cell, Table
from gunrock_cli.report.forms.numbers import count

NAME, ORDER = "ppopp16-table1", 10
COLUMNS = ("Vertices", "Edges", "Max degree", "Diameter", "Type")
DESCRIBED = (
    "Diameter and type here are of gunrock stats: of the largest component, ≥ where the searches gave a "
    "bound alone; the type is guessed from the degrees."
)


def build(data: ReportData) -> Table:
    table = Table(
        NAME,
        "PPoPP'16 Table 1: data sets",
        ("From", "Dataset"),
        caption=f"Edges are directed: an undirected one counts twice. {DESCRIBED}",
    )
    table.declare(columns=[("", label) for label in COLUMNS])
    frame = data.papers.datasets
    for line in frame[frame["source"] == "ppopp16"].fillna("").to_dict("records"):
        row = ("paper", str(line["name"]))
        for label in COLUMNS:
            text = str(line[label.lower().replace(" ", "_")])
            table.put(row, ("", label), Cell(text or "—", None, "published"))
    for name, record in measured_graphs(data).items():
        for label, cell in described(data, record):
            table.put(("here", name), ("", label), cell)
    if not any(row[0] == "here" for row in table.rows):
        table.missing = "No measured graph in the records."
    return table


def measured_graphs(data: ReportData) -> dict[str, Record]:
    """A record that knows the sizes of each graph, by name: graphs that ran, then others that were
    described."""
    found: dict[str, Record] = {}
    for record in [*data.current, *data.described]:
        if {"vertices", "edges"} <= record.graph.keys():
            found.setdefault(graph_name(record), record)
    return found


def described(data: ReportData, record: Record) -> Iterator[tuple[str, Cell]]:
    """The columns and cells of the record's graph, with what its description adds."""
    graph, facts = record.graph, data.facts.get(graph_name(record), record)
    for label, value in (("Vertices", graph.get("vertices")), ("Edges", graph.get("edges"))):
        if value is not None:
            yield label, fact(record, count(value), value)
    if (most := graph.get("max_degree")) is not None:
        yield "Max degree", fact(record, str(most), most)
    if (diameter := facts.graph.get("diameter")) is not None:
        exact = facts.metrics.get("diameter_is_exact", True)
        yield "Diameter", fact(facts, f"{'' if exact else '≥ '}{diameter}", diameter)
    if kind := facts.graph.get("type"):
        yield "Type", fact(facts, kind)


def fact(record: Record, text: str, value: float | None = None) -> Cell:
    """A value of the record's graph, which does not depend on how it ran or was checked."""
    return Cell(text, value, "measured", (record.id,), marks=(MODIFIED,) if modified(record) else ())
