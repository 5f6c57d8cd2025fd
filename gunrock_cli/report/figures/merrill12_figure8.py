"""Merrill 2012, Figure 8: false negatives of status lookups."""

from __future__ import annotations

from gunrock_cli.bench.records.record import Record
from gunrock_cli.primitives.micro.status_lookup import PROGRESSIVE
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.evidence.merrill import by_graph, variants_figure
from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.forms.plot import Figure

NAME, ORDER = "merrill12-figure8", 140
COLUMNS = {name: name.replace("+", " + ") for name in PROGRESSIVE}


def build(data: ReportData) -> Figure:
    points = Table(
        NAME,
        "Merrill 2012 Figure 8: false negatives of status lookup",
        ("Graph", "System"),
        caption="Percent of the vertices that were to be culled (m - n) and were not, over "
        "the recorded edge frontiers; means of all sources. The paper's text: 6.4% on average "
        "by the bitmask alone, 4.0% with the label; culling by warps takes a tenth of it on "
        "meshes, and by history a fifth of what is left on the graphs in the middle.",
    )
    found = by_graph(data, "microbench-lookup", strategy)
    return variants_figure(
        points, data, found, COLUMNS, share, axis="false negatives (%)", scale="linear"
    )


def strategy(record: Record) -> str | None:
    """The paper's strategy that a record is of, or None."""
    name = record.options.get("strategy")
    return name if name in COLUMNS else None


def share(record: Record) -> float | None:
    """The share in percent."""
    found = record.metric("false_negative_share")
    return None if found is None else 100 * found
