"""What the papers have, where each item is here, and how it differs."""

from __future__ import annotations

from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.forms.cells import Cell, Table

NAME, ORDER = "papers", 97
WHERE, HOW = ("", "Here"), ("", "How it differs")
PUBLISHED_ONLY = (
    "PowerGraph, Medusa, MapGraph, CuSha and Totem stand in tables with their published figures alone: "
    "research code of 2012 to 2015, for clusters or for GPUs of that time, of which no build for today's "
    "is known here. Any program that can be built becomes a peer by a file (docs/peers.md)."
)


def build(data: ReportData) -> Table:
    table = Table(
        NAME,
        "The papers, item by item",
        ("Paper", "Place", "Item"),
        caption="Reports are those of gunrock report --list.",
    )
    table.declare(columns=[WHERE, HOW])
    for line in data.papers.items.to_dict("records"):
        row = (str(line["paper"]), str(line["place"]), str(line["item"]))
        table.put(row, WHERE, Cell(str(line["where"]) or "—"))
        table.put(row, HOW, Cell(str(line["how"])))
    table.notes.append(PUBLISHED_ONLY)
    return table
