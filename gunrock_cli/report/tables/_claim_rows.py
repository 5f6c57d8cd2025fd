"""Rows of a table of claims: the paper's words, the measurement, its evidence, and the verdict."""

from __future__ import annotations

from gunrock_cli.report.evidence.claims import Outcome
from gunrock_cli.report.evidence.marks import marks_of_all
from gunrock_cli.report.forms.cells import Cell, Origin, Table

PUBLISHED, IN_TABLES, MEASURED, OVER, VERDICT = (
    ("", label) for label in ("Published", "In its tables", "Measured", "From", "Verdict")
)


def put_outcome(table: Table, outcome: Outcome, in_tables: str = "") -> None:
    """Put one claim on one system, if it was measured; ``in_tables`` is what the paper's own tables
    give."""
    row = (outcome.claim, outcome.system.label if outcome.system else "")
    table.put(row, PUBLISHED, Cell(outcome.published, outcome.number, "published"))
    if in_tables:
        table.put(row, IN_TABLES, Cell(in_tables, None, "published"))
    ids = tuple(dict.fromkeys(record.id for record in outcome.records))
    marks = marks_of_all(outcome.records)
    origin: Origin = "measured" if ids else ""
    table.put(row, MEASURED, Cell(outcome.text, outcome.value, origin, ids, outcome.note, marks))
    if outcome.note:
        table.put(row, OVER, Cell(outcome.note))
    table.put(row, VERDICT, Cell(outcome.verdict))
