"""``gunrock compare``: a regression gate over two sets of records."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from gunrock_cli.cli.messages import error
from gunrock_cli.cli.number_types import Share
from gunrock_cli.errors import EXIT_WRONG, UsageError

if TYPE_CHECKING:
    from gunrock_cli.bench.records.regressions import Comparison

COLOURS = {"slower": "red", "broken": "red", "missing": "red", "faster": "green",
           "fixed": "green", "ambiguous": "yellow", "failed": "yellow"}  # fmt: skip


@click.command(
    epilog="""\b
Examples:
  gunrock compare before.jsonl after.jsonl
  gunrock compare before.jsonl after.jsonl --fail-over 5%

Exit codes: 0 no regression (or no --fail-over), 1 a regression, 2 bad input.
"""
)
@click.argument("old", type=click.Path())
@click.argument("new", type=click.Path())
@click.option(
    "--fail-over",
    type=Share(),
    metavar="SHARE",
    help="Exit 1 where a cell is slower by more than this (5% or 0.05) and by more than "
    "its noise, or where one that was ok is missing or no longer ok.",
)
@click.option(
    "--use",
    type=click.Choice(["mean", "median", "min"]),
    default="mean",
    help="The statistic of the runs to compare.",
)
@click.option(
    "--ignore",
    multiple=True,
    metavar="OPTION",
    help="An option that may differ between the two (repeatable).",
)
@click.option("--json", "as_json", is_flag=True, help="A JSON array on stdout.")
def command(
    old: str, new: str, fail_over: float | None, use: str, ignore: tuple[str, ...], as_json: bool
) -> None:
    """Compare the records OLD and NEW (files or folders): time ratio per cell, with its noise.

    A ratio over 1 means that NEW takes longer. The 95% interval counts the runs of a side as one
    process, whose luck they share, allows for the time that its threads waited for a core, and holds
    for all cells together. A cell whose interval reaches across the limit, or with fewer than three
    runs on a side, is called ambiguous, not slower. Without --fail-over the limit for the verdicts is
    5%, and the exit code is 0, unless no cell is on both sides.
    """
    from gunrock_cli.bench.records.regressions import compare
    from gunrock_cli.cli.commands.results import load

    limit = 0.05 if fail_over is None else fail_over
    found = compare(load((old,)).records, load((new,)).records, limit=limit, use=use, ignore=ignore)
    if not found:
        raise UsageError("neither side has a record")
    if as_json:
        click.echo(json.dumps([cell.to_dict() for cell in found]))
    else:
        show(found)
    worse = sum(cell.regression for cell in found)
    if fail_over is not None and worse:
        error(f"gunrock: {worse} of {len(found)} cells regressed (limit {limit:.1%})")
        raise click.exceptions.Exit(EXIT_WRONG)
    if all(cell.old is None or cell.new is None for cell in found):
        raise UsageError(
            f"nothing was compared: no cell is in both {old} and {new} (--ignore names "
            "options that may differ)"
        )


def show(found: list[Comparison]) -> None:
    """The comparison as a table on stdout; options only if cells differ in nothing else."""
    from rich.table import Table
    from rich.text import Text

    from gunrock_cli.cli.console import plain, print_table
    from gunrock_cli.cli.number_texts import number
    from gunrock_cli.cli.rows_apart import telling_apart
    from gunrock_cli.report.evidence.data import short_device

    table = Table(title="new time over old time")
    for heading in (
        "primitive",
        "graph",
        "system",
        "device",
        "options",
        "old (ms)",
        "new (ms)",
        "new/old",
        "95% interval",
        "verdict",
    ):
        table.add_column(heading, justify="right" if heading[:3] in ("old", "new", "95%") else "left")
    cells = [
        ((cell.primitive, cell.graph, cell.system, cell.device), json.loads(cell.options))
        for cell in found
    ]
    for cell, options in zip(found, telling_apart(cells), strict=True):
        sides = [cell.old, cell.new]
        times = [
            ""
            if side is None
            else number(side.time_ms.mean)
            if side.status == "ok" and side.time_ms
            else side.status
            for side in sides
        ]
        ratio = cell.ratio
        table.add_row(
            *map(plain, (cell.primitive, cell.graph, cell.system, short_device(cell.device),
                         options, *times)),
            number(ratio.value) if ratio else "",
            f"{number(ratio.low)} to {number(ratio.high)}" if ratio else "",
            Text(cell.verdict + (f": {cell.why}" if cell.why else ""),
                 style=COLOURS.get(cell.verdict, "")),
        )  # fmt: skip
    print_table(
        table,
        least=("95% interval", "old (ms)", "new (ms)"),
        keys=("primitive", "graph", "system", "device", "options", "new/old", "verdict"),
    )
