"""``gunrock results``: look into record files and merge them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gunrock_cli.cli.help_groups import CommandGroup
from gunrock_cli.cli.messages import notice, warning

if TYPE_CHECKING:
    from gunrock_cli.bench.records.export import Statistic
    from gunrock_cli.bench.records.file import Problem, RecordSet
    from gunrock_cli.bench.records.record import Record

DEFAULT_FOLDER = "results"
MOST_PROBLEMS = 20
"""How many bad lines are named; in a large file that is not a record file, the rest are only counted."""


@click.group(
    cls=CommandGroup,
    epilog="""\b
Examples:
  gunrock results list sweep.jsonl --primitive bfs --status ok
  gunrock results show 0123abcd sweep.jsonl
  gunrock results merge monday.jsonl tuesday.jsonl --output both.jsonl
  gunrock results export sweep.jsonl --output benchmark.json
""",
)
def command() -> None:
    """List, show, merge and export recorded runs (JSON lines, see docs/records.md)."""


def load(files: tuple[str, ...]) -> RecordSet:
    """Read the files (``results`` if none is named) and report unreadable lines on stderr."""
    from gunrock_cli.bench.records.file import read_records
    from gunrock_cli.cli.graph_progress import graph_progress

    with graph_progress() as progress:
        found = read_records(files or (DEFAULT_FOLDER,), progress)
    report_problems(found.problems)
    return found


def report_problems(problems: Sequence[Problem]) -> None:
    """Name the skipped lines on stderr."""
    for problem in problems[:MOST_PROBLEMS]:
        warning(f"gunrock: {problem}; left out")
    if more := len(problems[MOST_PROBLEMS:]):
        warning(f"gunrock: {more} more bad lines; left out")


FILES = click.argument("files", nargs=-1, type=click.Path())


@command.command("list")
@FILES
@click.option("--primitive", help="Only this primitive.")
@click.option("--graph", help="Only graphs whose name contains this.")
@click.option("--system", help="Only this system (gunrock or a peer).")
@click.option("--status", help="Only this status: ok, wrong, OOM, timeout, error.")
@click.option("--json", "as_json", is_flag=True, help="A JSON array on stdout.")
def list_command(
    files: tuple[str, ...],
    primitive: str | None,
    graph: str | None,
    system: str | None,
    status: str | None,
    as_json: bool,
) -> None:
    """One line per record. FILES are record files or folders of them."""
    from rich.table import Table

    from gunrock_cli.bench.records.table import options_given, row
    from gunrock_cli.cli.console import plain, print_table
    from gunrock_cli.cli.number_texts import number
    from gunrock_cli.cli.rows_apart import telling_apart
    from gunrock_cli.report.evidence.data import short_device

    wanted = {"primitive": primitive, "system": system, "status": status}
    records = [(row(record), record) for record in load(files).records]
    records = [
        (r, record)
        for r, record in records
        if all(v is None or r[k] == v for k, v in wanted.items())
        and (graph is None or graph in str(r["graph"]))
    ]
    rows = [r for r, _ in records]
    if as_json:
        click.echo(json.dumps(rows))
        return
    apart = telling_apart(
        [
            (
                tuple(r[key] for key in ("primitive", "graph", "system", "device")),
                {**options_given(record), **sources_of(record)},
            )
            for r, record in records
        ]
    )
    columns = {
        "id": "id",
        "primitive": "primitive",
        "graph": "graph",
        "options": "options",
        "mean_ms": "mean (ms)",
        "mteps": "MTEPS",
        "status": "status",
        "system": "system",
        "device": "device",
        "time": "time",
    }
    table = Table(title=f"{len(rows)} records")
    for key, heading in columns.items():
        table.add_column(heading, justify="right" if key in ("mean_ms", "mteps") else "left")
    for row_, options in zip(rows, apart, strict=True):
        short = {"id": str(row_["id"])[:8], "device": short_device(str(row_["device"]))}
        found = {**row_, **short, "options": options}
        table.add_row(
            *(
                plain(
                    ""
                    if found[key] is None
                    else number(value)
                    if isinstance(value := found[key], float)
                    else str(found[key])
                )
                for key in columns
            )
        )
    print_table(
        table,
        least=("time", "MTEPS"),
        keys=("id", "primitive", "graph", "options", "mean (ms)", "status", "system", "device"),
    )


def sources_of(record: Record) -> dict[str, object]:
    """Where its runs started, as options: the vertex, or how many."""
    names = list(dict.fromkeys(record.source_names or record.sources))
    if not names:
        return {}
    return {"src": names[0]} if len(names) == 1 else {"num_sources": len(names)}


@command.command("show")
@click.argument("record_id")
@FILES
@click.option("--json", "as_json", is_flag=True, help="The record as one JSON line on stdout.")
def show_command(record_id: str, files: tuple[str, ...], as_json: bool) -> None:
    """All of one record. RECORD_ID may be the beginning of an id, as long as only one fits."""
    from gunrock_cli.cli.console import console

    record = load(files).find(record_id)
    if as_json:
        click.echo(record.to_json())
        return
    shown = {key: value for key, value in asdict(record).items() if value not in (None, [], {}, "")}
    console().print_json(json.dumps(shown))


@command.command("merge")
@FILES
@click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write; it is replaced at once, when all was read.",
)
def merge_command(files: tuple[str, ...], output: Path) -> None:
    """Write the records of FILES into one file, each once, in the order of their times."""
    from gunrock_cli.files import atomic_write, check_writable, locked

    check_writable(output, append=True, make_folder=True)
    with locked(output) if output.exists() else nullcontext():  # no append is lost between the two
        records = sorted(load(files).records, key=lambda record: record.time)
        with atomic_write(output) as file:
            file.write("".join(record.to_json() + "\n" for record in records).encode())
    notice(f"{len(records)} records in {output}")


@command.command("export")
@FILES
@click.option(
    "--to",
    "form",
    type=click.Choice(["github-action-benchmark"]),
    show_default=True,
    default="github-action-benchmark",
    help="Whose file: github-action-benchmark reads it with tool: customSmallerIsBetter.",
)
@click.option(
    "--use",
    type=click.Choice(["mean", "median", "min"]),
    default="mean",
    show_default=True,
    help="Which of a record's times.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write; without it, stdout.",
)
def export_command(files: tuple[str, ...], form: str, use: Statistic, output: Path | None) -> None:
    """Write the newest record of each cell of FILES as a file for another program.

    Cells that failed have no time and are left out; they are named on stderr, and make exit code 1.
    """
    from gunrock_cli.bench.records.export import github_action_benchmark, not_exported
    from gunrock_cli.bench.records.table import graph_name
    from gunrock_cli.errors import EXIT_WRONG
    from gunrock_cli.files import atomic_write

    records = load(files).records
    text = json.dumps(github_action_benchmark(records, use), indent=1, ensure_ascii=False) + "\n"
    if output is None:
        click.echo(text, nl=False)
    else:
        with atomic_write(output) as file:
            file.write(text.encode())
    failed = not_exported(records)
    for record in failed:
        warning(
            f"gunrock: {record.primitive} on {graph_name(record)}, {record.system}: {record.status}; "
            "left out"
        )
    if failed:
        raise click.exceptions.Exit(EXIT_WRONG)
