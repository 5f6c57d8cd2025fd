"""The tables of ``gunrock compare-modes`` on a terminal: one per panel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gunrock_cli.cli.messages import warning

if TYPE_CHECKING:
    from gunrock_cli.bench.records.record import Record
    from gunrock_cli.bench.studies.ablation import Ablation, Row


LEAST = ("steps", "stddev (ms)", "MTEPS", "min (ms)", "also")
KEYS = ("setting", "time / default", "95% interval", "difference", "validation")
"""The columns that go first on a narrow terminal, and those that stay."""
MOST_NAMED = 3
"""Settings that a warning names."""


def show(ablation: Ablation, default: Record, rows: list[Row]) -> None:
    """Print one table per panel, with the default's line at the top of each, and warnings on stderr."""
    from rich.table import Table

    from gunrock_cli.cli.console import console, plain, print_table

    graph = default.graph
    console().print(
        plain(
            f"{default.primitive} on {graph['name']}: {graph['vertices']:,} vertices, "
            f"{graph['edges']:,} edges, {default.device.get('name')}",
            "bold",
        )
    )
    for panel in ablation.panels:
        table = Table("setting", "also", title=plain(panel.title, "table.title"))
        for heading in (
            "runtime, mean (ms)",
            "min (ms)",
            "stddev (ms)",
            "MTEPS",
            "steps",
            "time / default",
            "95% interval",
            "difference",
            "validation",
        ):
            table.add_column(heading, justify="right")
        mine = [row for row in rows if row.panel == panel.title]
        if not any(ablation.is_default(row.variant) for row in mine if row.record):
            table.add_row("default", "", *map(plain, figures(default, default)))
        for row in mine:
            if row.record is None:
                table.add_row(plain(row.variant.label), plain(f"does not apply: {row.refusal}"))
                continue
            mark = " (default)" if ablation.is_default(row.variant) else ""
            table.add_row(
                *map(
                    plain,
                    (
                        row.variant.label + mark,
                        " ".join(ablation.also_changed(row.variant)),
                        *figures(row.record, default),
                    ),
                )
            )
        print_table(table, LEAST, KEYS)
    warn(rows)


def warn(rows: Sequence[Row]) -> None:
    """One line about all records with warnings."""
    noisy = list({id(row.record): row for row in rows if row.record and row.record.warnings}.values())
    if not noisy:
        return
    names = ", ".join(row.variant.label for row in noisy[:MOST_NAMED])
    more = f" and {len(noisy) - MOST_NAMED} more" if len(noisy) > MOST_NAMED else ""
    warning(
        "warning: compare minima, or measure again with more --iterations and --warmup: noisy "
        f"runs of {names}{more} (--json has each record's warnings)"
    )


def figures(record: Record, default: Record) -> tuple[str, ...]:
    """A record's cells; a wrong answer shows no time."""
    from gunrock_cli.bench.records.statistics import ratio
    from gunrock_cli.cli.number_texts import number

    time = record.time_ms
    if record.status != "ok" or time is None:
        return (record.status, "", "", "", "", "", "", "", f"{record.error}")
    shown = (
        number(time.mean),
        number(time.min),
        number(time.stddev),
        number(record.mteps),
        number(record.iterations),
    )
    verdict = record.validation.get("verdict", "-")
    if record is default or not (default.time_ms and default.time_ms.min > 0):
        return (*shown, "1", "", "", verdict)
    found = ratio(default.runs_ms, record.runs_ms)
    interval = f"{number(found.low)} to {number(found.high)}"
    return (*shown, number(found.value), interval, found.difference, verdict)
