"""The primitives that the papers name but have no table for: time, and the quality of the answer."""

from __future__ import annotations

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.data import (
    ReportData,
    System,
    measured_cell,
    primitive_label,
    runtime_cell,
)
from gunrock_cli.report.evidence.marks import PAPER_RUNS
from gunrock_cli.report.forms.cells import Table

NAME, ORDER = "classics", 75
QUALITY = {
    "mst": ("weight", "edges"),
    "mis": ("size",),
    "color": ("colors",),
    "matching": ("size", "weight"),
    "louvain": ("modularity", "communities", "levels"),
}
"""The metrics that tell a better answer from a worse one, most important first, by primitive."""


def build(data: ReportData) -> Table:
    table = Table(
        NAME,
        "Classics: not in the papers' tables",
        ("Primitive", "Graph", "System"),
        caption="PPoPP'16 names these primitives in section 5.5 and prints no figure of them. "
        "Mean times; quality as each answer's record has it: a lower weight of a spanning "
        "forest, fewer colors, larger sets and matchings and a higher modularity are better.",
    )
    table.declare(columns=[("", "Runtime (ms)"), ("", "Quality"), ("", "time / floor")])
    shown: list[System] = []
    for primitive in QUALITY:
        for graph in data.graphs(primitive):
            for system in data.systems:
                record = data.best_on_graph(primitive, system, graph)
                if record is None:
                    continue
                row = (primitive_label(primitive), graph, system.label)
                table.put(row, ("", "Runtime (ms)"), runtime_cell(record, runs=PAPER_RUNS))
                if record.status == "ok":
                    for label, value, text in (
                        ("Quality", foremost(record), quality(record)),
                        ("time / floor", record.over_floor, None),
                    ):
                        if value is not None:
                            table.put(row, ("", label), measured_cell(record, value, text=text))
                shown.append(system)
    table.drop_empty_columns()
    if shown:
        table.caption += " " + data.hardware(list(dict.fromkeys(shown)))
    else:
        table.missing = "Not measured yet: scripts/classics-test.sh."
    return table


def foremost(record: Record) -> float | None:
    """The most important metric, as a number."""
    value = record.metrics.get(QUALITY[record.primitive][0])
    return value if isinstance(value, (int, float)) else None


def quality(record: Record) -> str:
    """All metrics, in words: whole numbers as they are, others to five digits."""
    parts = [(name, record.metrics.get(name)) for name in QUALITY[record.primitive]]
    return ", ".join(
        f"{name} {value}" if isinstance(value, int) else f"{name} {value:.5g}"
        for name, value in parts
        if isinstance(value, (int, float))
    )
