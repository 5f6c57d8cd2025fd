"""``gunrock sweep``: many runs, one record each."""

from __future__ import annotations

import shlex
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from gunrock_cli.bench.sweeps.planfile import DEFAULT_PROCESS, PROCESSES
from gunrock_cli.cli.messages import error, is_quiet, notice, step
from gunrock_cli.cli.number_types import Real
from gunrock_cli.errors import EXIT_WRONG, UsageError
from gunrock_cli.tomlfile import MOST_SECONDS
from gunrock_cli.visible import visible

if TYPE_CHECKING:
    from gunrock_cli.bench.sweeps.plan import Plan, SweepCell
    from gunrock_cli.bench.sweeps.run import Outcome

    AllOutcomes = Callable[..., Iterator[Outcome]]


@click.command(
    epilog="""\b
Examples:
  gunrock sweep --graph "rmat --scale 16" --primitive bfs,sssp --set iterations=10
  gunrock sweep --graph road=road.mtx --primitive bfs --set advance_mode=TM,TWC,LB
  gunrock sweep --graph "graphs/*.mtx" --primitive cc
  gunrock sweep --graph "grid2d --width 300" --primitive ./my_primitive.py
  gunrock sweep scripts/ppopp16.toml --resume
  gunrock sweep plan.toml --process graph
  gunrock sweep plan.toml --cluster tcp://scheduler:8786

Exit codes: 0 every cell is ok, 1 some are not (they are recorded), 2 bad input, 130 interrupted.
"""
)
@click.argument(
    "plan_file", required=False, metavar="[FILE.toml]", type=click.Path(dir_okay=False, path_type=Path)
)
@click.option(
    "--graph",
    "graphs",
    multiple=True,
    metavar="GRAPH",
    help='A graph as on a command line, optionally named: "rmat --scale 20", '
    'road=road.mtx, or a pattern of files: "graphs/*.mtx" (repeatable).',
)
@click.option(
    "--primitive",
    "primitives",
    multiple=True,
    metavar="NAME[,NAME...]",
    help="Primitives to run, or FILE.py as gunrock run takes it (repeatable).",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="OPTION=VALUE[,VALUE...]",
    help="Values of an option; several make an axis, axes are crossed. With a "
    "file: instead of what it says, in every run (repeatable).",
)
@click.option("--name", help="The sweep's name in its records; default the file's, else sweep.")
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Records are appended here. Default results/NAME.jsonl. Missing folders are made.",
)
@click.option(
    "--text",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for text outputs too: one folder per primitive, one file per data set.",
)
@click.option(
    "--time-limit",
    type=Real(0, MOST_SECONDS, min_open=True),
    metavar="SECONDS",
    help="For each cell; a cell that takes longer is ended and recorded as timeout. "
    "Default: the file's, else 600.",
)
@click.option(
    "--process",
    type=click.Choice(PROCESSES),
    help="For what there is a process: for each cell, or for all cells of a graph, which is "
    "then loaded once. Default: the file's, else cell.",
)
@click.option("--resume", is_flag=True, help="Skip what the output file holds already.")
@click.option(
    "--retry-failed", is_flag=True, help="With --resume: run cells again that are recorded as not ok."
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Run cells on the workers of a Dask cluster: its scheduler's address "
    "(tcp://HOST:PORT), or local:N for N workers on this host. No two cells are timed on one "
    "device at once.",
)
@click.option(
    "--worker-wait",
    type=Real(0, MOST_SECONDS),
    default=60.0,
    metavar="SECONDS",
    help="With --cluster: how long there may be no worker before the sweep ends.",
)
@click.option("--dry-run", is_flag=True, help="Print the commands that would run and stop.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print each record as a line on stdout as it comes."
)
@click.option("--executable", hidden=True, help="The gunrock to run (for tests).")
def command(
    plan_file: Path | None,
    graphs: tuple[str, ...],
    primitives: tuple[str, ...],
    settings: tuple[str, ...],
    name: str | None,
    output: Path | None,
    text: Path | None,
    time_limit: float | None,
    process: str | None,
    resume: bool,
    retry_failed: bool,
    cluster: str | None,
    worker_wait: float,
    dry_run: bool,
    as_json: bool,
    executable: str | None,
) -> None:
    """Run primitives over graphs and options, each run in a process of its own, or those of a graph in
    one.

    What to run comes from FILE.toml or from --graph, --primitive and --set. A crash, a time-out or
    a lack of memory costs one cell, which is recorded as such, and the sweep goes on. Ctrl-C keeps
    all that is done; --resume goes on from there. On a cluster the cell of a worker that is lost runs
    once more.
    """
    from gunrock_cli.bench.sweeps.run import recorded_cells
    from gunrock_cli.cli.commands.results import report_problems
    from gunrock_cli.files import check_folder, check_writable

    plan = make_plan(plan_file, graphs, primitives, settings, name, time_limit)
    plan.process = process or plan.process
    if cluster is not None:
        if plan.process != DEFAULT_PROCESS:
            raise UsageError(
                f"--cluster hands out single cells, which contradicts a process for each "
                f"{plan.process}: give --process {DEFAULT_PROCESS}"
            )
        from gunrock_cli.bench.sweeps.cluster import connect

        connect.check(cluster)
    program = shlex.split(executable) if executable else None
    if executable is None:  # a stand-in that tests use has its own options
        from gunrock_cli.cli.sweep_cells import read_cells

        read_cells(plan, plan_file)
    target = output or Path("results") / f"{plan.name}.jsonl"
    if not dry_run:
        check_writable(target, append=True, make_folder=True)
        if text is not None:
            check_folder(text)
    skip = (
        set()
        if not resume
        else recorded_cells(target, keep_failed=not retry_failed, on_problems=report_problems)
    )
    todo = [cell for cell in plan.cells if cell.key not in skip]
    if dry_run:
        for cell in todo:
            click.echo(shlex.join(["gunrock", *cell.arguments, "--json"]))
        return
    with runner(cluster if todo else None, worker_wait, program) as all_outcomes:
        notice(
            f"{plan.name}: {len(todo)} cells to run, {len(plan.cells) - len(todo)} recorded already, "
            f"records go to {target}"
        )
        outcomes = run(plan.name, len(todo), partial(all_outcomes, plan, target, skip), text, as_json)
    counts = Counter(outcome.status for outcome in outcomes)
    summary = ", ".join(f"{count} {status}" for status, count in counts.items())
    notice(f"{plan.name}: {summary or 'nothing to run'}")
    if len(outcomes) < len(todo):
        error(f"{len(todo) - len(outcomes)} cells are left: --resume runs them")
        raise click.Abort
    if counts.keys() - {"ok"}:
        raise click.exceptions.Exit(EXIT_WRONG)


