"""Merrill et al., PPoPP'12, Table 2: BFS traversal rates."""

from __future__ import annotations

from functools import partial

from gunrock_cli.bench.record import Record
from gunrock_cli.bench.recordtable import options_as_run
from gunrock_cli.report.cells import Mark, Table
from gunrock_cli.report.data import ReportData, System, measured_cell
from gunrock_cli.report.rates import edges_inspected

NAME, ORDER = "merrill12-table2", 70
PAPER_SOURCES = 100
"""The paper: 100 randomly-sourced traversals of each data set."""
MANY_SOURCES = 10
"""Fewer say nothing of the mean source."""
FEW_SOURCES = Mark("¶", f"mean over fewer than the paper's {PAPER_SOURCES} sources.")


def build(data: ReportData) -> Table:
    table = Table(NAME, "Merrill 2012 Table 2: BFS traversal rates", ("Dataset",),
                  caption="Billions of traversed edges per second, each edge out of a reached vertex "
                  f"counted once; measured: runs that push only, from at least {MANY_SOURCES} sources, "
                  "over their mean time.")
    sizes = data.papers.merrill_datasets
    datasets = [str(name) for name in sizes["name"]]
    table.declare(rows=[(name,) for name in datasets])
    printed = data.papers.table("merrill12", "table2")
    for (_, dataset, printed_system, _), value in printed.items():
        table.put((dataset,), ("", printed_system), value.cell())
    shown: list[System] = []
    for system in data.systems:
        for predecessors in (False, True):
            kind = "predecessors" if predecessors else "distances"
            for dataset in datasets:
                found = data.best_on_dataset("bfs", system, "merrill12", dataset, datasets,
                                             partial(belongs, predecessors=predecessors))
                if found is None:
                    continue
                record, generated = found
                rate = None if record.mteps is None else record.mteps / 1e3
                few = (FEW_SOURCES,) if len(set(record.sources)) < PAPER_SOURCES else ()
                for label, figure in ((kind, rate),
                                      (f"{kind}, edges inspected", edges_inspected(record))):
                    if figure is not None or label == kind:
                        table.put((dataset,), ("", f"{system.label}, {label}"),
                                  measured_cell(record, figure, generated, marks=few))
                shown.append(system)
    names = list(dict.fromkeys(system for _, _, system, _ in printed))
    table.caption += " " + data.papers.hardware("merrill12", names)
    if shown:
        table.caption += " " + data.hardware(list(dict.fromkeys(shown)))
    else:
        table.missing = "Not measured yet: scripts/merrill12-test.sh."
    return table


def belongs(record: Record, predecessors: bool) -> bool:
    """Whether it did what the paper's columns did: pushed, from many sources, with predecessors or
    without."""
    options = options_as_run(record)
    return (options.get("direction") == "push" and bool(options.get("mark_pred")) == predecessors
            and len(set(record.sources)) >= MANY_SOURCES)
