"""Gunrock beside each other system, by primitive: geometric mean, worst and best of the speedups, and the
graphs on which the other is ahead. From records alone, where both answers were found right."""

from __future__ import annotations

from itertools import groupby

from gunrock_cli.bench.statistics import geometric_mean
from gunrock_cli.report.cells import Cell, Table
from gunrock_cli.report.data import ReportData, primitive_label
from gunrock_cli.report.marks import PAPER_RUNS, marks_of_all
from gunrock_cli.report.numbers import figure
from gunrock_cli.report.speedups import Speedup, speedups

NAME, ORDER = "beside", 45
GRAPHS, MEAN, WORST, BEST, AHEAD = (("", label) for label in (
    "Graphs", "Geometric mean", "Worst", "Best", "Ahead of gunrock"))
NOBODY = "on none"


def build(data: ReportData) -> Table:
    table = Table(NAME, "Speedups beside other systems", ("Algorithm", "Gunrock", "Over"),
                  caption="Another system's time over gunrock's: more than 1 where gunrock is faster. "
                  "Only graphs on which the answers of both were checked and right.")
    found = speedups(data, checked=True)
    for _, pairs in groupby(found, lambda pair: (pair.primitive, pair.fast)):
        systems = list(pairs)
        for pair in systems:
            _put(table, pair.slow.label, dict.fromkeys(pair.ratios, pair))
        if len(systems) > 1:
            _put_fastest(table, systems)
    if found:
        shown = dict.fromkeys(system for pair in found for system in (pair.fast, pair.slow))
        table.caption += " " + data.hardware(list(shown))
        table.notes.append("Whole-run mean times, of PageRank however many iterations each system takes. "
                           "A mark holds where it holds for a run of either system on any of the graphs.")
    else:
        table.missing = "No graph was measured and checked with gunrock and a second system (--against)."
    return table


def _put_fastest(table: Table, pairs: list[Speedup]) -> None:
    """A row over whichever of the others is the fastest on each graph."""
    names = dict.fromkeys(name for pair in pairs for name in pair.ratios)
    _put(table, "the fastest of them", {
        name: min((pair for pair in pairs if name in pair.ratios), key=lambda pair: pair.ratios[name])
        for name in names})


def _put(table: Table, over: str, beside: dict[str, Speedup]) -> None:
    """The row of those who are beside gunrock on each graph."""
    pair = next(iter(beside.values()))
    row = (primitive_label(pair.primitive), pair.fast.label, over)
    ratios = {name: pair.ratios[name] for name, pair in beside.items()}
    records = [record for name, pair in beside.items() for record in pair.behind(name)]
    mean = geometric_mean(list(ratios.values()))
    table.put(row, GRAPHS, Cell(str(len(ratios)), len(ratios), "measured", note=", ".join(ratios)))
    table.put(row, MEAN, Cell(figure(mean), mean, "measured", tuple(record.id for record in records),
                              marks=marks_of_all(records, PAPER_RUNS, plain=True)))
    for column, choose in ((WORST, min), (BEST, max)):
        name = choose(ratios, key=ratios.__getitem__)
        both = beside[name].behind(name)
        table.put(row, column, Cell(f"{figure(ratios[name])} ({name})", ratios[name], "measured",
                                    tuple(record.id for record in both),
                                    marks=marks_of_all(both, PAPER_RUNS, plain=True)))
    ahead = [f"{name} ({beside[name].slow.label}: {figure(ratio)})" for name, ratio in ratios.items()
             if ratio < 1]
    table.put(row, AHEAD, Cell("; ".join(ahead) or NOBODY, float(len(ahead)), "measured"))
