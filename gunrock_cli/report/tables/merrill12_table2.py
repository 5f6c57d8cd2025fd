"""Merrill et al., PPoPP'12, Table 2: BFS traversal rates, and how much faster than a sequential BFS."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.table import options_as_run
from gunrock_cli.report.evidence.data import ReportData, System, measured_cell
from gunrock_cli.report.evidence.marks import marks_of_all
from gunrock_cli.report.evidence.merrill import (
    MANY_SOURCES,
    SCRIPT,
    Found,
    by_graph,
    datasets,
    few_sources,
    rate,
)
from gunrock_cli.report.evidence.rates import edges_inspected
from gunrock_cli.report.forms.cells import Cell, Table
from gunrock_cli.report.forms.numbers import figure

NAME, ORDER = "merrill12-table2", 70
SEQUENTIAL = ("bgl", "scipy")
"""Peers that speedups are relative to, the first measured one: single-threaded, like the paper's
method."""
SPEEDUP = "sequential speedup"
WAYS = {"fused": "", "hybrid": "hybrid "}
"""Strategies that have columns, our default and the paper's, and their names."""


@dataclass(frozen=True)
class Way:
    """A pair of columns: a strategy, with predecessors or without."""

    strategy: str
    predecessors: bool

    def variant(self, record: Record) -> str | None:
        """The strategy of a record that fits these columns."""
        return self.strategy if belongs(record, self.predecessors, self.strategy) else None

    @property
    def label(self) -> str:
        return WAYS[self.strategy] + ("predecessors" if self.predecessors else "distances")


def build(data: ReportData) -> Table:
    table = Table(
        NAME,
        "Merrill 2012 Table 2: BFS traversal rates",
        ("Dataset",),
        caption="Billions of traversed edges per second, each edge out of a reached vertex "
        f"counted once; measured: runs that push only, from at least {MANY_SOURCES} sources, "
        "over their mean time. Speedups are over a sequential BFS: the paper's own on an Intel "
        f"Core i7 2600K (3.4 GHz), here {SEQUENTIAL[0]}, else {SEQUENTIAL[1]}, on this "
        "machine's processor, from one source.",
    )
    names = datasets(data)
    table.declare(rows=[(name,) for name in names])
    printed = data.papers.table("merrill12", "table2")
    for (_, dataset, printed_system, metric), value in printed.items():
        speedup = f", {SPEEDUP}" if metric == SPEEDUP else ""
        table.put((dataset,), ("", printed_system + speedup), value.cell())
    ways = {
        way: by_graph(data, "bfs", way.variant)
        for way in (Way(strategy, kind) for strategy in WAYS for kind in (False, True))
    }
    measured = {graph for found in ways.values() for graph, _ in found}
    sequential = _sequential(data, table, measured.union(names))
    shown: list[System] = []
    for way, found in ways.items():
        for (graph, system), variants in found.items():
            _put(
                table,
                graph,
                f"{system.label}, {way.label}",
                variants[way.strategy],
                sequential.get(graph),
            )
            shown.append(system)
    systems = list(dict.fromkeys(system for _, _, system, _ in printed))
    table.caption += " " + data.papers.hardware("merrill12", systems)
    if shown:
        table.caption += " " + data.hardware(list(dict.fromkeys(shown)))
    else:
        table.missing = SCRIPT
    return table


def _sequential(data: ReportData, table: Table, graphs: Container[str]) -> dict[str, Found]:
    """The columns of the sequential peers, and their records by graph, for these ``graphs``: others have
    nothing to be compared with."""
    records: dict[str, Found] = {}
    for name in SEQUENTIAL:
        for (graph, system), variants in by_graph(data, "bfs", lambda _: "", of=name).items():
            if graph not in graphs:
                continue
            each = records.setdefault(graph, variants[""])
            if each is variants[""]:
                table.put((graph,), ("", f"{system.label}, sequential"), each.cell(rate(each.record)))
    return records


def _put(table: Table, dataset: str, label: str, found: Found, sequential: Found | None) -> None:
    record = found.record
    mine = rate(record)
    table.put((dataset,), ("", label), found.cell(mine))
    inspected = edges_inspected(record)
    if inspected is not None:
        table.put(
            (dataset,),
            ("", f"{label}, edges inspected"),
            measured_cell(record, inspected, found.identity, marks=few_sources(record)),
        )
    base = rate(sequential.record) if sequential else None
    if sequential and mine and base:
        marks = found.cell(mine).marks + marks_of_all([sequential.record])
        table.put(
            (dataset,),
            ("", f"{label}, {SPEEDUP}"),
            Cell(
                figure(mine / base),
                mine / base,
                "measured",
                (record.id, sequential.record.id),
                marks=tuple(dict.fromkeys(marks)),
            ),
        )


def belongs(record: Record, predecessors: bool, strategy: str = "fused") -> bool:
    """True if it did the same as the paper's columns: pushed, from many sources, with predecessors or
    without, with each vertex claimed once and the default advance."""
    options = options_as_run(record)
    return (
        options.get("direction") == "push"
        and bool(options.get("mark_pred")) == predecessors
        and options.get("strategy", "fused") == strategy
        and (strategy != "fused" or not options.get("idempotence"))
        and options.get("advance_mode", "AUTO") == "AUTO"
        and len(set(record.sources)) >= MANY_SOURCES
    )
