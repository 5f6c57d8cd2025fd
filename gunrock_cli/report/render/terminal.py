"""Tables on the terminal, by rich."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from gunrock_cli.report.cells import Table

STYLES = {"published": "dim", "measured": "bold", "": ""}


def print_table(console: Console, table: Table, *, ids: bool = False) -> None:
    """Print a table with its caption and notes; ``ids`` adds the records behind its cells."""
    shown = RichTable(title=table.title, caption=table.caption, caption_justify="left")
    for label in table.row_labels:
        shown.add_column(label, no_wrap=True)
    for column in table.columns:
        group, label = table.heading(column)
        shown.add_column(f"{group}\n{label}" if group else label, justify="right")
    previous: tuple[str, ...] = ()
    for row in table.rows:
        if previous and len(row) > 1 and row[0] != previous[0]:
            shown.add_section()
        labels = [("" if previous[:1] == row[:1] and len(row) > 1 else row[0]), *row[1:]]
        previous = row
        cells = [Text(table.text(row, column), style=STYLES[table.cell(row, column).origin])
                 for column in table.columns]
        shown.add_row(*labels, *cells)
    console.print(shown)
    for note in table.all_notes:
        console.print(Text(note))
    if ids:
        for row, column, cell in table.each():
            if cell.records:
                place = " / ".join([*row, *filter(None, column)])
                console.print(Text(f"  {place}: {' '.join(cell.records)}"))
    console.print()
