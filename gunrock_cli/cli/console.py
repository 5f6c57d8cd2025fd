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


def print_table(table: Table, least: Sequence[str] = ()) -> list[str]:
    """Print a table on stdout below its title, whose width is not the table's. On a terminal that is too
    narrow some columns are left out, named and returned: first those with a heading in ``least``, then
    from the right. Elsewhere all are printed in full, as a pager can scroll sideways."""
    target = console()
    if table.title:
        title = plain(table.title, "table.title") if isinstance(table.title, str) else table.title
        target.print(title, soft_wrap=not target.is_terminal)
    shown = _of_columns(table, table.columns)
    if not target.is_terminal or _choice["everything"]:
        target.width = max(target.width, _width(shown, target))
        target.print(shown, crop=False)
        return []
    left_out: list[str] = []
    if _width(shown, target) > target.width:
        shown, left_out = _fitting(table, target, least)
    target.print(shown)
    if left_out:
        target.print(plain(f"left out: {', '.join(left_out)} (--wide shows all)", "dim"))
    return left_out


def print_footnote(text: str) -> None:
    """Say below a table what is in it; a pipe gets one line."""
    target = console()
    target.print(plain(text, "dim"), soft_wrap=not target.is_terminal)


def is_too_wide(table: Table) -> bool:
    """Whether columns would have to be left out, or texts wrapped."""
    target = console()
    return (
        target.is_terminal
        and not _choice["everything"]
        and _width(_of_columns(table, table.columns), target) > target.width
    )


def _width(table: Table, target: Console) -> int:
    from rich.measure import Measurement

    return Measurement.get(target, target.options.update(width=10_000), table).maximum


def _fitting(table: Table, target: Console, least: Sequence[str]) -> tuple[Table, list[str]]:
    """What fits of a table with its longer texts wrapped, at least two columns; and what does not."""
    kept = list(table.columns)
    order = {heading: place for place, heading in enumerate(least)}
    while len(kept) > 2 and _width(_of_columns(table, kept, TEXT_WIDTH), target) > target.width:
        kept.remove(min(reversed(kept[1:]), key=lambda column: order.get(str(column.header), len(order))))
    left_out = [str(column.header) for column in table.columns if column not in kept]
    return _of_columns(table, kept, TEXT_WIDTH if len(kept) > 2 else None), left_out


def _of_columns(table: Table, columns: Sequence[Column], text_width: int | None = None) -> Table:
    """Some of a table's columns, without its title; texts are wrapped at ``text_width``, none is cut."""
    from rich.table import Table

    found = Table(*(column.copy() for column in columns), show_header=table.show_header)
    for column in found.columns:
        column.max_width = text_width if column.justify == "left" else None
        column.overflow = "fold"
    cells = zip(*(column.cells for column in columns), strict=True)
    for row, of_row in zip(table.rows, cells, strict=True):
        found.add_row(*of_row, end_section=row.end_section)
    return found
