"""``gunrock compile``: a primitive's kernels for any GPU, without one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from gunrock_cli.primitives.code import Code

ARCHES = ("75", "80", "90")
"""The default: the oldest supported architecture, and those of later large GPUs."""


@click.command(
    epilog="\b\nExamples:\n  gunrock compile bfs --arch 90\n"
    "  gunrock compile my_primitive.py --arch 75 --arch host --set depth=3 --json"
)
@click.argument("primitive", metavar="FILE.py|NAME")
@click.option(
    "--arch",
    "arches",
    multiple=True,
    default=ARCHES,
    metavar="NUMBER",
    help="Compute capability, such as 90, or host: this machine's processor. Repeatable.",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="OPTION=VALUE",
    help="A value of one of the primitive's options, or of every run's. Repeatable.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one object per line, for each architecture.")
def command(primitive: str, arches: tuple[str, ...], settings: tuple[str, ...], as_json: bool) -> None:
    """Compile a primitive's kernels and say what became of them; needs no GPU.

    They are compiled as for a small graph. What a compiler refuses is shown in its own words, exit 2.
    """
    from gunrock_cli.cli.primitive_command import common_options
    from gunrock_cli.cli.settings import parse_settings
    from gunrock_cli.primitives.code import compile_for, kernel_unit, small_graph
    from gunrock_cli.primitives.external import find_primitive
    from gunrock_cli.primitives.run_options import RUN_OPTIONS, RunOptions

    targets = [target(text) for text in arches]
    found = find_primitive(primitive, common_options())
    values = parse_settings(found, settings)
    of_run = {option.key: values.pop(option.key) for option in RUN_OPTIONS if option.key in values}
    graph = small_graph(found, values)
    constants = found.plan(graph, found.asked(values)).constants
    compiled = {}
    for arch in targets:
        unit = kernel_unit(found, arch, values, RunOptions(**of_run))
        compiled[arch] = compile_for(arch, unit, constants)
        if as_json:
            click.echo(json.dumps(as_dict(found.name, arch, compiled[arch])))
    if not as_json:
        _print(found.name, compiled)


def target(text: str) -> int | str:
    """A value of --arch."""
    from gunrock_cli.errors import UsageError
    from gunrock_cli.primitives.code import HOST
    from gunrock_cli.toolchain.architectures import ARCHITECTURES, architecture

    if text == HOST:
        return text
    if not (text.isascii() and text.isdigit() and len(text) < 5):
        raise UsageError(f"--arch {text}: give one of {', '.join(map(str, ARCHITECTURES))} or host")
    architecture(int(text))
    return int(text)


def as_dict(primitive: str, arch: int | str, code: Code) -> dict[str, Any]:
    """The object that ``--json`` prints for one architecture."""
    contract = code.contract
    return {
        "primitive": primitive,
        "arch": arch,
        "kernel": contract.kernel,
        "launch_shared_bytes": None if arch == "host" else contract.size("BlockShared"),
        "entries": [
            {
                "name": each.name,
                "registers": each.registers,
                "spilled_bytes": each.spilled,
                "shared_bytes": each.shared,
                "code_bytes": each.code,
                "digest": each.digest,
            }
            for each in code.kernels
        ],
        "problem": [
            {"name": member.name, "type": member.element + "*" * member.pointer, "offset": member.offset}
            for member in contract.members()
        ],
        "phases": list(contract.phases.values()),
    }


def _print(primitive: str, compiled: dict[int | str, Code]) -> None:
    from rich.table import Table

    from gunrock_cli.cli.console import plain, print_table

    table = Table(title=plain(f"{primitive}: what the compilers made of it"))
    for heading in ("arch", "kernel", "registers", "spilled B", "shared B", "code B"):
        table.add_column(heading, justify="left" if heading == "kernel" else "right")
    for arch, code in compiled.items():
        launch = code.contract.size("BlockShared")
        for each in code.kernels:
            shared = None if each.shared is None else each.shared + launch
            numbers = (each.registers, each.spilled, shared, each.code)
            table.add_row(
                str(arch), each.name, *("-" if number is None else f"{number:,}" for number in numbers)
            )
    print_table(table)
