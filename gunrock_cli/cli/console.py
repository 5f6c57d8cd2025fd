"""Where tables are printed: rich, which by itself follows NO_COLOR and drops colours in pipes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gunrock_cli.visible import visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

PIPE_WIDTH = 240
"""Columns if stdout is not a terminal: a pipe has no edge, so nothing is cut or wrapped."""


def console(*, stderr: bool = False) -> Console:
    """A console on stdout (results) or stderr (progress, warnings)."""
    import os

    from rich.console import Console

    class Ours(Console):
        def on_broken_pipe(self) -> None:
            """Rich would exit with 1, which is the code of a wrong answer."""
            raise BrokenPipeError

    found = Ours(stderr=stderr)
    if not found.is_terminal and "COLUMNS" not in os.environ:
        found.width = PIPE_WIDTH
    return found


def plain(text: object, style: str = "") -> Text:
    """Text from outside (a name, an error, an option's value) as it is: no markup, nothing hidden.
    Everything except the tool's own words goes through here on its way to rich."""
    from rich.text import Text

    return Text(visible(str(text)), style)


TEXT_WIDTH = 28
"""Width at which texts are wrapped in a table that is too wide for the terminal."""
_choice = {"everything": False}


def show_everything() -> None:
    """For --wide: no column is left out."""
    _choice["everything"] = True


def shows_everything() -> bool:
    """True with --wide."""
    return _choice["everything"]


def print_table(table: Table, least: Sequence[str] = (), keys: Sequence[str] = ()) -> list[str]:
    """Print a table on stdout below its title, whose width is not the table's.

    On a terminal that is too narrow, columns with a heading in ``keys``, which tell rows apart or are
    what the table is for, stay; one that says the same in every row is said once, below. Others are left
    out, named and returned: first those with a heading in ``least``, then from the right. Elsewhere all
    are printed in full, as a pager can scroll sideways.
    """
    target = console()
    if table.title:
        title = plain(table.title, "table.title") if isinstance(table.title, str) else table.title
        target.print(title, soft_wrap=not target.is_terminal)
    shown = _of_columns(table, table.columns)
    if not target.is_terminal or _choice["everything"]:
        target.width = max(target.width, _width(shown, target))
        target.print(shown, crop=False)
        return []
    same: dict[str, str] = {}
    left_out: list[str] = []
    if _width(shown, target) > target.width:
        columns, same = _told_once(table, keys)
        shown = _of_columns(table, columns)
        if _width(shown, target) > target.width:
            shown, left_out = _fitting(table, columns, target, least, keys)
    target.print(shown)
    if same:
        target.print(plain(f"in every row: {', '.join(map(' '.join, same.items()))}", "dim"))
    if left_out:
        target.print(plain(f"left out: {', '.join(left_out)} (--wide shows all)", "dim"))
    return left_out


def print_footnote(text: str) -> None:
    """Say below a table what is in it; a pipe gets one line."""
    target = console()
    target.print(plain(text, "dim"), soft_wrap=not target.is_terminal)


def is_too_wide(table: Table) -> bool:
    """True if columns would have to be left out, or texts wrapped."""
    target = console()
    return (
        target.is_terminal
        and not _choice["everything"]
        and _width(_of_columns(table, table.columns), target) > target.width
    )


def _width(table: Table, target: Console) -> int:
    from rich.measure import Measurement

    return Measurement.get(target, target.options.update(width=10_000), table).maximum


def _told_once(table: Table, keys: Sequence[str]) -> tuple[list[Column], dict[str, str]]:
    """A table's columns without those of ``keys`` that say the same in several rows; and what these
    say."""
    kept, same = list(table.columns), {}
    for column in table.columns:
        values = {str(cell) for cell in column.cells}
        if str(column.header) in keys and len(values) == 1 < table.row_count and len(kept) > 2:
            kept.remove(column)
            same[str(column.header)] = values.pop()
    return kept, {heading: value for heading, value in same.items() if value}


def _fitting(
    table: Table, columns: Sequence[Column], target: Console, least: Sequence[str], keys: Sequence[str]
) -> tuple[Table, list[str]]:
    """What fits of some columns with longer texts wrapped, then headings too, at least two columns and
    ``keys``; and what does not."""
    wrapped = _of_columns(table, columns, TEXT_WIDTH)
    if _width(wrapped, target) <= target.width:
        return wrapped, []
    kept = list(columns)
    order = {heading: place for place, heading in enumerate(least)}
    while _width(_of_columns(table, kept, TEXT_WIDTH, wrap_headings=True), target) > target.width:
        others = [column for column in kept[1:] if str(column.header) not in keys]
        if len(kept) <= 2 or not others:
            break
        kept.remove(min(reversed(others), key=lambda column: order.get(str(column.header), len(order))))
    left_out = [str(column.header) for column in columns if column not in kept]
    width = TEXT_WIDTH if len(kept) > 2 else None
    return _of_columns(table, kept, width, wrap_headings=True), left_out


def _of_columns(
    table: Table, columns: Sequence[Column], text_width: int | None = None, *, wrap_headings: bool = False
) -> Table:
    """Some of a table's columns, without its title; texts are wrapped at ``text_width``, and headings, if
    asked for, between words where their numbers end; none is cut."""
    from rich.table import Table

    found = Table(*(column.copy() for column in columns), show_header=table.show_header)
    for column, own in zip(found.columns, columns, strict=True):
        if column.justify == "left":
            column.max_width = text_width
        elif wrap_headings:
            column.max_width = _widest(own)
        column.overflow = "fold"
    cells = zip(*(column.cells for column in columns), strict=True)
    for row, of_row in zip(table.rows, cells, strict=True):
        found.add_row(*of_row, end_section=row.end_section)
    return found


def _widest(column: Column) -> int:
    """The width of a column whose heading is wrapped between its words."""
    return max(len(text) for text in (*map(str, column.cells), *str(column.header).split()))
