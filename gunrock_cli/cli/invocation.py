"""The command line that is being run."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click
from click.core import ParameterSource

from gunrock_cli.cli.messages import Everywhere

_RUN = "gunrock_cli.words"


def run_as(context: click.Context, given: Sequence[str], words: Sequence[str]) -> None:
    """Record that the command is run with ``words`` in place of those given after its name."""
    line = Everywhere.taken_from(sys.argv[1:]).words  # the command never sees the others
    context.meta[_RUN] = ["gunrock", *line[: len(line) - len(given)], *words]


def invoked_command() -> list[str]:
    """The command line for the record: as the user gave it, except for old spellings."""
    context = click.get_current_context(silent=True)
    found: list[str] = (context.meta if context else {}).get(_RUN, ["gunrock", *sys.argv[1:]])
    return found


def is_given(key: str) -> bool:
    """True if an option is on the command line; ``key`` is its parameter's name."""
    return click.get_current_context().get_parameter_source(key) is ParameterSource.COMMANDLINE