def make_plan(
    plan_file: Path | None,
    graphs: tuple[str, ...],
    primitives: tuple[str, ...],
    settings: tuple[str, ...],
    name: str | None,
    timeout: float | None,
) -> Plan:
    """The plan of a file or of axes; contradictions are usage errors."""
    from gunrock_cli.bench.sweeps.plan import plan_from_axes, read_plan
    from gunrock_cli.bench.sweeps.planfile import DEFAULT_TIMEOUT

    if plan_file is not None:
        if graphs or primitives:
            raise UsageError("give a file, or --graph and --primitive, not both")
        plan = read_plan(plan_file, timeout, settings)
    else:
        if not graphs or not primitives:
            raise UsageError("give a FILE.toml, or --graph and --primitive")
        plan = plan_from_axes("sweep", primitives, graphs, settings, timeout or DEFAULT_TIMEOUT)
    plan.name = name or plan.name
    return plan


@contextmanager
def runner(cluster: str | None, worker_wait: float, program: list[str] | None) -> Iterator[AllOutcomes]:
    """What runs a plan's cells: one after the other here, or on a cluster."""
    if cluster is None:
        from gunrock_cli.bench.sweeps import graphworker
        from gunrock_cli.bench.sweeps import run as sweeprun

        def here(
            plan: Plan,
            target: Path,
            skip: set[str],
            begin: Callable[[SweepCell], None],
            say: Callable[[str], None],
        ) -> Iterator[Outcome]:
            by_graph = plan.process == "graph"
            own = [sys.executable, "-m", f"gunrock_cli.cli.{'worker' if by_graph else 'main'}"]
            run_plan = graphworker.run_plan if by_graph else sweeprun.run_plan
            return run_plan(plan, target, program or own, skip, begin)

        yield here
        return
    from gunrock_cli.bench.sweeps.cluster import home
    from gunrock_cli.bench.sweeps.cluster.connect import connected

    with connected(cluster) as client:
        yield partial(home.run_plan, client, program, worker_wait)


def run(
    name: str, total: int, all_of: Callable[..., Iterator[Outcome]], text: Path | None, as_json: bool
) -> list[Outcome]:
    """Run all cells, with a progress bar if stderr is a terminal, otherwise with one line per cell.

    An interrupt ends the running cells and returns what is done.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeElapsedColumn as Elapsed
    from rich.progress import TimeRemainingColumn as Remaining

    from gunrock_cli.bench.sweeps.texts import append_text
    from gunrock_cli.cli.console import console, plain

    screen = console(stderr=True)
    progress = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        Elapsed(),
        TextColumn("left"),
        Remaining(),
        console=screen,
        disable=not screen.is_terminal or is_quiet(),
    )
    task = progress.add_task(visible(name), total=total)
    outcomes: list[Outcome] = []

    def begin(cell: SweepCell) -> None:
        progress.update(task, description=visible(cell.label))

    def say(text: str) -> None:
        if not is_quiet():
            screen.print(plain(visible(text)))
        step(text)

    def tell(outcome: Outcome) -> None:
        if is_quiet() and outcome.status != "ok":
            error(visible(line(outcome)))  # why the exit code will not be 0
        else:
            say(line(outcome))

    def interrupt(signum: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGTERM, interrupt)
    try:
        with progress:
            for outcome in all_of(begin, say):
                outcomes.append(outcome)
                progress.advance(task)
                tell(outcome)
                if text is not None:
                    append_text(text, outcome)
                if as_json:
                    for record in outcome.records:
                        click.echo(record.to_json())
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, previous)
    return outcomes


def line(outcome: Outcome) -> str:
    """One cell's outcome in a line."""
    parts = []
    for record in outcome.records:
        known = f"{record.time_ms.mean:.4g} ms" if record.time_ms else record.error or ""
        name = "" if record.system == "gunrock" else f"{record.system} "
        parts.append(f"{name}{record.status} {known}".strip())
    return f"{outcome.cell.label}: {'; '.join(parts)}"
