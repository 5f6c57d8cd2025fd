"""``gunrock graphalytics``: data sets of LDBC Graphalytics, their algorithms and their answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

import click

from gunrock_cli.cli.help_groups import CommandGroup
from gunrock_cli.cli.number_types import Whole
from gunrock_cli.cli.run_declarations import backend_option
from gunrock_cli.toolchain.threads import MOST_THREADS

if TYPE_CHECKING:
    from gunrock_cli.bench.records.record import Record
    from gunrock_cli.engine.backend import Backend
    from gunrock_cli.graph.sources.files.graphalytics import Dataset


@click.group(
    cls=CommandGroup,
    epilog="""\b
Examples:
  gunrock graphalytics run example-directed.properties
  gunrock graphalytics run wiki-Talk.properties --algorithm bfs --output answers --json
""",
)
def command() -> None:
    """Run the algorithms of LDBC Graphalytics on its data sets."""


@command.command("run")
@click.argument("file", metavar="GRAPH.properties", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--algorithm",
    "algorithms",
    multiple=True,
    metavar="NAME",
    help="bfs, pr, wcc, cdlp, lcc or sssp; repeatable. Default: those that the properties name.",
)
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write each answer to FOLDER/GRAPH-ALGORITHM, as Graphalytics has them.",
)
@click.option(
    "--records",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Append the records to a JSON-lines file.",
)
@click.option(
    "--iterations",
    "--runs",
    "runs",
    type=Whole(1),
    default=10,
    show_default=True,
    help="Timed runs of each.",
)
@backend_option
@click.option("--threads", type=Whole(1, MOST_THREADS), help="Threads of the cpu backend.")
@click.option("--json", "as_json", is_flag=True, help="Print one record per line as JSON.")
def run_command(
    file: Path,
    algorithms: tuple[str, ...],
    output: Path | None,
    records: Path | None,
    runs: int,
    backend: str,
    threads: int | None,
    as_json: bool,
) -> None:
    """Run every algorithm that the properties name and gunrock has, and match its answers with those
    that lie beside the graph (GRAPH-BFS and so on) by Graphalytics' rules.

    Exit code 1 where an answer is wrong.
    """
    from gunrock_cli.bench.studies.graphalytics import ALGORITHMS
    from gunrock_cli.cli.delivery import Delivery
    from gunrock_cli.engine.backend import choose_backend
    from gunrock_cli.errors import EXIT_WRONG, UsageError
    from gunrock_cli.graph.sources.files.graphalytics import read_dataset

    for name in algorithms:
        if name.lower() not in ALGORITHMS:
            raise UsageError(f"--algorithm {name}: there are {', '.join(ALGORITHMS)}")
    chosen = choose_backend(backend, threads)
    dataset = read_dataset(file, chosen.xp)
    wanted = [name.lower() for name in algorithms] or dataset.algorithms
    delivery = Delivery(records, as_json)
    rows = [_row(dataset, name, chosen, runs, output, delivery) for name in wanted]
    if not as_json:
        delivery.show(lambda: _print(dataset, chosen.why, rows))
    delivery.finish()
    if any(row["wrong"] for row in rows):
        raise SystemExit(EXIT_WRONG)


class Row(TypedDict):
    """An algorithm's time, and what became of its answer."""

    name: str
    ms: float | None
    verdict: str
    wrong: bool


def _row(
    dataset: Dataset, name: str, backend: Backend, runs: int, output: Path | None, delivery: Any
) -> Row:
    """Run one algorithm, write and match its answer."""
    from gunrock_cli.bench.inputs.graphs import fit
    from gunrock_cli.bench.protocol.runner import Protocol, measure
    from gunrock_cli.bench.studies.graphalytics import ALGORITHMS, output_text
    from gunrock_cli.cli.invocation import invoked_command
    from gunrock_cli.files import atomic_write
    from gunrock_cli.primitives import get_primitive

    if name not in ALGORITHMS:
        return {"name": name, "ms": None, "verdict": "gunrock has no such primitive", "wrong": False}
    algorithm = ALGORITHMS[name]
    primitive = get_primitive(algorithm.primitive)
    options = primitive.asked(algorithm.options(dataset))
    sources = [dataset.vertex(algorithm.source)] if algorithm.source else []
    graph = fit(dataset.graph, primitive, options, backend)
    measured = measure(
        primitive, graph, options, sources, backend, Protocol(runs=runs, command=invoked_command())
    )
    if measured.failure is not None:
        delivery.keep(measured.record)
        raise measured.failure
    values = algorithm.shown(measured.outputs, dataset)
    verdict = _match(measured.record, dataset, name, values)
    delivery.keep(measured.record)
    if output is not None:
        with atomic_write(output / dataset.output_file(name).name) as file:
            file.write(output_text(dataset, values))
    assert measured.record.time_ms is not None
    return {
        "name": name,
        "ms": measured.record.time_ms.mean,
        "verdict": verdict,
        "wrong": measured.record.status == "wrong",
    }


def _match(record: Record, dataset: Dataset, name: str, values: Any) -> str:
    """The result of matching our answer with the published one; a mismatch goes into the record."""
    from gunrock_cli.bench.studies.graphalytics import ALGORITHMS, difference, read_output

    published = dataset.output_file(name)
    if record.status == "wrong":
        return record.error or "wrong"
    if not published.exists():
        return f"{record.validation['verdict']} ({record.validation['reference']}); no {published.name}"
    expected = read_output(dataset, published, whole=values.dtype.kind == "i")
    wrong = difference(ALGORITHMS[name], dataset, values, expected)
    record.validation = {
        **record.validation,
        "verdict": "fail" if wrong else "pass",
        "message": wrong,
        "reference": f"{record.validation['reference']} and {published.name}",
    }
    if wrong:
        record.status, record.error = "wrong", wrong
    return wrong or f"matches {published.name}"


def _print(dataset: Dataset, where: str, rows: list[Row]) -> None:
    from rich.table import Table

    from gunrock_cli.cli.console import console, plain, print_table
    from gunrock_cli.cli.number_texts import number

    graph = dataset.graph
    kind = "undirected" if graph.undirected else "directed"
    console().print(
        plain(f"{dataset.name}: {graph.n:,} vertices, {graph.m:,} directed edges, {kind}; {where}")
    )
    table = Table("algorithm")
    table.add_column("time (ms)", justify="right")
    table.add_column("answer")
    for row in rows:
        table.add_row(
            plain(row["name"]), "-" if row["ms"] is None else number(row["ms"]), plain(row["verdict"])
        )
    print_table(table)
