"""Merrill et al., PPoPP'12, Table 1: the data sets with their average search depth."""

from __future__ import annotations

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.evidence.marks import MODIFIED, modified
from gunrock_cli.report.evidence.merrill import SCRIPT, by_graph, datasets, few_sources
from gunrock_cli.report.forms.cells import Cell, Table
from gunrock_cli.report.forms.numbers import figure

NAME, ORDER = "merrill12-table1", 65
COLUMNS = {
    "n_millions": "n (millions)",
    "m_millions": "m (millions)",
    "mean_degree": "mean degree",
    "avg_search_depth": "mean search depth",
}
PAPER, HERE = "the paper", "here"


def build(data: ReportData) -> Table:
    table = Table(
        NAME,
        "Merrill 2012 Table 1: data sets",
        ("Dataset",),
        caption="Edges are directed: an undirected one counts twice. The search depth is that "
        "of the farthest vertex, the mean of random sources. A stand-in is called one.",
    )
    table.declare(
        rows=[(name,) for name in datasets(data)],
        columns=[(group, label) for group in (PAPER, HERE) for label in COLUMNS.values()],
    )
    for line in data.papers.merrill_datasets.to_dict("records"):
        for key, label in COLUMNS.items():
            value = float(line[key])
            table.put((str(line["name"]),), (PAPER, label), Cell(f"{value:g}", value, "published"))
    found = by_graph(data, "bfs", many)
    for (graph, _), variants in found.items():
        each = variants["many"]
        record, marks = each.record, few_sources(each.record)
        marks += each.identity.marks if each.identity else ()
        marks += (MODIFIED,) if modified(record) else ()
        for label, value in zip(COLUMNS.values(), described(record), strict=True):
            table.put(
                (graph,),
                (HERE, label),
                Cell(figure(value) or "—", value, "measured", (record.id,), marks=marks),
            )
    if not found:
        table.drop_empty_columns()
        table.missing = SCRIPT
    return table


def many(record: Record) -> str | None:
    """Name a run that knows the mean depth of its sources."""
    return "many" if record.status == "ok" and record.metrics.get("mean_depth") is not None else None


def described(record: Record) -> tuple[float, float, float, float]:
    """The columns' values for its graph."""
    n, m = record.graph["vertices"] or 0, record.graph["edges"] or 0
    return n / 1e6, m / 1e6, m / max(1, n), record.metric("mean_depth") or 0.0
