"""A primitive's command: its own options besides those that every primitive has.

Nothing here knows a primitive by name. Heavy imports wait until the command runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import click

from gunrock_cli.cli.graph_options import graph_options
from gunrock_cli.cli.help_groups import Group, Level
from gunrock_cli.cli.help_groups import option as grouped
from gunrock_cli.cli.number_types import Share, Whole, number_type, option_type
from gunrock_cli.cli.old_spellings import PrimitiveCommand
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.certificates import CHECKS
from gunrock_cli.primitives.external import command_words
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.resolve import lacking, offered
from gunrock_cli.primitives.run_options import RUN_OPTIONS
from gunrock_cli.toolchain.threads import MOST_THREADS


@cache
def primitive_command(name: str) -> click.Command:
    """The click command of a primitive that ships."""
    return command_of(get_primitive(name))


def command_of(primitive: Primitive) -> click.Command:
    """The click command of any primitive."""

    @graph_options(directed=primitive.needs.directed, weighted=primitive.needs.takes_weights)
    def run(**values: Any) -> None:
        from gunrock_cli.cli.run import run_primitive

        run_primitive(primitive, {**{f"save_{name}": None for name in FURTHER_OUTPUTS}, **values})

    run = _measuring_options(run, offered(primitive), further_outputs(primitive))
    if primitive.source is not None:
        run = _source_options(run)
    if primitive.in_portions:
        run = _resuming_option(run)
    for option in reversed(primitive.options):
        run = _click_option(option)(run)
    source = " --src 0" if primitive.source is not None else ""
    called = f"gunrock {' '.join(command_words(primitive.name))}"
    epilog = (
        "\b\nExamples:\n"
        f"  {called} --market graph.mtx{source}\n"
        f"  {called} rmat --scale 16 --iterations 10 --json\n"
        f"  {called} rmat --scale 16 --trace\n"
    )
    return click.command(
        name=primitive.name,
        cls=PrimitiveCommand,
        help=primitive.summary,
        epilog=epilog,
        lacks=_lacks(primitive),
        context_settings={"show_default": True, "help_option_names": ["-h", "--help"]},
    )(run)


def _lacks(primitive: Primitive) -> dict[str, str]:
    """The flags that this command lacks and others have, and why."""
    found = lacking(primitive)
    if primitive.source is None:
        found |= dict.fromkeys(("src", "num_sources"), "starts from no source")
    if not primitive.in_portions:
        found["resume"] = "has no portions that a file could keep"
    for option in primitive.options:
        found.pop(option.key, None)
    outputs = further_outputs(primitive)
    found |= {f"save_{name}": "has none" for name in FURTHER_OUTPUTS if name not in outputs}
    return {
        f"--{key.replace('_', '-')}": f"{primitive.name} {why}; leave it out"
        for key, why in found.items()
    }


FURTHER_OUTPUTS = {
    "predecessors": "Write the predecessors, in the same forms.",
    "levels": "Write the communities of every level: .npy as an array of levels x vertices, else a "
    "column each.",
    "places": "Write each vertex's place in the order in which vertices are removed, in the same forms.",
}
"""The outputs besides an answer that have a flag, ``--save-NAME``, and what it does."""


def further_outputs(primitive: Primitive) -> frozenset[str]:
    """The outputs besides its answer that a primitive says it has."""
    answer = () if primitive.variant is None else primitive.variant.answer
    return frozenset((*primitive.shows.further, *answer))


@cache
def common_options() -> frozenset[str]:
    """Names, without dashes, of the options and values that every primitive's command has."""
    outputs = frozenset(FURTHER_OUTPUTS)
    bare = _source_options(_measuring_options(graph_options(lambda **_: None), outputs=outputs))
    bare = _resuming_option(bare)
    names = [
        name
        for param in click.command("any")(bare).params
        for name in (*param.opts, *param.secondary_opts, param.name or "")
    ]
    return frozenset(name.lstrip("-").replace("_", "-") for name in names) | {
        "help",
        "help-all",
        "debug",
        "wide",
        "quiet",
        "q",
        "verbose",
        "v",
        "log-file",
    }


def _click_option(option: Option) -> Callable[[Any], Any]:
    flag = f"--{option.name}"
    level = Level.EXPERTS if option.expert else Level.EVERYONE
    if option.kind is bool:
        flag += f"/--no-{option.name}"
        return grouped(
            Group.ALGORITHM, flag, option.key, level=level, default=option.default, help=option.help
        )
    kind: Any = option.kind
    if option.choices:
        kind = click.Choice(option.choices, case_sensitive=False)
    else:
        kind = option_type(option) or option.kind
    shown = {} if option.unset is None else {"show_default": str(option.unset)}
    return grouped(
        Group.ALGORITHM,
        flag,
        option.key,
        level=level,
        default=option.default,
        type=kind,
        help=option.help,
        takes_list=option.lists_vertices or option.takes_list,
        **shown,
    )


def _source_options(function: Any) -> Any:
    for option in reversed(
        (
            grouped(
                Group.SOURCE,
                "--src",
                level=Level.EVERYONE,
                metavar="VERTEX",
                takes_list=True,
                help="Source: a vertex (from 0, or its name), largest-degree, random, or all. Several "
                "with commas, or @FILE that lists one on each line, are run one after the other. "
                "Default: 0.",
            ),
            grouped(
                Group.SOURCE,
                "--num-sources",
                type=Whole(1),
                help="This many random sources with out-edges (--seed). They run one after the other.",
            ),
        )
    ):
        function = option(function)
    return function


