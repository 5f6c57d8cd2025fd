"""Is the default ever wrong? Every primitive's default beside all that ``compare-modes`` varies.

    python benchmarks/auto.py PLAN.toml [--primitives bfs,sssp] [--graphs lattice-1414,wave]
                              [--axes direction,advance_mode] [--best 3] [--runs 20] [--scan-runs 5]
                              [--output FILE.jsonl] [--seconds 280] [--cell-seconds 60]
                              [--compile [--arch 90] [--jobs 1]]

PLAN.toml is one of a sweep: results/h200/auto.toml has all recorded graphs, benchmarks/zoo.toml others,
for which no default was set. Each cell is a default, with the options that the plan gives. All settings
are scanned, and given up where far behind; the best few and the default then run again, in turns, and
their medians are compared. Prints a row for each cell, the worst ratio of each primitive, default over
best, and what exceeds ``--tolerance``.

With --output a sitting may end at any time: the same command goes on after it, with what has no line in
FILE.jsonl yet. A cell gets the plan's ``timeout`` in each sitting. Settings that fail, hang, end the
process or give wrong answers are listed with the verdict; where the default does, that is the verdict.

Exit code 1 where an answer is wrong or a ratio exceeds the tolerance, 3 where a kernel that takes too
long, or an error of the device, ended this process: the same command goes on after it.
``--compile`` compiles the kernels that all this takes, and needs no GPU where --arch says for which.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.contest import Cell, Contest, Log, OutOfTime, Rules, StillRunning, Verdict, code_of
from gunrock_cli.bench.inputs.graphs import keeping, load_for
from gunrock_cli.bench.inputs.sources import choose_sources
from gunrock_cli.bench.sweeps.graphworker import by_graph
from gunrock_cli.bench.sweeps.plan import Plan, SweepCell, read_plan
from gunrock_cli.cli.commands.warm import compile_all
from gunrock_cli.cli.compiling import target_of
from gunrock_cli.cli.graph_options import graph_spec_of
from gunrock_cli.cli.sweep_cells import ReadCell, read_cells
from gunrock_cli.engine.backend import Backend, choose_backend
from gunrock_cli.errors import GunrockError
from gunrock_cli.graph.model.on_gpu import as_on_gpu
from gunrock_cli.primitives.certificates import CHECKS
from gunrock_cli.primitives.code import HOST
from gunrock_cli.primitives.warm import Job

AGAIN = 3
"""The exit code if the same command should run again."""


def chosen(plan: Plan, args: argparse.Namespace) -> list[tuple[SweepCell, ReadCell]]:
    """The cells that are asked for, sorted by graph."""
    read = dict(zip((cell.key for cell in plan.cells), read_cells(plan, args.plan), strict=True))
    names = [name for name in args.primitives.split(",") if name]
    graphs = [name for name in args.graphs.split(",") if name]
    cells = [
        cell
        for group in by_graph(plan.cells, set())
        for cell in group
        if (not names or cell.name in names) and (not graphs or cell.graph.label in graphs)
    ]
    return [(cell, read[cell.key]) for cell in cells]


def contestant(planned: SweepCell, read: ReadCell, backend: Backend) -> Cell:
    """A cell with its graph in the backend's memory."""
    primitive, values = read
    given = {
        option.key: values[option.key]
        for option in primitive.options
        if option.key in dict(planned.options)
    }
    spec = replace(graph_spec_of(values), reverse=primitive.needs.reverse)
    graph, _ = load_for(primitive, spec, backend)
    sources = (
        choose_sources(graph, values["src"], None, values["seed"]) if primitive.source is not None else []
    )
    return Cell(planned.label, primitive, graph, sources, backend, given)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("plan", type=Path, metavar="PLAN.toml")
    parser.add_argument("--primitives", default="", help="all of the plan unless given")
    parser.add_argument("--graphs", default="", help="by the plan's names")
    parser.add_argument("--axes", default="", help="options to vary; all unless given")
    parser.add_argument("--best", type=int, default=3)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--scan-runs", type=int, default=5)
    parser.add_argument("--cutoff", type=float, default=3.0, help="give up over this many defaults")
    parser.add_argument("--limit", type=float, default=10.0, help="and over so many seconds")
    parser.add_argument("--check", default="certificate", choices=(*CHECKS, "none"))
    parser.add_argument("--tolerance", type=float, default=1.1)
    parser.add_argument("--output", type=Path, help="what was measured, which is not again")
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin nothing after so many")
    parser.add_argument("--cell-seconds", type=float, help="for a cell; without it the plan's timeout")
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--arch", help="for which GPU to compile; this one unless given")
    parser.add_argument("--jobs", type=int, default=1, help="compilers at once")
    args = parser.parse_args()
    cells = chosen(read_plan(args.plan), args)
    with keeping():
        return compiled(cells, args) if args.compile else judged(cells, args)


