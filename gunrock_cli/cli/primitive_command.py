"""A primitive's command: its own options beside those that every primitive has.

Nothing here knows a primitive by name. Heavy imports wait until the command runs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from gunrock_cli.cli.graph_options import graph_options
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.base import Option, Primitive

ADVANCE_MODES = ("TM", "TWC", "LB", "LB_NODES", "AUTO")


def primitive_command(name: str) -> click.Command:
    """The click command of a primitive that ships."""
    return command_of(get_primitive(name))


def command_of(primitive: Primitive) -> click.Command:
    """The click command of any primitive."""

    @graph_options
    def run(**values: Any) -> None:
        from gunrock_cli.cli.run import run_primitive

        run_primitive(primitive, values)

    run = _measuring_options(run)
    if primitive.needs_source:
        run = _source_options(run)
    for option in reversed(primitive.options):
        run = _click_option(option)(run)
    source = " --src 0" if primitive.needs_source else ""
    epilog = (
        "\b\nExamples:\n"
        f"  gunrock {primitive.name} --market graph.mtx{source}\n"
        f"  gunrock {primitive.name} rmat --scale 16 --iterations 10 --json\n"
        f"  gunrock {primitive.name} grid2d --width 300 --height 300 --trace\n"
    )
    return click.command(
        name=primitive.name, help=primitive.summary, epilog=epilog,
        context_settings={"show_default": True},
    )(run)


def _click_option(option: Option) -> Callable[[Any], Any]:
    flag = f"--{option.name}"
    if option.kind is bool:
        flag += f"/--no-{option.name}"
        return click.option(flag, option.key, default=option.default, help=option.help)
    kind: Any = option.kind
    if option.choices:
        kind = click.Choice(option.choices)
    elif option.minimum is not None or option.maximum is not None:
        ranged = click.IntRange if option.kind is int else click.FloatRange
        kind = ranged(option.minimum, option.maximum)  # type: ignore[arg-type]
    return click.option(flag, option.key, default=option.default, type=kind, help=option.help)


def _source_options(function: Any) -> Any:
    for option in reversed((
        click.option("--src", default="0", metavar="VERTEX",
                     help="Source: a vertex (from 0), largest-degree, random, or all."),
        click.option("--num-sources", type=click.IntRange(1),
                     help="That many random sources with a path out, one after the other (--seed)."),
    )):
        function = option(function)
    return function


def _measuring_options(function: Any) -> Any:
    for option in reversed((
        click.option("--backend", type=click.Choice(["auto", "cuda", "cpu"]), default="auto",
                     help="auto: the GPU where there is one, else the CPU."),
        click.option("--threads", type=click.IntRange(1),
                     help="Threads of the cpu backend. Default: OMP_NUM_THREADS, or all."),
        click.option("--advance-mode", type=click.Choice(ADVANCE_MODES, case_sensitive=False),
                     default="AUTO",
                     help="Load balancing of advance: a thread a vertex (TM), thread, warp and "
                     "block gathering (TWC), equal chunks of edges (LB) or of vertices (LB_NODES), "
                     "or LB_NODES and LB by frontier size (AUTO, the papers' hybrid)."),
        click.option("--lb-threshold", type=click.IntRange(0), default=4096,
                     help="AUTO: frontiers of fewer edges are balanced by vertices (the papers')."),
        click.option("--loop", type=click.Choice(["device", "host"]), default="device",
                     help="One persistent kernel, or one launch an operator."),
        click.option("--iterations", "runs", type=click.IntRange(1),
                     help="Timed runs of each source. Default: 10, or 1 with several sources."),
        click.option("--warmup", type=click.IntRange(0), default=1,
                     help="Runs before the clock counts."),
        click.option("--max-steps", type=click.IntRange(1),
                     help="Stop a run that takes more steps."),
        click.option("--validate/--no-validate", default=True,
                     help="Check the answer against an independent reference."),
        click.option("--against", metavar="NAMES",
                     help="Measure these peers too, comma-separated (gunrock peers list); all: "
                     "every one that is here and has the primitive."),
        click.option("--json", "as_json", is_flag=True, help="Print one record a line as JSON."),
        click.option("--output", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
                     help="Append the record to a JSON-lines file."),
        click.option("--trace", is_flag=True, help="Print what each step did and took."),
        click.option("--trace-csv", type=click.Path(dir_okay=False, path_type=Path),
                     metavar="FILE", help="Write the trace as CSV (implies --trace)."),
        click.option("--count", is_flag=True,
                     help="Also count the edges that operators look at, in a run off the clock."),
        click.option("--save", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
                     help="Write the answer: .npy, .csv or .parquet."),
        click.option("--save-predecessors", type=click.Path(dir_okay=False, path_type=Path),
                     metavar="FILE", help="Write the predecessors: .npy, .csv or .parquet."),
        click.option("--top", type=click.IntRange(1), metavar="K",
                     help="Print the K vertices with the highest values."),
    )):
        function = option(function)
    return function


def invoked_command() -> list[str]:
    """The command line as the user gave it, for the record."""
    return ["gunrock", *sys.argv[1:]]
