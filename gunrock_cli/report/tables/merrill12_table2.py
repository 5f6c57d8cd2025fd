"""Merrill et al., PPoPP'12, Table 2: BFS traversal rates."""

from __future__ import annotations

from functools import partial

from gunrock_cli.bench.record import Record
from gunrock_cli.report.cells import Table
from gunrock_cli.report.data import ReportData, System, measured_cell
from gunrock_cli.report.identity import GENERATED_FLAG, GENERATED_NOTE

NAME, ORDER = "merrill12-table2", 70


def build(data: ReportData) -> Table:
    table = Table(NAME, "Merrill 2012 Table 2: BFS traversal rates", ("Dataset",),
                  caption="Billions of traversed edges per second.")
    sizes = data.papers.merrill_datasets
    datasets = [str(name) for name in sizes["name"]]
    table.declare(rows=[(name,) for name in datasets])
    printed = data.papers.table("merrill12", "table2")
    for (_, dataset, printed_system, _), value in printed.items():
        table.put((dataset,), ("", printed_system), value.cell())
    shown: list[System] = []
    for system in data.systems:
        for predecessors in (False, True):
            column = f"{system.label}, {'predecessors' if predecessors else 'distances'}"
            for dataset in datasets:
                found = data.best_on_dataset("bfs", system, "merrill12", dataset, datasets,
                                             partial(_marks, predecessors=predecessors))
                if found is None:
                    continue
                record, generated = found
                rate = None if record.mteps is None else record.mteps / 1e3
                table.put((dataset,), ("", column), measured_cell(record, rate, generated))
                shown.append(system)
    names = list(dict.fromkeys(system for _, _, system, _ in printed))
    table.caption += " " + data.papers.hardware("merrill12", names)
    if shown:
        table.caption += " " + data.hardware(list(dict.fromkeys(shown)))
    else:
        table.missing = "Not measured yet: scripts/merrill12-test.sh."
    if any(GENERATED_FLAG in cell.flag for cell in table.cells.values()):
        table.notes.append(GENERATED_NOTE)
    return table


def _marks(record: Record, predecessors: bool) -> bool:
    return bool(record.options.get("mark_pred")) == predecessors
