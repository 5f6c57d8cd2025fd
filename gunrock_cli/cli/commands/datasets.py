"""``gunrock datasets``: the papers' graphs, their sources and their files here."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from gunrock_cli.cli.help_groups import CommandGroup
from gunrock_cli.graph.sources.downloads.datasets import TABLES

if TYPE_CHECKING:
    from gunrock_cli.graph.sources.downloads.datasets import DataSet


@click.group(
    cls=CommandGroup,
    epilog="""\b
Examples:
  gunrock datasets list --table ppopp16
  gunrock datasets info soc-orkut
  gunrock datasets fetch soc-orkut
  gunrock datasets fetch SNAP/web-Google
  gunrock bfs soc-orkut
""",
)
def command() -> None:
    """List, describe, find and fetch the data sets of the papers, and any matrix of the SuiteSparse
    Matrix Collection by GROUP/NAME.

    They are in $GUNROCK_DATASETS, or else in the user's data folder.
    """


@command.command("list")
@click.option(
    "--table",
    type=click.Choice([*TABLES, "small"]),
    help="Only those of one paper's table, or the small ones.",
)
@click.option("--names", is_flag=True, help="Print the names only, one per line.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def list_command(table: str | None, names: bool, as_json: bool) -> None:
    """Show the catalogue, and which data sets are here."""
    chosen = _chosen(table)
    if names:
        for data in chosen:
            click.echo(data.name)
        return
    if as_json:
        import json

        click.echo(json.dumps([_described(data) for data in chosen]))
        return
    from rich.table import Table

    from gunrock_cli.cli.console import print_table
    from gunrock_cli.cli.number_texts import number

    shown = Table()
    for heading in ("name", "vertices", "edges", "class", "tables", "here"):
        shown.add_column(heading, justify="right" if heading in ("vertices", "edges") else "left")
    for data in chosen:
        shown.add_row(
            data.name,
            number(data.vertices),
            number(data.edges),
            data.graph_class,
            " ".join(data.tables),
            _described(data)["state"],
        )
    print_table(shown, least=("tables", "class"))


@command.command("info")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def info_command(name: str, as_json: bool) -> None:
    """Describe one data set: source, licence, size, and what is here."""
    from gunrock_cli.graph.sources.downloads.datasets import get_dataset

    described = _described(get_dataset(name))
    if as_json:
        import json

        click.echo(json.dumps(described))
        return
    for key, value in described.items():
        if value not in (None, {}, [], (), ""):
            text = ", ".join(value) if isinstance(value, (list, tuple)) else value
            click.echo(f"{key.replace('_', ' '):<12} {text}")


@command.command("path")
@click.argument("name")
def path_command(name: str) -> None:
    """Print the path of a data set that is here (exit code 2 where it is not)."""
    from gunrock_cli.graph.sources.downloads.datasets import find_dataset

    click.echo(find_dataset(name))


@command.command("fetch")
@click.argument("names", nargs=-1, required=True)
@click.option(
    "--stand-in",
    is_flag=True,
    help="Where the download fails, generate a graph of the same class instead; its "
    "records say stand-in.",
)
@click.option("--force", is_flag=True, help="Fetch again what is already here.")
def fetch_command(names: tuple[str, ...], stand_in: bool, force: bool) -> None:
    """Download (or generate) data sets; interrupted downloads go on where they broke off. One that
    fails does not keep the others from being fetched."""
    from gunrock_cli.cli.graph_progress import graph_progress
    from gunrock_cli.cli.messages import error
    from gunrock_cli.errors import EXIT_USAGE, GunrockError, printable
    from gunrock_cli.graph.fetch import fetch, read_record
    from gunrock_cli.graph.sources.downloads.datasets import get_dataset

    failed = False
    for data in [get_dataset(name) for name in names]:
        try:
            with graph_progress() as progress:
                path = fetch(data, stand_in=stand_in, force=force, progress=progress)
        except GunrockError as problem:
            error(f"gunrock: {printable(str(problem))}")
            failed = True
            continue
        kind = " (stand-in)" if read_record(path).get("stand_in") else ""
        click.echo(f"{data.name}{kind}: {path}")
    if failed:
        raise click.exceptions.Exit(EXIT_USAGE)


def _chosen(table: str | None) -> list[DataSet]:
    from gunrock_cli.graph.sources.downloads.datasets import read_catalogue

    return [
        data
        for data in read_catalogue().values()
        if table is None or table in data.tables or (table == "small" and data.small)
    ]


def _described(data: DataSet) -> dict[str, Any]:
    """The entry, with ``state`` ("", "yes", "stand-in"), ``path`` and ``record`` of the files here."""
    from gunrock_cli.graph.fetch import read_record
    from gunrock_cli.graph.sources.downloads.datasets import dataset_path

    path = dataset_path(data.name)
    record = read_record(path) if path.exists() else {}
    state = "" if not path.exists() else "stand-in" if record.get("stand_in") else "yes"
    described = asdict(data)
    described["class"] = described.pop("graph_class")
    return {**described, "state": state, "path": str(path), "record": record}
