"""A sweep's cells, parsed as command lines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from gunrock_cli.cli.graph_options import check_graph
from gunrock_cli.cli.hints import no_such_option
from gunrock_cli.errors import GunrockError, InputError, UsageError

if TYPE_CHECKING:
    from gunrock_cli.bench.sweeps.plan import Plan
    from gunrock_cli.primitives.base import Primitive


class ReadCell(NamedTuple):
    """A cell's primitive and graph, with the values of all options of its command."""

    primitive: Primitive
    values: dict[str, Any]


def read_cells(plan: Plan, plan_file: Path | None = None) -> list[ReadCell]:
    """Parse the cells of a plan. InputError for a cell that its primitive's command would refuse: an
    unknown option, a value out of range. Missing files and data sets only cost their own cells."""
    from gunrock_cli.cli.primitive_command import command_of, common_options
    from gunrock_cli.primitives.external import command_words, find_primitive

    commands: dict[str, tuple[Primitive, click.Command]] = {}
    described: set[str] = set()
    found = []
    for cell in plan.cells:
        try:
            if cell.primitive not in commands:
                loaded = find_primitive(cell.primitive, common_options())
                commands[cell.primitive] = loaded, command_of(loaded)
            primitive, command = commands[cell.primitive]
            words = cell.arguments[len(command_words(cell.primitive)) :]
            if {"--help", "--help-all", "-h"} & set(words):
                raise UsageError("asks for help, which measures nothing")
            with command.make_context(cell.primitive, words) as context:
                check_graph(context.params)
                _check_descriptions(context.params["against"], described)
                found.append(ReadCell(primitive, context.params))
        except (click.ClickException, GunrockError) as error:
            told = error.format_message() if isinstance(error, click.ClickException) else str(error)
            if isinstance(error, click.NoSuchOption):
                told = no_such_option(error, command)
            raise InputError(
                f"{cell.label}: {' '.join(told.split()).rstrip('.')}",
                path=None if plan_file is None else str(plan_file),
            ) from None
    return found


def _check_descriptions(against: str | None, known: set[str]) -> None:
    """Refuse an invalid description of a peer; ``known`` are those already checked. A missing program
    costs its cells."""
    from gunrock_cli.peers import DESCRIPTION, get_peer

    for name in (against or "").split(","):
        if name.strip().endswith(DESCRIPTION) and name.strip() not in known:
            get_peer(name.strip())
            known.add(name.strip())
