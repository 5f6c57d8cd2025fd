"""Merrill 2012, Figure 9: gathering and lookup in one kernel, and one after the other."""

from __future__ import annotations

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.evidence.marks import marks_of_all
from gunrock_cli.report.evidence.merrill import (
    SCRIPT,
    ByGraph,
    Variants,
    by_graph,
    drawn,
    few_sources,
    rate,
)
from gunrock_cli.report.figures.merrill12_figure5 import PRIMITIVE
from gunrock_cli.report.figures.merrill12_figure6 import GATHER, LOOKUP, LOOKUPS, both, isolated, lookup
from gunrock_cli.report.forms.cells import Cell, Table
from gunrock_cli.report.forms.numbers import figure
from gunrock_cli.report.forms.plot import Figure

NAME, ORDER = "merrill12-figure9", 150
FUSES, IN_ONE = "microbench-fused", "fused"
ISOLATED, FUSED = ("", "isolated, one after the other"), ("", "fused")


def build(data: ReportData) -> Figure:
    points = Table(
        NAME,
        "Merrill 2012 Figure 9: gathering and lookup, isolated or fused",
        ("Graph", "System"),
        caption="Billions of edges a second: of gathering and lookup (Figure 6) one after the "
        "other, and of one kernel that does both. The paper prints no numbers; its text: "
        "apart they are faster on most graphs, fused on those of many small frontiers.",
    )
    found = apart_and_in_one(data)
    points.declare(columns=[ISOLATED, FUSED])
    for (graph, system), variants in found.items():
        row = (graph, system.label)
        cell = one_after_the_other(variants)
        if cell is not None:
            points.put(row, ISOLATED, cell)
        if IN_ONE in variants:
            points.put(row, FUSED, variants[IN_ONE].cell(rate(variants[IN_ONE].record)))
    points.drop_empty_columns()
    if not any(IN_ONE in variants for variants in found.values()) or not both(data):
        points.missing = SCRIPT
    return drawn(points, data, found)


def apart_and_in_one(data: ReportData) -> ByGraph:
    """Records of the isolated kernels and of the fused one."""
    return by_graph(data, (PRIMITIVE, LOOKUPS, FUSES), kernel)


def kernel(record: Record) -> str | None:
    """The kernel that a record is of: a fused run only if it does what the isolated ones do."""
    if record.primitive != FUSES:
        return isolated(record)
    return IN_ONE if lookup(record) and record.options.get("advance_mode") == "TWC" else None


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
    return Cell(
        figure(value),
        value,
        "measured",
        tuple(record.id for record in records),
        marks=(*few_sources(records[0]), *of_graph, *marks_of_all(records)),
    )
