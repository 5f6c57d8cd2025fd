"""Where tables are printed: rich, which follows NO_COLOR and drops colours in pipes by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gunrock_cli.visible import visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

PIPE_WIDTH = 240
"""Columns when stdout is no terminal: a pipe has no edge, so that nothing is cut or wrapped."""


def console(*, stderr: bool = False) -> Console:
    """A console on stdout (results) or stderr (progress, warnings)."""
    import os

    from rich.console import Console

    class Ours(Console):
        def on_broken_pipe(self) -> None:
            """Rich would end by 1, which is the code of a wrong answer."""
            raise BrokenPipeError

    found = Ours(stderr=stderr)
    if not found.is_terminal and "COLUMNS" not in os.environ:
        found.width = PIPE_WIDTH
    return found


def plain(text: object, style: str = "") -> Text:
    """Text from outside (a name, an error, an option's value) as it is: no markup, nothing hidden.
    Whatever is not the tool's own word goes through here on its way to rich."""
    from rich.text import Text

    return Text(visible(str(text)), style)


def print_table(table: Table) -> None:
    """A table on stdout with its columns whole: a pager can scroll sideways."""
    from rich.measure import Measurement

    target = console()
    wide = target.options.update(width=10_000)
    target.width = max(target.width, Measurement.get(target, wide, table).maximum)
    target.print(table, crop=False)
