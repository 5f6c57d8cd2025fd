"""Rows of a table of claims: the paper's words, the measurement, its evidence, and the verdict."""

from __future__ import annotations

from gunrock_cli.report.evidence.claims import Outcome
from gunrock_cli.report.evidence.marks import marks_of_all
from gunrock_cli.report.forms.cells import Cell, Origin, Table

PUBLISHED, MEASURED, OVER, VERDICT = (
    ("", label) for label in ("Published", "Measured", "From", "Verdict")
)


def put_outcome(table: Table, outcome: Outcome) -> None:
    """Put one claim on one system, if it was measured."""
    row = (outcome.claim, outcome.system.label if outcome.system else "")
    table.put(row, PUBLISHED, Cell(outcome.published, outcome.number, "published"))
    ids = tuple(dict.fromkeys(record.id for record in outcome.records))
    marks = marks_of_all(outcome.records)
    origin: Origin = "measured" if ids else ""
    table.put(row, MEASURED, Cell(outcome.text, outcome.value, origin, ids, outcome.note, marks))
    if outcome.note:
        table.put(row, OVER, Cell(outcome.note))
    table.put(row, VERDICT, Cell(outcome.verdict))
