"""Tables as CSV: as shown, and one line per cell with its number, origin and records."""

from __future__ import annotations

import re

from gunrock_cli.report.forms.cells import Table
from gunrock_cli.visible import visible

ORIGINS = {"published": " (published)", "measured": " (measured)", "": ""}
_FORMULA = ("=", "+", "-", "@")
_NUMBER = re.compile(r"[-+]?\d+(\.\d*)?(e[-+]?\d+)?", re.IGNORECASE)


def safe(text: str) -> str:
    """A cell that a spreadsheet reads as text: one that begins like a formula gets an apostrophe, while
    numbers stay numbers."""
    shown = visible(text)
    return f"'{shown}" if shown.startswith(_FORMULA) and not _NUMBER.fullmatch(shown) else shown


def csv(table: Table) -> str:
    """The table as shown; headings say in words where a column's figures come from."""
    frame = table.frame().map(safe)
    frame.columns = [
        safe(": ".join(filter(None, column)) + ORIGINS[table.column_origin(column)])
        for column in table.columns
    ]
    rows = frame.index.to_frame(index=False).map(safe)
    rows.columns = [safe(str(name)) for name in rows.columns]
    return str(rows.join(frame.reset_index(drop=True)).to_csv(index=False))


def cells_csv(table: Table) -> str:
    """One line per cell, with its records, easy to parse for other programs."""
    frame = table.long_frame()
    frame.columns = [safe(str(name)) for name in frame.columns]
    return str(frame.map(lambda cell: safe(cell) if isinstance(cell, str) else cell).to_csv(index=False))
