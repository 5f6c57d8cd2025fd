"""``gunrock run FILE.py``: a user's own primitive, outside the tree."""

from __future__ import annotations

from typing import Any

import click


@click.command(
    context_settings={
        "ignore_unknown_options": True,
        "allow_interspersed_args": False,
        "help_option_names": [],
    },
    epilog="\b\nExamples:\n  gunrock run my_primitive.py --market g.mtx\n"
    "  gunrock run my_primitive.py --help",
)
@click.argument("file", type=click.Path(dir_okay=False))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(file: str, arguments: tuple[str, ...]) -> Any:
    """Run a primitive from FILE.py; its kernel is FILE.cuh beside it.

    The file defines PRIMITIVE, as docs/writing-a-primitive.md shows. All options of a primitive
    that ships apply.
    """
    if file in ("-h", "--help"):
        context = click.get_current_context()
        click.echo(context.get_help())
        return None
    from gunrock_cli.cli.primitive_command import command_of, common_options
    from gunrock_cli.primitives.external import load_primitive

    inner = command_of(load_primitive(file, common_options()))
    # Not inner.main(), which would handle errors that the outer command must handle.
    with inner.make_context(f"gunrock run {file}", list(arguments)) as inside:
        return inner.invoke(inside)
