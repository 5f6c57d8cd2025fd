"""Help in groups: options say to which group they belong, and a command lists them group by group.

``option(group, ...)`` declares an option like ``click.option``. Any command takes it; a
``GroupedCommand`` shows the groups in its ``--help``. A ``CommandGroup`` lists commands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any

import click

_WHOLE = 1000
"""More characters than any summary has."""


class Group(StrEnum):
    """The groups, in the order in which help shows them."""

    ALGORITHM = "Algorithm"
    SOURCE = "Source"
    MEASURING = "Measuring"
    OUTPUT = "Output"
    FILE = "Graph file"
    EDGES = "Edges and weights"
    GENERATOR = "Generator"


class GroupedOption(click.Option):
    """An option that knows its group. ``takers`` are the generators that take it: help then shows it by
    its flag alone, one line per generator. ``takes_list``: commas belong to its value."""

    def __init__(
        self,
        *args: Any,
        group: Group,
        takers: tuple[str, ...] = (),
        takes_list: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.group = group
        self.takes_list = takes_list
        self.takers = takers


def option(group: Group, *names: str, **attributes: Any) -> Callable[[Any], Any]:
    """``click.option`` for an option of a group."""
    return click.option(*names, cls=GroupedOption, group=group, **attributes)


class GroupedCommand(click.Command):
    """A command whose help first shows its own options, then those of each group, then the rest."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        params = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        help_option = self.get_help_option(ctx)
        own = [
            param for param in params if not isinstance(param, GroupedOption) and param is not help_option
        ]
        _section(ctx, formatter, "Options", own)
        for group in Group:
            members = [
                param for param in params if isinstance(param, GroupedOption) and param.group is group
            ]
            _section(ctx, formatter, group, members)
        _section(ctx, formatter, "Other", [] if help_option is None else [help_option])


class CommandGroup(click.Group):
    """Commands whose summaries ``--help`` shows in full, on as many lines as they take: Click cuts them
    off at the end of the line."""

    def summarized(self, ctx: click.Context, name: str) -> click.Command:
        """The command that has the summary."""
        found = self.get_command(ctx, name)
        assert found is not None
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, self.summarized(ctx, name).get_short_help_str(_WHOLE))
                    for name in self.list_commands(ctx)
                ]
            )


def _section(
    ctx: click.Context, formatter: click.HelpFormatter, title: str, options: Sequence[click.Option]
) -> None:
    if not options:
        return
    lines = [
        record
        for each in options
        if not getattr(each, "takers", ())
        if (record := each.get_help_record(ctx)) is not None
    ]
    with formatter.section(title):
        formatter.write_dl(_by_generator(options) + lines)


def _by_generator(options: Sequence[click.Option]) -> list[tuple[str, str]]:
    """A line per generator: the flags that it takes."""
    flags: dict[str, list[str]] = {}
    for each in options:
        for taker in getattr(each, "takers", ()):
            flags.setdefault(taker, []).append(each.opts[0])
    lines = [(name, " ".join(taken)) for name, taken in flags.items()]
    return [*lines, ("", "(gunrock generate --help says what each does)")] if lines else []
