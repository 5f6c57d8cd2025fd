"""``gunrock cache``: files kept on disk to make the next run fast."""

from __future__ import annotations

import click

from gunrock_cli.cli.help_groups import CommandGroup


@click.group(
    cls=CommandGroup,
    epilog="""\b
Examples:
  gunrock cache list
  gunrock cache clear --name kron_g500-logn20
  gunrock cache clear --kernels
""",
)
def command() -> None:
    """List or clear cached graphs, those written for other systems, and compiled kernels.

    They are in the user's cache folder, or in $GUNROCK_CACHE_DIR. Clearing is always safe.
    """


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def list_command(as_json: bool) -> None:
    """Show every cached graph, the last used first, and the size of all."""
    import json
    import time

    from gunrock_cli.cachefolder import size
    from gunrock_cli.graph.sources.files import cache, written
    from gunrock_cli.resources import cache_root
    from gunrock_cli.toolchain.binaries import binaries_folder

    entries = cache.entries()
    kernels = size(binaries_folder().files())
    others = size(written.written_folder().files())
    if as_json:
        graphs = [
            {
                "name": e.name,
                "vertices": e.n,
                "edges": e.m,
                "source": e.source,
                "bytes": e.bytes,
                "used": e.used,
                "path": str(e.path),
            }
            for e in entries
        ]
        click.echo(
            json.dumps(
                {
                    "folder": str(cache_root()),
                    "graphs": graphs,
                    "kernels_bytes": kernels,
                    "written_bytes": others,
                }
            )
        )
        return
    from rich.table import Table

    from gunrock_cli.cli.console import console, plain, print_table

    table = Table("graph")
    for heading in ("vertices", "edges", "MB"):
        table.add_column(heading, justify="right")
    table.add_column("last used")
    table.add_column("source")
    for entry in entries:
        used = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.used))
        table.add_row(
            plain(entry.name),
            f"{entry.n:,}",
            f"{entry.m:,}",
            f"{entry.bytes / 1e6:,.1f}",
            used,
            plain(entry.source),
        )
    if entries:
        print_table(table)
    total = sum(entry.bytes for entry in entries)
    words = (
        f"{cache_root()}: {len(entries)} graphs, {total / 1e6:.1f} MB; written for other systems, "
        f"{others / 1e6:.1f} MB; compiled kernels, {kernels / 1e6:.1f} MB"
    )
    console().print(plain(words), soft_wrap=True)


@command.command("clear")
@click.option("--name", help="Only the graphs of this name.")
@click.option(
    "--kernels/--no-kernels",
    default=None,
    show_default=False,
    help="Compiled kernels too (default: yes, unless --name is given).",
)
def clear_command(name: str | None, kernels: bool | None) -> None:
    """Delete cached graphs, those written for other systems and compiled kernels, and nothing else
    beside them."""
    from gunrock_cli.cachefolder import delete
    from gunrock_cli.graph.sources.files import cache
    from gunrock_cli.toolchain.binaries import binaries_folder

    count, freed = cache.clear(name)
    if kernels or (kernels is None and name is None):
        for files in (binaries_folder().files(), binaries_folder().abandoned()):
            freed += delete(files)[1]
    click.echo(f"{count} graphs deleted, {freed / 1e6:.1f} MB freed")
