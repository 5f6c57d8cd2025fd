"""Merrill 2012, Figure 9: gathering and lookup in one kernel, and one after the other."""

from __future__ import annotations

from gunrock_cli.bench.record import Record
from gunrock_cli.report.cells import Cell, Table
from gunrock_cli.report.data import ReportData
from gunrock_cli.report.figure import Figure
from gunrock_cli.report.figures.merrill12_figure6 import GATHER, LOOKUP, both, lookup
from gunrock_cli.report.marks import marks_of_all
from gunrock_cli.report.merrill import SCRIPT, Variants, by_graph, drawn, few_sources, rate
from gunrock_cli.report.numbers import figure

NAME, ORDER = "merrill12-figure9", 150
ISOLATED, FUSED = ("", "isolated, one after the other"), ("", "fused")


def build(data: ReportData) -> Figure:
    points = Table(NAME, "Merrill 2012 Figure 9: gathering and lookup, isolated or fused",
                   ("Graph", "System"),
                   caption="Billions of edges a second: of gathering and lookup (Figure 6) one after the "
                   "other, and of one kernel that does both. The paper prints no numbers; its text: "
                   "apart they are faster on most graphs, fused on those of many small frontiers.")
    fused = by_graph(data, "microbench-fused", in_one)
    isolated = both(data)
    points.declare(columns=[ISOLATED, FUSED])
    for graph, system in dict.fromkeys([*isolated, *fused]):
        row = (graph, system.label)
        cell = one_after_the_other(isolated.get((graph, system), {}))
        if cell is not None:
            points.put(row, ISOLATED, cell)
        for each in fused.get((graph, system), {}).values():
            points.put(row, FUSED, each.cell(rate(each.record)))
    points.drop_empty_columns()
    if not fused or not isolated:
        points.missing = SCRIPT
    return drawn(points, data, {**isolated, **fused})


def in_one(record: Record) -> str | None:
    """Fused runs that gather and look up in the same way as the isolated ones."""
    return lookup(record) if record.options.get("advance_mode") == "TWC" else None


def one_after_the_other(variants: Variants) -> Cell | None:
    """The rate of both together, if both were measured from the same sources."""
    if not {GATHER, LOOKUP} <= variants.keys():
        return None
    records = [variants[name].record for name in (GATHER, LOOKUP)]
    rates = [rate(record) for record in records]
    if records[0].sources != records[1].sources or not all(rates):
        return None
    value = 1 / sum(1 / each for each in rates if each)
    identity = variants[GATHER].identity
    of_graph = identity.marks if identity else ()
    return Cell(figure(value), value, "measured", tuple(record.id for record in records),
                marks=(*few_sources(records[0]), *of_graph, *marks_of_all(records)))
