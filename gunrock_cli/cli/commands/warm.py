"""``gunrock warm``: compile kernels before they are needed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gunrock_cli.cli.commands.compile import target
from gunrock_cli.cli.messages import error, notice
from gunrock_cli.cli.number_types import Whole
from gunrock_cli.errors import GunrockError, UsageError
from gunrock_cli.visible import visible

if TYPE_CHECKING:
    from gunrock_cli.primitives.warm import Job

PLAN = ".toml"


@click.command(
    epilog="\b\nExamples:\n  gunrock warm\n  gunrock warm bfs sssp --arch 90 --arch host\n"
    "  gunrock warm ./my_primitive.py\n  gunrock warm plan.toml && gunrock sweep plan.toml\n"
)
@click.argument("primitives", nargs=-1, metavar="[NAME|FILE.py|PLAN.toml]...")
@click.option(
    "--arch",
    "arches",
    multiple=True,
    metavar="NUMBER",
    help="Compute capability, such as 90, or host: this machine's processor. Repeatable. "
    "Default: what this machine has.",
)
@click.option("--jobs", "-j", type=Whole(1, 1024), help="Compilers at once. Default: one for each core.")
def command(primitives: tuple[str, ...], arches: tuple[str, ...], jobs: int | None) -> None:
    """Compile kernels ahead, of all primitives or of some, so that no run waits for it.

    Compiled is what each primitive takes with its default options, and each cell of a sweep's plan with
    its own, for each kind of graph that makes a difference. A GPU is not needed: the cache folder can be
    brought to one that has the same GPUs.
    """
    from gunrock_cli.files import check_folder
    from gunrock_cli.primitives import primitive_names
    from gunrock_cli.toolchain.binaries import binaries_dir

    targets = [*dict.fromkeys(target(text) for text in arches)]
    plans = [name for name in primitives if name.endswith(PLAN)]
    names = [name for name in primitives if not name.endswith(PLAN)]
    if not plans:
        names = names or [*primitive_names()]
    every = [job for name in dict.fromkeys(plans) for job in jobs_of_plan(Path(name), targets)]
    every += jobs_of_primitives([*dict.fromkeys(names)], targets) if names else []
    every = [*{job.unit_and_arch: job for job in every}.values()]
    begun = time.monotonic()
    todo = [job for job in every if not job.is_done()]
    if todo:
        check_folder(binaries_dir())  # compiling is in vain if they cannot be kept
    failures = compile_all(todo, jobs or len(os.sched_getaffinity(0)))
    notice(
        f"{len(every)} kernels: {len(todo) - len(failures)} compiled in "
        f"{time.monotonic() - begun:.0f} s, {len(every) - len(todo)} were there"
    )
    for failure in failures[:-1]:
        error(f"gunrock: {failure}")
    if failures:
        raise failures[-1]


def jobs_of_primitives(names: list[str], targets: list[int | str]) -> list[Job]:
    """Jobs for primitives with their default options; without targets, for everything this machine
    has."""
    from gunrock_cli.cli.primitive_command import common_options
    from gunrock_cli.primitives.external import find_primitive
    from gunrock_cli.primitives.warm import jobs_of

    targets = targets or own_targets()
    found = [find_primitive(name, common_options()) for name in names]
    return [job for arch in targets for primitive in found for job in jobs_of(primitive, arch)]


def jobs_of_plan(path: Path, targets: list[int | str]) -> list[Job]:
    """Jobs for all cells of a sweep, including kernels that count, prove and record for them; without
    targets, for the backend on which each will run."""
    from gunrock_cli.bench.sweeps.plan import read_plan
    from gunrock_cli.cli.compiling import target_of
    from gunrock_cli.cli.sweep_cells import read_cells
    from gunrock_cli.engine.backend import choose_backend
    from gunrock_cli.primitives.code import small_graph
    from gunrock_cli.primitives.run_options import RunOptions, of_every_run
    from gunrock_cli.primitives.warm import jobs_beside, jobs_of

    found: list[Job] = []
    for primitive, values in read_cells(read_plan(path), path):
        options = {option.key: values[option.key] for option in primitive.options}
        asked = primitive.asked(options)
        traced = bool(values["trace"] or values["trace_csv"])
        run = RunOptions(max_steps=values["max_steps"], trace=traced, **of_every_run(values))
        certified = values["check"] in ("certificate", "both")
        for arch in targets or [target_of(choose_backend(values["backend"], values["threads"]))]:
            with suppress(GunrockError):  # contradictory options: the cell will say so
                found += jobs_of(primitive, arch, options, run)
                found += jobs_of(primitive, arch, options, run, count=True) if values["count"] else []
                renumbers = primitive.plan(small_graph(primitive, options), asked).renumbers
                found += jobs_beside(primitive, arch, certified, renumbers)
    return found


def own_targets() -> list[int | str]:
    """The targets that this machine can compile for and run: its GPU's architecture, its processor."""
    from gunrock_cli.primitives.code import HOST
    from gunrock_cli.toolchain.available import why_no_compiler, why_no_cuda

    found: list[int | str] = []
    no_cuda, no_cpu = why_no_cuda(), why_no_compiler()
    if no_cuda is None:
        from gunrock_cli.engine.cuda import compute_capability

        found.append(compute_capability())
    if no_cpu is None:
        found.append(HOST)
    if not found:
        raise UsageError(
            f"nothing to compile for: {no_cuda}; and {no_cpu}. --arch names a GPU that is not here"
        )
    return found


def compile_all(jobs: list[Job], at_once: int) -> list[GunrockError]:
    """Run the jobs, each in its own process, and return the failures."""
    from gunrock_cli.primitives.warm import end, finish

    failures = []
    processes = []
    with ThreadPoolExecutor(at_once) as pool, progress_on_stderr(len(jobs)) as tell:

        def one(job: Job) -> None:
            tell(f"compiling {job.label}", False)
            processes.append(job.start())
            finish(processes[-1])

        for done in as_completed(submitted := {pool.submit(one, job): job for job in jobs}):
            try:
                done.result()
                tell(f"compiled {submitted[done].label}", True)
            except GunrockError as error:
                failures.append(error)
                tell(f"failed: {submitted[done].label}", True)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                for process in processes:
                    end(process)
                raise
    return failures


@contextmanager
def progress_on_stderr(total: int) -> Iterator[Callable[[str, bool], None]]:
    """Report progress: in one line on a terminal, elsewhere in a line per finished job."""
    from gunrock_cli.cli.console import console

    screen = console(stderr=True)
    if not screen.is_terminal:
        yield lambda text, done: click.echo(visible(text), err=True) if done else None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=screen,
        transient=True,
    ) as bar:
        task = bar.add_task("", total=total)
        yield lambda text, done: bar.update(task, description=visible(text), advance=int(done))
