"""Help in groups: options say to which group they belong, and a command lists them group by group.

``option(group, ...)`` declares an option like ``click.option``, and its ``level`` says who needs it: with
``-h`` a ``GroupedCommand`` shows what every user needs, each by its first sentence; with ``--help-all``
it shows everything, experts' options at the end. A ``CommandGroup`` lists commands.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from enum import Enum, StrEnum
from typing import Any

import click

_WHOLE = 1000
"""More characters than any summary has."""


class Group(StrEnum):
    """The groups, in the order in which help shows them."""

    FILE = "Graph file"
    EDGES = "Edges and weights"
    GENERATOR = "Generator"
    SOURCE = "Source"
    ALGORITHM = "Algorithm"
    MEASURING = "Measuring"
    OUTPUT = "Output"


_FIRST = "Graph and source"
_TOGETHER = dict.fromkeys((Group.FILE, Group.EDGES, Group.GENERATOR, Group.SOURCE), _FIRST)
"""The groups that ``-h`` shows under one heading."""
_EXPERTS = "For experts"


class Level(Enum):
    """Who needs an option, and so which help shows it."""

    EVERYONE = "-h"
    SOME = "--help-all"
    EXPERTS = "--help-all, at its end"


class GroupedOption(click.Option):
    """An option that knows its group. ``takers`` are the generators that take it: help then shows it by
    its flag alone, one line per generator. ``takes_list``: commas belong to its value."""

    def __init__(
        self,
        *args: Any,
        group: Group,
        level: Level = Level.SOME,
        takers: tuple[str, ...] = (),
        takes_list: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.group = group
        self.level = level
        self.takes_list = takes_list
        self.takers = takers


def option(group: Group, *names: str, **attributes: Any) -> Callable[[Any], Any]:
    """``click.option`` for an option of a group."""
    return click.option(*names, cls=GroupedOption, group=group, **attributes)


class GroupedCommand(click.Command):
    """A command with two helps: the options that everyone needs, and all of them. Its own options, which
    have no group, come first in both, and its argument GRAPH with the options about graphs."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*super().get_params(ctx), _HELP_ALL]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        params = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        grouped = [param for param in params if isinstance(param, GroupedOption)]
        about_help = [self.get_help_option(ctx), _HELP_ALL]
        own = [each for each in params if each not in grouped and each not in about_help]
        _section(formatter, "Options", _records(ctx, own))
        if shows_all(ctx):
            self._format_all(ctx, formatter, grouped)
        else:
            self._format_brief(ctx, formatter, grouped)
        shown = about_help if shows_all(ctx) else [_HELP_ALL]
        _section(formatter, "Other", _records(ctx, [each for each in shown if each is not None]))

    def _format_all(
        self, ctx: click.Context, formatter: click.HelpFormatter, options: Sequence[GroupedOption]
    ) -> None:
        for group in Group:
            members = [
                each for each in options if each.group is group and each.level is not Level.EXPERTS
            ]
            first = self._about_graph() if group is Group.FILE else _by_generator(members)
            _section(formatter, group, [*first, *_records(ctx, members)])
        _section(
            formatter, _EXPERTS, _records(ctx, [each for each in options if each.level is Level.EXPERTS])
        )

    def _format_brief(
        self, ctx: click.Context, formatter: click.HelpFormatter, options: Sequence[GroupedOption]
    ) -> None:
        wanted = [_brief(each) for each in options if each.level is Level.EVERYONE]
        for title in dict.fromkeys(_TOGETHER.get(group, group) for group in Group):
            members = [
                each
                for group in Group
                for each in wanted
                if each.group is group and _TOGETHER.get(group, group) == title
            ]
            first = self._about_graph() if title == _FIRST else []
            _section(formatter, title, [*first, *_records(ctx, members)])

    def _about_graph(self) -> list[tuple[str, str]]:
        takes_graph = any(param.name == "graph" for param in self.params)
        return [("GRAPH", "A generator (rmat ...), a data set or a file.")] if takes_graph else []


def _show_all(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        ctx.meta[_HELP_ALL.opts[0]] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


_HELP_ALL = click.Option(
    ["--help-all"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_all,
    help="Show all options and exit.",
)


def shows_all(ctx: click.Context) -> bool:
    """True if the help that is being shown is that of ``--help-all``."""
    return _HELP_ALL.opts[0] in ctx.meta


def _brief(option: GroupedOption) -> GroupedOption:
    """The option as ``-h`` shows it: by its first sentence, and without its range."""
    found = copy.copy(option)
    found.help = (option.help or "").partition(". ")[0].removesuffix(".") + "."
    found.takers = ()
    if isinstance(option.type, click.IntRange):
        found.type = click.INT
    elif isinstance(option.type, click.FloatRange):
        found.type = click.FLOAT
    elif option.is_flag and option.default is False:  # so its other half says nothing more
        found.secondary_opts = []
        found.show_default = False
    return found


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


def _section(formatter: click.HelpFormatter, title: str, rows: Sequence[tuple[str, str]]) -> None:
    if rows:
        with formatter.section(title):
            formatter.write_dl(rows)


def _records(ctx: click.Context, options: Sequence[click.Option]) -> list[tuple[str, str]]:
    """A row per option, except for those that go with their generators."""
    found = [each.get_help_record(ctx) for each in options if not getattr(each, "takers", ())]
    return [record for record in found if record is not None]


def _by_generator(options: Sequence[click.Option]) -> list[tuple[str, str]]:
    """A line per generator: the flags that it takes."""
    flags: dict[str, list[str]] = {}
    for each in options:
        for taker in getattr(each, "takers", ()):
            flags.setdefault(taker, []).append(each.opts[0])
    lines = [(name, " ".join(taken)) for name, taken in flags.items()]
    return [*lines, ("", "(gunrock generate --help says what each does)")] if lines else []