def judged(cells: list[tuple[SweepCell, ReadCell]], args: argparse.Namespace) -> int:
    """Measure the cells that the output does not hold yet, and print all."""
    backend = choose_backend(args.backend)
    print(f"# {backend.why}; medians in ms", flush=True)
    rules = Rules(
        args.best,
        args.runs,
        args.scan_runs,
        args.cutoff,
        args.limit,
        args.check != "none",
        "certificate" if args.check == "none" else args.check,
    )
    log, failed, end = Log(args.output), 0, time.monotonic() + args.seconds
    for planned, read in cells:
        known = log.verdicts.get(planned.label)
        if planned.label in log.failures:
            failed += 1
            print(f"# {planned.label}: {log.failures[planned.label]}", flush=True)
            continue
        if known is None and (time.monotonic() > end or log.is_hopeless(planned.label)):
            continue
        try:
            verdict = known or contest(planned, read, backend, rules, log, end, args).judge(
                {*filter(None, args.axes.split(","))}
            )
        except GunrockError as error:
            failed += 1
            print(f"# {planned.label}: {error}", flush=True)
        except OutOfTime as error:
            print(f"# {error}", flush=True)
        except StillRunning as error:
            print(f"# {error}", flush=True)
            return AGAIN
        except Exception as error:
            traceback.print_exc()
            log.note_broken(planned.label, error)
            return AGAIN
        else:
            print(row(planned.label, verdict), flush=True)
    found = [
        (planned.name, planned.label, log.verdicts[planned.label])
        for planned, _ in cells
        if planned.label in log.verdicts
    ]
    if left := len(cells) - len(found) - failed:
        print(f"# {left} cells were not judged: no time, or errors of the device")
    return summed_up(found, args.tolerance, failed)


def contest(
    planned: SweepCell,
    read: ReadCell,
    backend: Backend,
    rules: Rules,
    log: Log,
    end: float,
    args: argparse.Namespace,
) -> Contest:
    """The contest of a cell, whose time limit starts when its graph is in memory."""
    cell = contestant(planned, read, backend)
    limit = args.cell_seconds or planned.timeout
    return Contest(
        cell, rules, log, lambda text: print(f"# {text}", flush=True), min(end, time.monotonic() + limit)
    )


def row(label: str, found: Verdict) -> str:
    beside = "; ".join(f"{name} {ms:.4f}" for ms, name in found.others)
    return f"{label:44} default {found.default_ms:.4f}  ratio {found.ratio:.2f}  {beside}"


def summed_up(found: list[tuple[str, str, Verdict]], tolerance: float, failed: int) -> int:
    """Print the worst of each primitive and all over the tolerance; return the exit code."""
    worst: dict[str, tuple[float, str]] = {}
    for name, label, verdict in found:
        worst[name] = max(worst.get(name, (0.0, "")), (verdict.ratio, label))
    over = [(label, verdict) for _, label, verdict in found if verdict.ratio > tolerance]
    wrong = sum(verdict.wrong for _, _, verdict in found) + failed
    print(f"\n{len(found)} cells, {len(over)} over {tolerance:g}, {wrong} settings failed or wrong")
    for label, verdict in sorted(over, key=lambda pair: -pair[1].ratio):
        ms, setting = verdict.others[0]
        print(f"over: {label:44} {verdict.ratio:.2f}: {verdict.default_ms:.4f}, {ms:.4f} with {setting}")
    for name, (ratio, label) in worst.items():
        print(f"worst of {name}: {ratio:.2f}, {label}")
    return int(wrong > 0 or bool(over))


def compiled(cells: list[tuple[SweepCell, ReadCell]], args: argparse.Namespace) -> int:
    """Compile the kernels that measuring would; without --arch, for this machine's GPU."""
    backend = choose_backend("cpu" if args.arch else args.backend)
    arch = int(args.arch) if args.arch else target_of(backend)
    axes = {*filter(None, args.axes.split(","))}

    def jobs() -> Iterator[Job]:
        for planned, read in cells:
            cell = contestant(planned, read, backend)
            if backend.xp is np and arch != HOST:
                cell = replace(cell, graph=as_on_gpu(cell.graph))
            yield from code_of(cell, axes, arch)

    every = {job.unit_and_arch: job for job in jobs()}
    todo = [job for job in every.values() if not job.is_done()]
    print(f"# {len(every)} kernels, {len(todo)} to compile", flush=True)
    failures = compile_all(todo, args.jobs)
    for failure in failures:
        print(f"# {failure}", flush=True)
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
