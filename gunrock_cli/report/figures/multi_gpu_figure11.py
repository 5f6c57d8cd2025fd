"""Merrill 2012, Figure 11: traversal rates of BFS on one device and on several."""

from __future__ import annotations

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.evidence.device_counts import SCRIPT
from gunrock_cli.report.evidence.merrill import MANY_SOURCES, by_graph, variants_figure
from gunrock_cli.report.evidence.plain_runs import devices_of
from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.forms.plot import Figure

NAME, ORDER = "multi-gpu-figure11", 36
COLUMNS = {"1": "one device", "2": "two", "3": "three", "4": "four"}


def build(data: ReportData) -> Figure:
    points = Table(
        NAME,
        "Merrill 2012 Figure 11: BFS on several devices",
        ("Graph", "System"),
        caption="Billions of traversed edges a second, distances only, push, mean of random "
        "sources. The paper prints no rates of one device there; its text, of C2050s: slower "
        "than one where searches are deeper than 100 levels; on rmat.2Mv.128Me two, three and "
        "four are 1.5, 2.1 and 2.5 times as fast, and four traverse 7.4 (random.2Mv.128Me) "
        "and 8.3 billion edges a second.",
    )
    found = {
        key: variants
        for key, variants in by_graph(data, "bfs", devices, several=True).items()
        if set(variants) - {"1"}
    }
    return variants_figure(points, data, found, COLUMNS, over="1", script=SCRIPT)


def devices(record: Record) -> str | None:
    """The number of devices of a search that the figure is about; None for other records."""
    if not searched(record) or record.options.get("mark_pred"):
        return None
    number = str(devices_of(record))
    return number if number in COLUMNS else None


def searched(record: Record) -> bool:
    """True for a plain push from many sources, in step."""
    options = record.options
    return (
        options.get("direction") == "push"
        and not options.get("idempotence")
        and options.get("strategy", "fused") == "fused"
        and (record.status != "ok" or len(set(record.sources)) >= MANY_SOURCES)
    )
