"""``gunrock compare-modes``: the ablations of Figure 8, for any primitive on any graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gunrock_cli.cli.graph_options import graph_options
from gunrock_cli.cli.help_groups import GroupedCommand
from gunrock_cli.cli.invocation import invoked_command, is_given
from gunrock_cli.cli.messages import error, is_quiet
from gunrock_cli.cli.number_types import Whole
from gunrock_cli.cli.run_declarations import backend_option, source_option, threads_option
from gunrock_cli.errors import EXIT_WRONG, GunrockError, UsageError

if TYPE_CHECKING:
    from gunrock_cli.bench.protocol.interleaved import Outcome, Start
    from gunrock_cli.bench.protocol.runner import Protocol
    from gunrock_cli.bench.records.record import Record
    from gunrock_cli.bench.studies.ablation import Configuration, Values
    from gunrock_cli.engine.backend import Backend
    from gunrock_cli.graph.model.graph import Graph
    from gunrock_cli.primitives.base import Primitive


@click.command(
    cls=GroupedCommand,
    context_settings={"show_default": True},
    epilog="""\b
Examples:
  gunrock compare-modes bfs --market graph.mtx --src 0
  gunrock compare-modes bfs rmat --scale 20 --src largest-degree --output modes.jsonl
  gunrock compare-modes sssp grid2d --width 300 --height 300 --set delta=64
  gunrock compare-modes pagerank rmat --scale 18 --set precision=float64 --json
  gunrock report --records modes.jsonl --format html --output report   # Figure 8

