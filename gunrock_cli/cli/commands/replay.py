"""``gunrock replay``: a log of changes to a graph, and answers that go on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gunrock_cli.cli.graph_options import graph_options
from gunrock_cli.cli.help_groups import GroupedCommand
from gunrock_cli.cli.invocation import invoked_command, is_given
from gunrock_cli.cli.messages import error
from gunrock_cli.cli.number_types import Whole
from gunrock_cli.cli.run_declarations import backend_option, source_option, threads_option
from gunrock_cli.errors import EXIT_WRONG

if TYPE_CHECKING:
    from gunrock_cli.bench.records.record import Record
    from gunrock_cli.bench.studies.replay import Replayed


@click.command(
    cls=GroupedCommand,
    context_settings={"show_default": True},
    epilog="""\b
Examples:
  gunrock replay changes.log --market graph.mtx
  gunrock replay changes.log rmat --scale 16 --primitive bfs --src 3 --output replay.jsonl
  gunrock replay times.txt --edge-list start.txt --batch 10000 --primitive pagerank

A log has lines + u v, + u v weight and - u v; an empty line or commit ends a batch. Or its lines are
u v time: all are inserted, in the order of their times. Vertices count from 0.

Exit codes: 0 every answer is right, 1 some are not, 2 bad input.
""",
)
@click.argument("log", metavar="LOG")
@click.option("--primitive", default="cc", metavar="NAME", help="cc, bfs, sssp or pagerank.")
@source_option
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="OPTION=VALUE",
    help="An option of the primitive (repeatable).",
)
@click.option(
    "--batch",
    type=Whole(1),
    show_default=False,
    help="Changes in a batch. Default: as the log says; all of a list with times.",
)
@backend_option
@threads_option
@click.option("--iterations", "--runs", "runs", type=Whole(1), default=3, help="Timed runs of each kind.")
@click.option("--warmup", type=Whole(0), default=1, help="Runs before the clock counts.")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print a record per batch; metrics.scratch_over_update is the ratio.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Append the records to a JSON-lines file. Missing folders are made.",
)
@graph_options
def command(log: str, primitive: str, **values: Any) -> None:
    """Replay a LOG of changes to GRAPH, batch by batch.

    After each batch, the answer is found from the last one and from scratch; certificates prove both.
    The table has the time to apply the batch, both runs' times, how many times faster the first is, and
    "no" under "went on" if it began from scratch too.
    """
    from gunrock_cli.bench.protocol.runner import Protocol
    from gunrock_cli.bench.records.record import keep_records
    from gunrock_cli.bench.studies.replay import replay
    from gunrock_cli.cli.commands.compare_modes import check_src, sources_of
    from gunrock_cli.cli.primitive_command import common_options
    from gunrock_cli.cli.run import announce, chosen_backend, load
    from gunrock_cli.cli.settings import parse_settings
    from gunrock_cli.files import check_writable
    from gunrock_cli.graph.sources.files.readers.log import read_log
    from gunrock_cli.primitives.external import find_primitive

    if values["output"] is not None:
        check_writable(values["output"], append=True, make_folder=True)
    chosen = find_primitive(primitive, common_options())
    given = parse_settings(chosen, values["settings"])
    check_src(chosen, values["src"], given)
    batches = read_log(log, values["batch"])
    if chosen.needs.directed and not is_given("undirected"):
        values["graph_spec"] = replace(values["graph_spec"], undirected=False)
    backend = chosen_backend(values["backend"], values["threads"])
    graph, _ = load(chosen, values["graph_spec"], backend, values["use_cache"])
    graph = graph.to(backend.xp)  # OutOfMemory if it does not fit
    sources = sources_of(chosen, graph, values, given)
    announce(backend, values["backend"])
    protocol = Protocol(
        runs=values["runs"], warmup=values["warmup"], check="certificate", command=invoked_command()
    )
    rows: list[Replayed] = []
    wrong: list[Record] = []
    for row in replay(chosen, graph, given, sources, backend, protocol, batches):
        rows.append(row)
        wrong += [each for each in (row.update, row.scratch) if each.status != "ok"]
        if values["as_json"]:
            click.echo(row.record().to_json())
        if values["output"] is not None:
            keep_records(values["output"], [row.record()])
    if not values["as_json"]:
        show(chosen.name, graph.name, rows)
    if wrong:
        error(f"gunrock: {len(wrong)} answers are wrong, the first: {wrong[0].error}")
        raise click.exceptions.Exit(EXIT_WRONG)


def show(primitive: str, graph: str, rows: list[Replayed]) -> None:
    """Print a row per batch."""
    from rich.table import Table

    from gunrock_cli.cli.console import plain, print_table
    from gunrock_cli.cli.number_texts import number

    table = Table(title=plain(f"{primitive} on {graph}, batch by batch", "table.title"))
    for heading in (
        "batch",
        "in",
        "out",
        "ms to apply",
        "ms to go on",
        "ms from scratch",
        "ratio",
        "went on",
    ):
        table.add_column(heading, justify="right")
    for row in rows:
        update, scratch = row.update.time_ms, row.scratch.time_ms
        table.add_row(
            f"{row.number:,}",
            f"{row.applied.inserted + row.applied.reweighted:,}",
            f"{row.applied.deleted:,}",
            number(row.apply_ms),
            number(update.mean if update else None),
            number(scratch.mean if scratch else None),
            number(row.ratio, 3),
            "yes" if row.went_on else "no",
        )
    print_table(table)
