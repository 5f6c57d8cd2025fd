"""``gunrock microbench``: isolated kernels over recorded frontiers, and the machine's own ceilings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import click

from gunrock_cli.cli.help_groups import CommandGroup
from gunrock_cli.cli.run_declarations import backend_option
from gunrock_cli.primitives.micro import get_micro, micro_names

CEILINGS = "ceilings"


class MicroGroup(CommandGroup):
    """The microbenchmarks, found by their files, and the commands defined below."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*micro_names(), *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in micro_names():
            from gunrock_cli.cli.primitive_command import command_of

            return command_of(get_micro(cmd_name))
        return super().get_command(ctx, cmd_name)


@click.group(
    cls=MicroGroup,
    epilog="""\b
Examples:
  gunrock microbench gather rmat --scale 20 --strategy LB
  gunrock microbench lookup grid2d --width 1000 --strategy bitmask --num-sources 100
  gunrock microbench ceilings --output ceilings.json
""",
)
def command() -> None:
    """Run isolated kernels over the frontiers of a real traversal.

    As section 4 of Merrill, Garland and Grimshaw (2012) does. The traversal is recorded off the clock,
    once for each source; then the kernel goes over its frontiers level by level and is checked against
    what the traversal found. Records hold edges per second as MTEPS.
    """


@command.command(
    CEILINGS,
    epilog="\b\nExamples:\n  gunrock microbench ceilings\n"
    "  gunrock microbench ceilings --backend cpu --output ceilings.json",
)
@backend_option
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write them as JSON.",
)
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def ceilings_command(backend: str, output: Path | None, as_json: bool) -> None:
    """What this machine can do at most: bytes read and written, and random accesses, per second.

    Measured once, and kept until the device, its clocks or the number of its cores change.
    """
    from gunrock_cli.bench.ceilings.measured import ceilings
    from gunrock_cli.bench.records import environment
    from gunrock_cli.cli.run import announce, chosen_backend
    from gunrock_cli.engine.backend import out_of_memory_as_error
    from gunrock_cli.files import atomic_write, check_writable

    if output is not None:
        check_writable(output, append=False, make_folder=True)
    chosen = chosen_backend(backend)
    announce(chosen, backend)
    with out_of_memory_as_error("measuring what the device can do"):
        found = ceilings(chosen)
    text = json.dumps({"device": environment.device_info(chosen), "ceilings": found.to_dict()}, indent=2)
    if output is not None:
        with atomic_write(output) as file:
            file.write(text.encode() + b"\n")
    if as_json:
        click.echo(text)
    else:
        show(environment.device_info(chosen)["name"], found.to_dict())


def show(device: str, found: Mapping[str, object]) -> None:
    """Print one line per ceiling."""
    from rich.table import Table

    from gunrock_cli.cli.console import plain, print_table
    from gunrock_cli.report.evidence.ceiling_rows import ceiling_rows

    table = Table("", title=plain(f"Ceilings of {device}", "table.title"))
    table.add_column("rate", justify="right")
    for label, text, _ in ceiling_rows(found):
        table.add_row(plain(label), text)
    print_table(table)
