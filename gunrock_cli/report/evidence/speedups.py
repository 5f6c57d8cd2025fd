"""Speedups of gunrock over every other measured system, on the graphs that both ran."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.statistics import geometric_mean
from gunrock_cli.bench.records.table import graph_name
from gunrock_cli.report.evidence.clocks import call_ms
from gunrock_cli.report.evidence.data import ReportData, System
from gunrock_cli.report.evidence.marks import unchecked


@dataclass(frozen=True)
class Speedup:
    """The factors by which ``fast`` is faster, by graph, and the records behind them."""

    primitive: str
    fast: System
    slow: System
    ratios: dict[str, float]
    records: tuple[Record, ...]
    """Two per graph, the fast system's first."""
    calls: dict[str, float] = field(default_factory=dict)
    """Speedups by the clock around both calls, without graphs for which one side has no such time."""

    def behind(self, graph: str) -> tuple[Record, ...]:
        """A graph's two records."""
        first = 2 * list(self.ratios).index(graph)
        return self.records[first : first + 2]

    @property
    def mean(self) -> float:
        return geometric_mean(list(self.ratios.values()))


def record_in_cell(
    data: ReportData,
    primitive: str,
    system: System,
    graph: str,
    *,
    checked: bool,
    sources: Collection[int] | None = None,
) -> Record | None:
    """The valid record of a graph that a cell would show; with ``checked``, only one whose answer was
    checked and right, with ``sources`` only one from these."""

    def wanted(record: Record) -> bool:
        return (
            graph_name(record) == graph
            and not (checked and unchecked(record))
            and (sources is None or set(record.sources) == set(sources))
        )

    record = data.best(primitive, system, wanted)
    return record if record is not None and record.status == "ok" and record.time_ms else None


def speedups(data: ReportData, *, checked: bool = False) -> list[Speedup]:
    """Compare every primitive on every gunrock device with every other system; only whole runs, and only
    runs from the same sources, are compared. ``checked``: only runs whose answers were found right, on
    both sides."""
    pairs: list[Speedup] = []
    ours = [system for system in data.systems if system.name == "gunrock"]
    for primitive in data.primitives:
        for fast in ours:
            for slow in data.systems:
                if slow.name == "gunrock":
                    continue
                pair = _pair(data, primitive, fast, slow, checked)
                if pair is not None:
                    pairs.append(pair)
    return pairs


def _pair(data: ReportData, primitive: str, fast: System, slow: System, checked: bool) -> Speedup | None:
    ratios: dict[str, float] = {}
    calls: dict[str, float] = {}
    records: list[Record] = []
    for name in data.graphs(primitive):
        theirs = record_in_cell(data, primitive, slow, name, checked=checked)
        if theirs is None:
            continue
        found = record_in_cell(data, primitive, fast, name, checked=checked, sources=theirs.sources)
        if found is None:
            continue  # only other searches, which say nothing about this one
        ours, other = found.time_ms, theirs.time_ms
        if ours is not None and other is not None and ours.mean > 0 and other.mean > 0:
            ratios[name] = other.mean / ours.mean
            records += [found, theirs]
            our_call, other_call = call_ms(found), call_ms(theirs)
            if our_call and other_call:
                calls[name] = other_call / our_call
    return Speedup(primitive, fast, slow, ratios, tuple(records), calls) if ratios else None
