"""Tables on the terminal, by rich."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table as RichTable
from rich.text import Text

from gunrock_cli.report.forms.cells import Column, Table
from gunrock_cli.visible import visible

STYLES = {"published": "dim", "measured": "bold", "": ""}
UNLIMITED = 10_000


def print_table(console: Console, table: Table, *, ids: bool = False, everything: bool = False) -> None:
    """Print a table with its caption and notes; ``ids`` adds the records behind its cells.

    A table wider than the console is printed group by group; a group that is still too wide keeps its
    columns whole, for a pager. On a terminal a table without groups leaves out columns at the right, and
    names them, unless ``everything`` is wanted.
    """
    columns = list(table.columns)
    groups = list(dict.fromkeys(group for group, _ in columns))
    if _width(console, _rich(table, columns)) > console.width and len(groups) > 1:
        parts = [[column for column in columns if column[0] == group] for group in groups]
    else:
        parts = [columns]
    narrow = len(groups) == 1 and console.is_terminal and not everything
    if narrow:
        parts = [_fitting(console, table, columns)]
    usual = console.width
    title = Text(visible(table.title), style="table.title")
    console.print(title, soft_wrap=not console.is_terminal)
    for part in parts:
        shown = _rich(table, part, wrapped=narrow)
        console.width = usual if narrow else max(usual, _width(console, shown))
        console.print(shown, crop=False)
    console.width = usual
    left_out = [
        label for _, label in columns if not any(label == kept[1] for part in parts for kept in part)
    ]
    if left_out:
        console.print(f"left out: {', '.join(left_out)} (--wide shows all)", style="dim")
    for note in [table.caption, *table.all_notes]:
        if note:
            console.print(Text(visible(note)))
    if ids:
        for row, column, cell in table.each():
            if cell.records:
                place = " / ".join([*row, *filter(None, column)])
                console.print(Text(visible(f"  {place}: {' '.join(cell.records)}")), soft_wrap=True)
    console.print()


def _fitting(console: Console, table: Table, columns: list[Column]) -> list[Column]:
    """The first columns that fit, at least one."""
    kept = list(columns)
    while len(kept) > 1 and _width(console, _rich(table, kept)) > console.width:
        kept.pop()
    return kept


def _width(console: Console, shown: RichTable) -> int:
    options = console.options.update(width=UNLIMITED)
    return Measurement.get(console, options, shown).maximum


def _rich(table: Table, columns: Sequence[Column], *, wrapped: bool = False) -> RichTable:
    """Build rich's table, the rows' labels on several lines where they must be. Cells are Text, as rich
    would read strings as markup."""
    shown = RichTable()
    for label in table.row_labels:
        shown.add_column(Text(visible(label)), no_wrap=not wrapped, overflow="fold")
    for column in columns:
        heading = "\n".join(visible(part) for part in table.heading(column) if part)
        shown.add_column(Text(heading), justify="right", no_wrap=True)
    previous: tuple[str, ...] = ()
    for row in table.rows:
        if previous and len(row) > 1 and row[0] != previous[0]:
            shown.add_section()
        labels = [("" if previous[:1] == row[:1] and len(row) > 1 else row[0]), *row[1:]]
        previous = row
        cells = [
            Text(visible(table.text(row, column)), style=STYLES[table.cell(row, column).origin])
            for column in columns
        ]
        shown.add_row(*(Text(visible(label)) for label in labels), *cells)
    return shown
