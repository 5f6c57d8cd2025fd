"""Merrill 2012, Figure 6: status lookup next to neighbor gathering."""

from __future__ import annotations

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.evidence.merrill import ByGraph, by_graph, variants_figure
from gunrock_cli.report.figures.merrill12_figure5 import PRIMITIVE, gathering
from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.forms.plot import Figure

NAME, ORDER = "merrill12-figure6", 120
LOOKUPS = "microbench-lookup"
GATHER, LOOKUP = "gather", "lookup"
COLUMNS = {GATHER: "gathering (scan+warp+CTA)", LOOKUP: "lookup (bitmask, label)"}


def build(data: ReportData) -> Figure:
    points = Table(
        NAME,
        "Merrill 2012 Figure 6: status lookup and neighbour gathering",
        ("Graph", "System"),
        caption="Billions of edges a second, each alone. The paper prints no numbers; its "
        "text: lookup is generally the more expensive of the two, above all where degrees are "
        "high.",
    )
    return variants_figure(points, data, both(data), COLUMNS)


def both(data: ReportData) -> ByGraph:
    """Records of lookup and of gathering, by graph."""
    return by_graph(data, (PRIMITIVE, LOOKUPS), isolated)


def isolated(record: Record) -> str | None:
    """The kernel that a record is of; None for another strategy."""
    if record.primitive == LOOKUPS:
        return lookup(record)
    return GATHER if gathering(record) == "TWC" else None


def lookup(record: Record) -> str | None:
    """The paper's lookup: a bitmask, and a label if the bitmask does not tell."""
    return LOOKUP if record.options.get("strategy") == "bitmask+label" else None