Exit codes: 0 every answer is right, 1 some are not (or a run failed), 2 bad input.
""",
)
@click.argument("primitive", metavar="PRIMITIVE")
@source_option
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="OPTION=VALUE",
    help="An option of the primitive, or advance_mode or loop, in the default and in "
    "every row that does not compare it (repeatable).",
)
@backend_option
@threads_option
@click.option(
    "--iterations", "--runs", "runs", type=Whole(1), default=10, help="Timed runs of each configuration."
)
@click.option(
    "--warmup", type=Whole(0), default=1, help="Runs of each configuration before the clock counts."
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print one record per line, the default's first; metrics.over_default is the ratio.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Append the records to a JSON-lines file at the end. Missing folders are made.",
)
@graph_options
def command(primitive: str, **values: Any) -> None:
    """Compare the ways in which PRIMITIVE can run, one option changed at a time.

    PRIMITIVE is one that ships, or a FILE.py as gunrock run takes it. Load-balancing modes,
    idempotence, directions, loops and what else it has to choose from are measured in panels as in
    the papers' Figure 8, each against the default; they take turns, so that clocks and temperature
    are the same for all. Every answer is checked. Where a comparison
    needs other options than the default has, the column "also" names them. Graphs are made
    undirected unless told otherwise, or unless PRIMITIVE is about directions (hits, salsa).
    """
    from gunrock_cli.bench.protocol.runner import Protocol
    from gunrock_cli.bench.studies.ablation import Ablation
    from gunrock_cli.cli.modes_table import show
    from gunrock_cli.cli.primitive_command import common_options
    from gunrock_cli.cli.run import announce, chosen_backend, load
    from gunrock_cli.cli.settings import parse_settings
    from gunrock_cli.files import check_writable
    from gunrock_cli.primitives.external import find_primitive

    if values["output"] is not None:
        check_writable(values["output"], append=True, make_folder=True)
    chosen = find_primitive(primitive, common_options())
    given = parse_settings(chosen, values["settings"])
    check_src(chosen, values["src"], given)
    if chosen.needs.directed and not is_given("undirected"):
        values["graph_spec"] = replace(values["graph_spec"], undirected=False)
    backend = chosen_backend(values["backend"], values["threads"])
    graph, load_ms = load(chosen, values["graph_spec"], backend, values["use_cache"])
    graph = graph.to(backend.xp)  # modes are of one device: OutOfMemory if the graph does not fit
    protocol = Protocol(runs=values["runs"], warmup=values["warmup"], command=invoked_command())
    sources = sources_of(chosen, graph, values, given)
    announce(backend, values["backend"])
    measure = Measuring(
        chosen, graph, sources, backend, protocol, load_ms, values["output"], values["as_json"]
    )
    ablation = Ablation(chosen, graph, given, measure)
    default = ablation.default()
    rows = list(ablation.rows())
    if not values["as_json"]:
        show(ablation, default, rows)
    failed = [record for record in measure.records if record.status != "ok"]
    if failed:
        error(
            f"gunrock: {len(failed)} of {len(measure.records)} configurations failed, the first: "
            f"{failed[0].error}"
        )
        raise click.exceptions.Exit(EXIT_WRONG)


def check_src(primitive: Primitive, src: str | None, given: Values) -> None:
    """Raise UsageError for a source that has no effect."""
    if src is None:
        return
    if primitive.source is None:
        raise UsageError(f"--src {src}: {primitive.name} has no source")
    primitive.source.refuse(primitive.asked(given), "--src")


def sources_of(primitive: Primitive, graph: Graph, values: dict[str, Any], given: Values) -> list[int]:
    from gunrock_cli.bench.inputs.sources import choose_sources

    if primitive.source is None:
        return []
    if named := primitive.source.named(graph, primitive.asked(given)):
        return named
    if values["src"] == "all":
        raise UsageError("--src all: give one source")
    return choose_sources(graph, values["src"], None, values["seed"])


@dataclass
class Measuring:
    """Measures all configurations in turns, and writes their records."""

    primitive: Primitive
    graph: Graph
    sources: list[int]
    backend: Backend
    protocol: Protocol
    load_ms: float
    output: Path | None
    as_json: bool
    records: list[Record] = field(default_factory=list)

    def __call__(self, configurations: list[Configuration]) -> list[Record]:
        from gunrock_cli.bench.protocol.interleaved import Interleaved
        from gunrock_cli.bench.protocol.runner import Measured

        with progress(len(configurations), self.protocol.runs * max(1, len(self.sources))) as tick:
            measurements = Interleaved([self.start(own, run, tick) for own, run in configurations])
            try:
                measurements.run()
            finally:
                self.keep(configurations, measurements.outcomes)
        default = measurements.outcomes[0]
        if isinstance(default, Measured) and default.failure is not None:
            raise default.failure
        return self.records

    def start(self, options: Values, run: Values, tick: Callable[[], None]) -> Start:
        """The beginning of a configuration's measurement."""
        from gunrock_cli.bench.protocol import runner

        return lambda: runner.in_turns(
            self.primitive,
            self.graph,
            options,
            self.sources,
            self.backend,
            replace(self.protocol, **run),
            {"load": self.load_ms},
            lambda done, total: tick(),
        )

    def keep(self, configurations: list[Configuration], outcomes: dict[int, Outcome]) -> None:
        """Write the records. A failure is a record too, except the default's, without which there is no
        ratio."""
        from gunrock_cli.bench.records.record import keep_records

        for place, (options, run) in enumerate(configurations):
            outcome = outcomes.get(place)
            if isinstance(outcome, GunrockError):
                if place == 0:
                    raise outcome
                self.records.append(self.failed(options, replace(self.protocol, **run), outcome))
            elif outcome is not None:
                self.records.append(outcome.record)
        default = self.records[0] if self.records else None
        for record in self.records:
            if record.time_ms and default and default.time_ms and default.time_ms.mean > 0:
                record.metrics["over_default"] = record.time_ms.mean / default.time_ms.mean
            if self.as_json:
                click.echo(record.to_json())
        if self.output is not None:
            keep_records(self.output, self.records)

    def failed(self, options: Values, protocol: Protocol, error: GunrockError) -> Record:
        """The record of a configuration that gave no time."""
        from gunrock_cli.bench.protocol import runner
        from gunrock_cli.primitives.resolve import advance_of, planned

        variant = planned(self.primitive, self.graph, self.primitive.asked(options), protocol)
        record = runner.new_record(
            self.primitive,
            self.graph,
            self.backend,
            {**protocol.options(advance_of(self.primitive, variant)), **variant.options.recorded()},
        )
        record.command = list(protocol.command)
        record.status, record.error = error.status, str(error)
        return record


@contextmanager
def progress(configurations: int, runs: int) -> Iterator[Callable[[], None]]:
    """A bar on stderr over the runs of all configurations; none if stderr is not a terminal."""
    from gunrock_cli.cli.console import console

    screen = console(stderr=True)
    if not screen.is_terminal or is_quiet():
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    with Progress(
        TextColumn(f"runs of {configurations} configurations"),
        BarColumn(),
        MofNCompleteColumn(),
        Remaining(),
        console=screen,
        transient=True,
    ) as bar:
        task = bar.add_task("", total=configurations * runs)
        yield lambda: bar.advance(task)
