"""PPoPP'16, Table 2: geometric-mean speedups of Gunrock over frameworks that Table 3 leaves out."""

from __future__ import annotations

from gunrock_cli.report.evidence.clocks import told_clocks
from gunrock_cli.report.evidence.data import PRIMITIVES, ReportData, primitive_label
from gunrock_cli.report.evidence.marks import PAPER_RUNS, marks_of_all
from gunrock_cli.report.evidence.speedups import speedups
from gunrock_cli.report.forms.cells import Cell, Table
from gunrock_cli.report.forms.numbers import figure

NAME, ORDER = "ppopp16-table2", 20
SYSTEMS = ("Galois", "BGL", "PowerGraph", "Medusa")


def build(data: ReportData) -> Table:
    table = Table(
        NAME,
        "PPoPP'16 Table 2: geometric-mean speedups of Gunrock",
        ("Algorithm",),
        caption=data.papers.hardware("ppopp16", ["Gunrock", *SYSTEMS]),
    )
    table.declare([(label,) for label in PRIMITIVES.values()], [("", name) for name in SYSTEMS])
    for (primitive, _, system, _), printed in data.papers.table("ppopp16", "table2").items():
        table.put((PRIMITIVES[primitive],), ("", system), printed.cell())
    measured = speedups(data)
    for pair in measured:
        note = f"{len(pair.ratios)} graphs: {', '.join(pair.ratios)}"
        table.put(
            (primitive_label(pair.primitive),),
            ("", f"{pair.fast.label} over {pair.slow.label}"),
            Cell(
                figure(pair.mean),
                pair.mean,
                "measured",
                tuple(record.id for record in pair.records),
                note,
                marks_of_all(pair.records, PAPER_RUNS),
            ),
        )
    if measured:
        shown = dict.fromkeys(s for pair in measured for s in (pair.fast, pair.slow))
        table.caption += f" {data.hardware(list(shown))}{told_clocks(data, list(shown))}"
        table.notes.append(
            "Measured: whole-run mean times of graphs that both systems ran, "
            "geometric mean of the ratios. A mark holds where it holds for a run of "
            "either system on any of the graphs."
        )
    else:
        table.missing = "No graph was measured with gunrock and a second system (--against)."
    return table
