"""The papers' comparison tables: runtime and MTEPS by primitive, data set and system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.table import graph_name
from gunrock_cli.report.evidence.clocks import told_clocks
from gunrock_cli.report.evidence.data import PRIMITIVES, ReportData, System, measured_cell, runtime_cell
from gunrock_cli.report.evidence.identity import Identity
from gunrock_cli.report.evidence.marks import PAPER_RUNS
from gunrock_cli.report.evidence.papers import Printed
from gunrock_cli.report.evidence.rates import counting, edges_inspected, mteps
from gunrock_cli.report.forms.cells import Table

RUNTIME, THROUGHPUT, INSPECTED = "Runtime (ms)", "MTEPS", "Edges inspected"
NOTHING = "Nothing measured on these primitives yet: gunrock sweep, then --records."
CHOICE_NOTE = (
    "Measured: mean of the timed runs of the newest valid record; runs with the primitive's "
    "own defaults stand before those that set an option (each cell's record names them)."
)


@dataclass(frozen=True)
class Line:
    """One primitive's block of rows; ``per_iteration`` divides by the iterations (PageRank)."""

    primitive: str
    label: str
    metric: str = "runtime"
    per_iteration: bool = False


def comparison_table(
    data: ReportData,
    table: Table,
    source: str,
    number: str,
    systems: list[str],
    lines: list[Line],
    also: Mapping[str, list[str]] | None = None,
) -> Table:
    """Fill ``table`` with the paper's columns next to the measured ones.

    The paper's data sets come first; other measured graphs follow in their own rows. ``also`` are systems
    by source that others published for the same table."""
    printed = {source: systems, **(also or {})}
    published = {key: value for name in printed for key, value in data.papers.table(name, number).items()}
    columns = [system for names in printed.values() for system in names]
    datasets = list(dict.fromkeys(dataset for _, dataset, _, _ in published))
    measured = data.systems
    for group in (RUNTIME, THROUGHPUT, INSPECTED):
        table.declare(columns=[(group, system) for system in columns])
        table.declare(columns=[(group, system.label) for system in measured])
    for line in lines:
        table.declare(rows=[(line.label, dataset) for dataset in datasets])
        for dataset in datasets:
            _put_published(table, published, line, dataset, columns)
        for system in measured:
            _put_measured(data, table, line, system, source, datasets)
    table.drop_empty_columns()
    shown = [system for system in measured if (RUNTIME, system.label) in table.columns]
    hardware = " ".join(data.papers.hardware(*each) for each in printed.items())
    measured_on = data.hardware(shown) + told_clocks(data, shown)
    table.caption = f"{table.caption} {counting(source)} {hardware} {measured_on}".strip()
    if shown:
        table.notes.append(CHOICE_NOTE)
    else:
        table.missing = NOTHING
    return table


def _put_published(
    table: Table, published: Printed, line: Line, dataset: str, systems: list[str]
) -> None:
    for system in systems:
        time = published.get((line.primitive, dataset, system, line.metric))
        if time is not None:
            table.put((line.label, dataset), (RUNTIME, system), time.cell())
        rate = published.get((line.primitive, dataset, system, "throughput"))
        if rate is not None:
            table.put((line.label, dataset), (THROUGHPUT, system), rate.cell())


def _put_measured(
    data: ReportData, table: Table, line: Line, system: System, source: str, datasets: list[str]
) -> None:
    def put(record: Record | None, name: str, identity: Identity | None = None) -> None:
        if record is None:
            return
        row = (line.label, name)
        table.put(
            row,
            (RUNTIME, system.label),
            runtime_cell(record, identity, per_iteration=line.per_iteration, runs=PAPER_RUNS),
        )
        for group, value in ((THROUGHPUT, mteps(record, source)), (INSPECTED, edges_inspected(record))):
            if value is not None and record.status == "ok":
                table.put(
                    row, (group, system.label), measured_cell(record, value, identity, runs=PAPER_RUNS)
                )

    def is_other(record: Record, name: str) -> bool:
        return graph_name(record) == name and data.identity(record, source, datasets) is None

    for name in datasets:
        found = data.best_on_dataset(line.primitive, system, source, name, datasets)
        put(found[0] if found else None, name, found[1] if found else None)
    for name in data.graphs(line.primitive):
        label = f"{name} (another)" if name in datasets else name
        put(data.best(line.primitive, system, partial(is_other, name=name)), label)


def five_lines(per_iteration: bool) -> list[Line]:
    """The five primitives, one block each."""
    return [
        Line(name, label, per_iteration=per_iteration and name == "pagerank")
        for name, label in PRIMITIVES.items()
    ]
