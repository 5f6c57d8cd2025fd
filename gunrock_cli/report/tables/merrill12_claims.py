"""Claims that the text of Merrill et al., PPoPP'12, makes in passing: published, measured, verdict."""

from __future__ import annotations

from gunrock_cli.report.evidence.claims import HOLDS, NO_VERDICT, UNKNOWN
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.evidence.merrill import SCRIPT
from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.tables._claim_rows import MEASURED, OVER, PUBLISHED, VERDICT, put_outcome
from gunrock_cli.report.tables._merrill_claims import CLAIMS, FEW_LEVELS, MANY_LEVELS

NAME, ORDER = "merrill12-claims", 72
WHY = 'docs/bfs.md, "What does not hold of the paper", says why.'


def build(data: ReportData) -> Table:
    table = Table(
        NAME,
        "Merrill 2012: claims of the text",
        ("Claim", "System"),
        caption="Factors are of runs from the same sources, by the paper's means: one harmonic "
        "mean of rates over the other, of false negatives one average of shares over the "
        "other, of quadratic BFS the harmonic mean of slowdowns. Records of a CPU get no "
        "verdict. A graph has many levels from a mean search depth "
        f"of {MANY_LEVELS}, few up to {FEW_LEVELS}; the rest are the middle of the paper's "
        "figures. A factor holds where nine tenths of it were measured, in part where it is "
        "above 1; what is claimed of every graph where it is so on each, of hybrid and "
        "expand-contract in part where it is so on one.",
    )
    table.declare(columns=[VERDICT, MEASURED, PUBLISHED, OVER])
    found = [outcome for claim in CLAIMS for outcome in claim.outcomes(data)]
    for outcome in found:
        put_outcome(table, outcome)
    if any(outcome.verdict not in (HOLDS, NO_VERDICT, UNKNOWN) for outcome in found):
        table.notes.append(f"What does not hold on this hardware: {WHY}")
    if all(outcome.verdict == UNKNOWN for outcome in found):
        table.missing = SCRIPT
    return table
