"""Tables as CSV: as shown, and one line a cell with its number, origin and records."""

from __future__ import annotations

from gunrock_cli.report.cells import Table

ORIGINS = {"published": " (published)", "measured": " (measured)", "": ""}


def csv(table: Table) -> str:
    """The table as shown; headings say in words where a column's figures come from."""
    frame = table.frame()
    frame.columns = [
        ": ".join(filter(None, column)) + ORIGINS[table.column_origin(column)]
        for column in table.columns
    ]
    return str(frame.reset_index().to_csv(index=False))


def cells_csv(table: Table) -> str:
    """One line a cell, for other programs: nothing to parse, everything to trace."""
    return str(table.long_frame().to_csv(index=False))
