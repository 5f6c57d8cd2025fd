"""``gunrock profile``: warp execution efficiency of a run, by Nsight Compute."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

if TYPE_CHECKING:
    from gunrock_cli.bench.records.record import Record
    from gunrock_cli.bench.studies.profiling import KernelFigures


@click.command(
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    epilog="""\b
Examples:
  gunrock profile bfs rmat --scale 20 --src largest-degree
  gunrock profile ./my_primitive.py rmat --scale 20
  gunrock profile --output results/profile.jsonl sssp --market g.mtx --loop host
""",
)
@click.option("--ncu", help="Nsight Compute's command line; default ncu on the PATH.")
@click.option(
    "--kernels", metavar="FILTER", help="What ncu's --kernel-name takes; default the primitive's."
)
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Append the record to this file, from which gunrock report makes Table 4. Missing "
    "folders are made.",
)
@click.option("--json", "as_json", is_flag=True, help="The record as a line on stdout.")
@click.argument(
    "run", nargs=-1, required=True, metavar="PRIMITIVE [ARGUMENTS]...", type=click.UNPROCESSED
)
def command(
    ncu: str | None, kernels: str | None, output: Path | None, as_json: bool, run: tuple[str, ...]
) -> None:
    """Profile one run: the share of a warp's threads that are active as instructions execute.

    Options of profile come first, then a gunrock run as one would type it. One iteration is run
    (after a warm-up, which is profiled alike), each kernel is replayed by the profiler, and times
    are left out of the record, as the profiler distorts them. --loop host gives a line an operator.
    The answer is not checked, unless --check is given: a certificate is profiled alike.
    """
    from gunrock_cli.bench.records.record import keep_records
    from gunrock_cli.bench.studies.profiling import KERNELS, find_ncu, profile
    from gunrock_cli.errors import UsageError
    from gunrock_cli.files import check_writable
    from gunrock_cli.primitives.external import command_words

    misplaced = [word for word in run if word.partition("=")[0] in ("--output", "-o")]
    if misplaced:
        raise UsageError(
            f"{misplaced[0]} here would keep the run without its profile: give it before "
            f"the primitive (gunrock profile --output FILE {run[0]} ...)"
        )
    if output is not None:
        check_writable(output, append=True, make_folder=True)
    program = [
        sys.executable,
        "-m",
        "gunrock_cli.cli.main",
        *command_words(run[0]),
        *run[1:],
        "--iterations",
        "1",
        "--json",
        *([] if any(word.startswith("--check") for word in run) else ["--check", "none"]),
    ]
    record = profile(find_ncu(ncu), program, kernels or KERNELS)
    record.command = ["gunrock", "profile", *run]
    if output is not None:
        keep_records(output, [record])
    if as_json:
        click.echo(record.to_json())
    else:
        show(record)


def show(record: Record) -> None:
    """Print the efficiency of every kernel, and of all together."""
    from rich.table import Table

    from gunrock_cli.bench.records.table import device_name, graph_name
    from gunrock_cli.cli.console import plain, print_table
    from gunrock_cli.cli.number_texts import number

    kernels = cast("Mapping[str, KernelFigures]", record.metrics["kernels"])
    table = Table(
        "kernel",
        title=plain(f"{record.primitive} on {graph_name(record)}, {device_name(record)}", "table.title"),
    )
    for heading in ("launches", "warp instructions", "warp execution efficiency"):
        table.add_column(heading, justify="right")
    for name, found in kernels.items():
        table.add_row(
            plain(name),
            number(found["launches"]),
            number(found["warp_instructions"]),
            f"{found['warp_execution_efficiency']:.2%}",
        )
    table.add_section()
    table.add_row("all", "", "", f"{record.metric('warp_execution_efficiency') or 0.0:.2%}")
    print_table(table)
    for name in ("dram_bytes_per_edge", "instructions_per_dram_byte"):
        if (value := record.metric(name)) is not None:
            click.echo(f"{name.replace('_', ' ')}: {number(value)}")
