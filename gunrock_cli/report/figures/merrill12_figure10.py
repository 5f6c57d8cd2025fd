"""Merrill 2012, Figure 10: whole traversals by each strategy."""

from __future__ import annotations

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.evidence.merrill import MANY_SOURCES, by_graph, variants_figure
from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.forms.plot import Figure

NAME, ORDER = "merrill12-figure10", 160
BASE = "expand-contract"
STRATEGIES = {
    BASE: BASE,
    "contract-expand": "contract-expand",
    "two-phase": "two-phase",
    "hybrid": "hybrid",
    "fused": "fused (our default)",
    "quadratic": "quadratic",
}


def build(data: ReportData) -> Figure:
    points = Table(
        NAME,
        "Merrill 2012 Figure 10: strategies of BFS",
        ("Graph", "System"),
        caption="Billions of traversed edges a second, distances only, mean of random "
        "sources. The paper prints no numbers; its text: contract-expand does best where "
        "frontiers are small, two-phase where they are large, and hybrid as well as "
        "expand-contract or better everywhere; quadratic BFS (Hong et al.) is 4.2 times "
        "slower in the harmonic mean.",
    )
    return variants_figure(points, data, by_graph(data, "bfs", strategy), STRATEGIES, over=BASE)


def strategy(record: Record) -> str | None:
    """The strategy of a run that the figure is about, or None."""
    options, name = record.options, record.options.get("strategy")
    if (
        name not in STRATEGIES
        or options.get("mark_pred")
        or options.get("direction") != "push"
        or (options.get("advance_mode") or "AUTO") not in ("AUTO", "TWC")
        or few(record)
        or (name == "fused" and options.get("idempotence"))
    ):
        return None
    return str(name)


def few(record: Record) -> bool:
    """True if it ran from too few sources to say anything about the mean; a failed run may not say."""
    return record.status == "ok" and len(set(record.sources)) < MANY_SOURCES