def _resuming_option(function: Any) -> Any:
    return grouped(
        Group.OUTPUT,
        "--resume",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Keep a long run's state here, each minute and at Ctrl-C; the same command then goes on "
        "from there. One run, without warm-up. Once it is finished, the file is removed.",
    )(function)


def _further_options(outputs: frozenset[str]) -> list[Callable[[Any], Any]]:
    return [
        grouped(
            Group.OUTPUT,
            f"--save-{name}",
            type=click.Path(dir_okay=False, path_type=Path),
            metavar="FILE",
            help=text,
        )
        for name, text in FURTHER_OUTPUTS.items()
        if name in outputs
    ]


def _measuring_options(
    function: Any, of_every_run: Sequence[Option] = RUN_OPTIONS, outputs: frozenset[str] = frozenset()
) -> Any:
    several = any(option.key == "devices" for option in of_every_run)
    shared = "shared by as many as it takes (--devices auto), or " if several else ""
    for option in reversed(
        (
            grouped(
                Group.MEASURING,
                "--backend",
                level=Level.EVERYONE,
                type=click.Choice(["auto", "cuda", "cpu"]),
                default="auto",
                help="GPU if any, else the CPU. auto chooses; cuda and cpu insist.",
            ),
            grouped(
                Group.MEASURING,
                "--threads",
                type=Whole(1, MOST_THREADS),
                help="Threads of the cpu backend. Default: OMP_NUM_THREADS, or all.",
            ),
            *(_click_option(option) for option in of_every_run),
            grouped(
                Group.ALGORITHM,
                "--memory-limit",
                type=number_type(float, 0.0, None),
                metavar="GIB",
                help="Assume this much memory on each device: a graph that does not fit one is "
                f"{shared}refused. Default: what there is.",
            ),
            grouped(
                Group.MEASURING,
                "--iterations",
                "--runs",
                "runs",
                level=Level.EVERYONE,
                type=Whole(1),
                default=10,
                help="Timed runs (of each source).",
            ),
            grouped(
                Group.MEASURING,
                "--until-noise",
                type=Share(),
                metavar="SHARE",
                help="More runs, until the mean's standard error is below this share of it (1%); at "
                "most 1,000, or 15 s (of each source).",
            ),
            grouped(
                Group.MEASURING,
                "--cold/--no-cold",
                default=False,
                help="Flush the device's caches before each timed run, off the clock.",
            ),
            grouped(
                Group.MEASURING, "--warmup", type=Whole(0), default=1, help="Untimed runs before them."
            ),
            grouped(
                Group.MEASURING, "--max-steps", type=Whole(1), help="Stop a run that takes more steps."
            ),
            grouped(
                Group.MEASURING,
                "--check",
                level=Level.EVERYONE,
                type=click.Choice([*CHECKS, "none"]),
                default="certificate",
                help="How to check. reference: against one computed by an independent "
                "library; certificate: by a proof that takes a few passes over the edges, on the device "
                "and at any size; both ways; or not at all.",
            ),
            grouped(
                Group.MEASURING,
                "--against",
                level=Level.EVERYONE,
                metavar="NAMES",
                help="Measure peers too (gunrock peers list). Commas separate them; all: every one "
                "that is installed and has the primitive; a FILE.toml describes another (docs/peers.md).",
            ),
            grouped(
                Group.OUTPUT,
                "--json",
                "as_json",
                level=Level.EVERYONE,
                is_flag=True,
                help="Print one record per line as JSON.",
            ),
            grouped(
                Group.OUTPUT,
                "--output",
                level=Level.EVERYONE,
                type=click.Path(dir_okay=False, path_type=Path),
                metavar="FILE",
                help="Append the record to a JSON-lines file. Missing folders are made.",
            ),
            grouped(
                Group.MEASURING,
                "--trace",
                level=Level.EVERYONE,
                is_flag=True,
                help="Print each step, and how long it took.",
            ),
            grouped(
                Group.OUTPUT,
                "--trace-csv",
                type=click.Path(dir_okay=False, path_type=Path),
                metavar="FILE",
                help="Write the trace as CSV (implies --trace).",
            ),
            grouped(
                Group.MEASURING,
                "--count",
                is_flag=True,
                help="Also count the edges that operators look at, in an untimed run.",
            ),
            grouped(
                Group.OUTPUT,
                "--save",
                level=Level.EVERYONE,
                type=click.Path(dir_okay=False, path_type=Path),
                metavar="FILE",
                help="Write the answer: .npy, .npz, .csv or .parquet. An archive (.npz) has all arrays "
                "by name. Several sources give a row each, in the order of the record's sources: .npy as "
                "an array of sources x vertices, else columns source, vertex, value; bc's scores are "
                "their sum. Vertices that have names are written by them; beside .npy and .npz, "
                "FILE.names lists them.",
            ),
            *_further_options(outputs),
            grouped(
                Group.OUTPUT,
                "--top",
                level=Level.EVERYONE,
                type=Whole(1),
                metavar="K",
                help="Print the K vertices with the highest values, or the nearest. Of several sources, "
                "the last one's; with --json as the record's key top.",
            ),
        )
    ):
        function = option(function)
    return function
