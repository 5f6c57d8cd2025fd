"""The Gunrock papers' claims that no other table checks: published, measured, verdict."""

from __future__ import annotations

from gunrock_cli.primitives import primitive_names
from gunrock_cli.report.evidence.claims import FAILS, HOLDS, IN_PART, NO_VERDICT, UNKNOWN, outcomes
from gunrock_cli.report.evidence.data import ReportData, primitive_label
from gunrock_cli.report.forms.cells import Cell, Table
from gunrock_cli.report.tables import _gunrock_claims
from gunrock_cli.report.tables._claim_rows import (
    IN_TABLES,
    MEASURED,
    OVER,
    PUBLISHED,
    VERDICT,
    put_outcome,
)
from gunrock_cli.report.tables._gunrock_claims import BETTER
from gunrock_cli.report.tables.lines_of_code import PRINTED, lines_of

NAME, ORDER = "ppopp16-claims", 42
HERE = "this code"
WHY = 'docs/decisions/levels.md, "Idempotence and TWC against the papers", says why.'


def build(data: ReportData) -> Table:
    table = Table(
        NAME,
        "The papers' claims",
        ("Claim", "System"),
        caption="Factors are geometric means over the graphs of runs that differ in one "
        "option only, from the same sources; a graph is scale-free where its longest list has "
        "more than 8 times the mean. Merrill's are one harmonic mean of rates over the other. "
        "Records of a CPU get no verdict. A factor holds where nine tenths of it were "
        "measured, in part where it is above 1. Of BGL and PowerGraph BGL alone was run, one "
        "thread of the CPU beside the GPU; that it is at least 6 times as slow is what holds, "
        "PageRank's in whole runs. Lines of code, those of the host as in the paper, hold "
        "where they are no more, in part where they are at most twice as many. Memory: the "
        "smallest recorded peak of each graph, fitted by least squares of relative errors; a "
        "peak is what the memory pool held, blocks left from building the graph among it, and "
        "a fit that is more than a quarter off on some graph is none. Other GPU systems are compared on "
        "one GPU alone; MapGraph, Totem and hardwired BC cannot be had, so their rows have the papers' "
        "figures only. Beside a claim stands the same mean over the paper's own tables. A power of the "
        "edges is fitted to the logarithms; up to 1.1 is linear.",
    )
    table.declare(columns=[VERDICT, MEASURED, PUBLISHED, IN_TABLES, OVER])
    found = list(outcomes(data))
    for outcome in found:
        put_outcome(table, outcome)
    for outcome, in_tables in _gunrock_claims.outcomes(data):
        put_outcome(table, outcome, in_tables)
        found.append(outcome)
    for name, lines in PRINTED.items():
        _put_lines(table, name, lines)
    if any(outcome.verdict not in (HOLDS, BETTER, NO_VERDICT, UNKNOWN) for outcome in found):
        table.notes.append(f"What does not hold on this hardware: {WHY}")
    if all(outcome.verdict == UNKNOWN for outcome in found):
        table.missing = "Not measured yet: scripts/ppopp16-figure8.sh and scripts/peers-test.sh."
    return table


def _put_lines(table: Table, name: str, printed: int) -> None:
    """Put lines of code, as they are counted here."""
    if name not in primitive_names():
        return
    lines = lines_of(name)
    row = (f"{primitive_label(name)} takes {printed} lines of code (PPoPP'16, 6)", HERE)
    table.put(row, PUBLISHED, Cell(str(printed), printed, "published"))
    table.put(row, MEASURED, Cell(str(lines.both), lines.both, "measured"))
    table.put(
        row,
        OVER,
        Cell(
            f"{lines.way} of kernel for one way to the answer, at most, {lines.shared} "
            f"that it shares, {lines.host} of the host's Python"
        ),
    )
    table.put(
        row,
        VERDICT,
        Cell(HOLDS if lines.both <= printed else IN_PART if lines.both <= 2 * printed else FAILS),
    )
