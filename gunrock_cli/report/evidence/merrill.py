"""Code shared by the tables and figures of Merrill et al. (PPoPP 2012): graphs in the paper's order, and
for each the record of every measured variant, all of one commit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import harmonic_mean

from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.table import graph_name
from gunrock_cli.report.evidence.data import ReportData, System, measured_cell, system_of
from gunrock_cli.report.evidence.identity import Identity
from gunrock_cli.report.evidence.marks import marks_of_all
from gunrock_cli.report.evidence.plain_runs import build_of, devices_of
from gunrock_cli.report.forms.by_graph_figure import by_graph_figure
from gunrock_cli.report.forms.cells import Cell, Mark, Row, Table
from gunrock_cli.report.forms.numbers import figure
from gunrock_cli.report.forms.plot import Figure

SOURCE = "merrill12"
SCRIPT = "Not measured yet: scripts/merrill12-test.sh."
PAPER_SOURCES = 100
"""The paper's 100 randomly-sourced traversals of each data set."""
MANY_SOURCES = 10
"""Fewer sources say nothing about the mean source."""
RATES = "billion edges a second"
"""The label of an axis for ``rate``."""
FEW_SOURCES = Mark("¶", f"mean over fewer than the paper's {PAPER_SOURCES} sources.")


@dataclass(frozen=True)
class Found:
    """A record, and the paper's data set that its graph is, or None."""

    record: Record
    identity: Identity | None

    def cell(self, value: float | None) -> Cell:
        """The record's figure with its marks."""
        return measured_cell(self.record, value, self.identity, marks=few_sources(self.record))


Variants = dict[str, Found]
ByGraph = dict[tuple[str, System], Variants]
"""The measured variants by graph, the paper's first, and by system."""


def few_sources(record: Record) -> tuple[Mark, ...]:
    """The mark for fewer sources than the paper's."""
    return (FEW_SOURCES,) if len(set(record.sources)) < PAPER_SOURCES else ()


def datasets(data: ReportData) -> list[str]:
    """The paper's data sets, by decreasing search depth."""
    return [str(name) for name in data.papers.merrill_datasets["name"]]


def by_graph(
    data: ReportData,
    primitive: str | tuple[str, ...],
    variant: Callable[[Record], str | None],
    of: str = "gunrock",
    records: Iterable[Record] | None = None,
    several: bool = False,
) -> ByGraph:
    """The newest record of each variant of a ``primitive`` (or of several) on the system ``of``, among
    those from the most sources (more than the paper's count as the paper's), ok ones before others; on
    one device, or ``several`` too. ``variant`` names the variant of a record; None for none. All records
    of a graph are of one commit: the one with the most variants, or else the newest."""
    names = datasets(data)
    wanted = (primitive,) if isinstance(primitive, str) else primitive
    builds: dict[tuple[str, System], dict[str, Variants]] = {}
    for record in data.of_each_build if records is None else records:
        meant = record.primitive in wanted and record.system == of
        name = variant(record) if meant and (several or devices_of(record) == 1) else None
        if name is None:
            continue
        identity = data.identity(record, SOURCE, names)
        shown = graph_name(record)
        graph = identity.dataset if identity else f"{shown} (another)" if shown in names else shown
        here = builds.setdefault((graph, system_of(record)), {}).setdefault(build_of(record), {})
        if name not in here or _rank(record) >= _rank(here[name].record):
            here[name] = Found(record, identity)
    graphs = dict.fromkeys([*names, *(graph for graph, _ in builds)])
    return {
        key: max(reversed(builds[key].values()), key=_worth)
        for graph in graphs
        for key in builds
        if key[0] == graph
    }


def _worth(variants: Variants) -> tuple[int, tuple[bool, int, str]]:
    return len(variants), max(_rank(each.record) for each in variants.values())


def _rank(record: Record) -> tuple[bool, int, str]:
    return record.status == "ok", min(len(set(record.sources)), PAPER_SOURCES), record.time


def rate(record: Record) -> float | None:
    """The rate in billions of edges per second."""
    return None if record.mteps is None or record.status != "ok" else record.mteps / 1e3


def put_all(
    table: Table,
    found: ByGraph,
    columns: Mapping[str, str],
    value: Callable[[Record], float | None],
    group: str = "",
) -> None:
    """Put a row for each graph and system, and a column for each variant that ``columns`` names."""
    table.declare(columns=[(group, label) for label in columns.values()])
    for (graph, system), variants in found.items():
        for name, label in columns.items():
            if name in variants:
                table.put(
                    (graph, system.label),
                    (group, label),
                    variants[name].cell(value(variants[name].record)),
                )
    table.drop_empty_columns()


def normalized_means(table: Table, found: ByGraph, columns: Mapping[str, str], over: str) -> None:
    """Put a last row for each system: harmonic means over the graphs on which all shown variants were
    measured, relative to that of the variant ``over``."""
    shown = {name: label for name, label in columns.items() if ("", label) in table.columns}
    if over not in shown:
        return
    for system in dict.fromkeys(system for _, system in found):
        row: Row = (f"harmonic mean over {columns[over]}", system.label)
        of_system = [(graph, variants) for (graph, own), variants in found.items() if own == system]
        complete = [
            (graph, variants)
            for graph, variants in of_system
            if all(table.cell((graph, system.label), ("", label)).value for label in shown.values())
        ]
        if not complete:
            continue
        means = {
            name: harmonic_mean(
                [table.cell((graph, system.label), ("", label)).value or 0.0 for graph, _ in complete]
            )
            for name, label in shown.items()
        }
        for name, label in shown.items():
            records = [variants[each].record for _, variants in complete for each in (name, over)]
            table.put(
                row,
                ("", label),
                Cell(
                    figure(means[name] / means[over]),
                    means[name] / means[over],
                    "measured",
                    tuple(dict.fromkeys(record.id for record in records)),
                    f"over {len(complete)} graphs",
                    marks_of_all(records),
                ),
            )


def systems_of(found: ByGraph) -> list[System]:
    """The systems, without repetition."""
    return list(dict.fromkeys(system for _, system in found))


def variants_figure(
    points: Table,
    data: ReportData,
    found: ByGraph,
    columns: Mapping[str, str],
    value: Callable[[Record], float | None] = rate,
    *,
    over: str = "",
    axis: str = RATES,
    scale: str = "log",
    script: str = SCRIPT,
) -> Figure:
    """A figure with a place for each graph and system, a mark for each variant that ``columns`` names,
    and the harmonic means of all relative to the variant ``over``; if nothing was found, with the
    ``script`` that measures it."""
    if not found:
        points.missing = script
        return Figure(points, None)
    put_all(points, found, columns, value)
    if over:
        normalized_means(points, found, columns, over)
    return drawn(points, data, found, axis, scale)


def drawn(
    points: Table, data: ReportData, found: ByGraph, axis: str = RATES, scale: str = "log"
) -> Figure:
    """The figure of a filled table; its caption says on what hardware ``found`` was measured."""
    if points.rows:
        points.caption += " " + data.hardware(systems_of(found))
    return by_graph_figure(points, axis, scale)
