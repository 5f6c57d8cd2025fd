"""``gunrock stats``: the papers' Table 1 for any graph or set of graphs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gunrock_cli.cli.changes import say_changes
from gunrock_cli.cli.graph_options import graph_options
from gunrock_cli.cli.help_groups import GroupedCommand
from gunrock_cli.cli.messages import notice, warning
from gunrock_cli.cli.number_types import Whole
from gunrock_cli.errors import OutOfMemory
from gunrock_cli.graph.parts.kinds import KINDS, MOST_PARTS
from gunrock_cli.graph.sources.downloads.datasets import TABLES

if TYPE_CHECKING:
    from types import ModuleType

    from gunrock_cli.analysis.parts import OnePart, PartStats
    from gunrock_cli.analysis.stats import GraphStats
    from gunrock_cli.graph.model.graph import Graph
    from gunrock_cli.graph.spec import GraphSpec

COLUMNS = {
    "graph": "name",
    "vertices": "vertices",
    "edges": "edges",
    "min degree": "min_degree",
    "mean degree": "mean_degree",
    "max degree": "max_degree",
    "median degree": "p50",
    "p99 degree": "p99",
    "degree < 64": "share_under_64",
    "components": "components",
    "diameter": "diameter",
    "class (guess)": "class",
}
LEAST = ("median degree", "min degree", "p99 degree", "degree < 64", "class (guess)")
"""What a narrow terminal leaves out of a set's table first."""


@click.command(
    cls=GroupedCommand,
    epilog="""\b
Examples:
  gunrock stats --market graph.mtx
  gunrock stats rmat --scale 18 --plot degrees.png
  gunrock stats rmat --scale 18 --devices 4
  gunrock stats --set ppopp16 --format markdown
""",
)
@graph_options(required=False)
@click.option(
    "--set",
    "table",
    type=click.Choice([*TABLES, "small"]),
    help="All data sets of one table that are here, instead of one graph.",
)
@click.option(
    "--diameter/--no-diameter",
    default=True,
    help="Search for the diameter; where the searches do not find the exact one, "
    "the lower bound is shown, marked as such.",
)
@click.option(
    "--searches",
    type=Whole(1),
    show_default=False,
    help="Breadth-first searches for the diameter, at most (default: by size).",
)
@click.option(
    "--devices",
    type=Whole(2, MOST_PARTS),
    show_default=False,
    help="Also what cutting the graph into so many parts comes to (table and JSON).",
)
@click.option(
    "--partition",
    type=click.Choice(KINDS),
    default="auto",
    help="With --devices: which vertices each part owns.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv", "markdown"]),
    default="table",
    help="What to print.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Append a record of each graph to this file, from which gunrock report takes its diameter and "
    "class (Table 1).",
)
@click.option("--plot", metavar="FILE", help="Also draw the degree distribution (.png, .svg, .pdf).")
@click.option(
    "--sparsity", metavar="FILE", help="Also draw where the adjacency matrix has entries, as --plot does."
)
@click.option(
    "--backend", type=click.Choice(["auto", "cuda", "cpu"]), default="auto", help="Where to compute."
)
def command(
    graph_spec: GraphSpec | None,
    use_cache: bool,
    seed: int,
    table: str | None,
    diameter: bool,
    searches: int | None,
    devices: int | None,
    partition: str,
    form: str,
    as_json: bool,
    output: Path | None,
    plot: str | None,
    sparsity: str | None,
    backend: str,
) -> None:
    """Size, degrees, components, diameter and class of a graph.

    Edges are counted directed, after cleaning. With --json one object for a graph, an array for a
    set. A graph that the GPU cannot hold is drawn in parts on all GPUs (on as many as --devices says),
    where it is generated and undirected, or else looked at on the host, unless --backend cuda is given.
    """
    from gunrock_cli.files import check_writable
    from gunrock_cli.graph.device import graph_array_module

    specs = _specs(graph_spec, table)
    pictures = {
        flag: Path(path)
        for flag, path in (("--plot", plot), ("--sparsity", sparsity))
        if path is not None
    }
    for flag, path in pictures.items():
        if len(specs) != 1:
            from gunrock_cli.errors import UsageError

            raise UsageError(f"{flag} draws one graph, not a set")
        check_writable(path)
    if output is not None:
        check_writable(output, append=True, make_folder=True)
    xp = graph_array_module(backend)

    def found(spec: GraphSpec, xp: ModuleType) -> Found:
        return _found(spec, xp, use_cache, diameter, searches, devices, partition)

    rows = []
    for spec in specs:
        try:
            one = found(spec, xp)
        except OutOfMemory as problem:
            if xp.__name__ == "numpy":
                raise
            from gunrock_cli.graph.model.memory import release_unused

            release_unused(xp)
            described = _found_in_parts(spec, xp, diameter, searches, devices)
            if described is not None:
                assert described.parts is not None
                notice(f"gunrock: {problem}; in {described.parts['devices']} parts instead")
                one = described
            elif backend != "auto":
                raise
            else:
                notice(f"gunrock: {problem}; on the host instead")
                import numpy as np

                one = found(spec, np)
        say_changes(one.graph)
        rows.append(one)
        if output is not None:
            _keep(one, output)
    form = "json" if as_json else form
    _print(rows, form, single=table is None)
    if form == "table":
        for each in rows:
            _print_parts(each)
    for flag, path in pictures.items():
        from gunrock_cli.report.graph_pictures import draw, draw_degrees, draw_sparsity

        draw(one.graph, path, flag, draw_degrees if flag == "--plot" else draw_sparsity)


@dataclass(frozen=True)
class Found:
    """A graph, its statistics, and those of its parts, if asked for."""

    graph: Graph
    stats: GraphStats
    parts: PartStats | None

    def row(self) -> Mapping[str, object]:
        """All statistics by name."""
        return self.stats if self.parts is None else {**self.stats, "several": self.parts}


def _keep(one: Found, output: Path) -> None:
    """Append the record of a graph."""
    from gunrock_cli.bench.records.record import keep_records
    from gunrock_cli.bench.studies.description import description
    from gunrock_cli.cli.invocation import invoked_command
    from gunrock_cli.engine.backend import choose_backend

    backend = choose_backend("cpu" if one.graph.xp.__name__ == "numpy" else "cuda")
    record = description(one.graph, one.stats, backend)
    record.command = invoked_command()
    keep_records(output, [record])


def _found(
    spec: GraphSpec,
    xp: ModuleType,
    use_cache: bool,
    diameter: bool,
    searches: int | None,
    devices: int | None,
    partition: str,
) -> Found:
    """A graph and its statistics, in the memory of ``xp``; OutOfMemory if that is too small."""
    from gunrock_cli.analysis.parts import part_stats
    from gunrock_cli.analysis.stats import graph_stats
    from gunrock_cli.cli.graph_progress import graph_progress
    from gunrock_cli.graph.load import load_graph

    with graph_progress() as progress:
        graph = load_graph(spec, xp, cache=use_cache, progress=progress)
        try:
            stats = graph_stats(graph, diameter=diameter, max_searches=searches, progress=progress)
            parts = None if devices is None else part_stats(graph, devices, partition)
        except MemoryError as error:  # NumPy's or CuPy's
            raise OutOfMemory(f"not enough memory for the statistics of {graph.name}: {error}") from error
    return Found(graph, stats, parts)


def _found_in_parts(
    spec: GraphSpec, xp: ModuleType, diameter: bool, searches: int | None, devices: int | None
) -> Found | None:
    """The same for a graph that no single GPU holds, if several can draw it in parts."""
    from gunrock_cli.analysis.parts import part_stats
    from gunrock_cli.analysis.stats import graph_stats
    from gunrock_cli.cli.graph_progress import graph_progress
    from gunrock_cli.engine.backend import choose_backend, out_of_memory_as_error
    from gunrock_cli.engine.devices import Devices, count_devices, device_numbers
    from gunrock_cli.graph.drawn_parts import undrawn

    drawable = undrawn(spec, xp)
    if drawable is None or not drawable.undirected:
        return None
    backend = choose_backend("cuda")
    there = count_devices(backend)
    count = there if devices is None else devices
    if there < 2 or count > there:
        return None
    places = Devices(backend, device_numbers(str(count), backend))
    with graph_progress() as progress, out_of_memory_as_error(f"the statistics of {drawable.name}"):
        graph = drawable.in_parts(places, progress)
        stats = graph_stats(graph, diameter=diameter, max_searches=searches, progress=progress)
        return Found(graph, stats, part_stats(graph, count))


def _specs(graph_spec: GraphSpec | None, table: str | None) -> list[GraphSpec]:
    """The graphs asked for: one, or those of a table that are here."""
    from gunrock_cli.cli.graph_options import NO_GRAPH
    from gunrock_cli.errors import UsageError
    from gunrock_cli.graph.sources.downloads.datasets import dataset_path, read_catalogue
    from gunrock_cli.graph.spec import spec_from_name

    if (graph_spec is None) == (table is None):
        raise UsageError(NO_GRAPH if table is None else "--set and a graph contradict each other")
    if graph_spec is not None:
        return [graph_spec]
    names = [
        data.name
        for data in read_catalogue().values()
        if table in data.tables or (table == "small" and data.small)
    ]
    here = [name for name in names if dataset_path(name).exists()]
    for name in names:
        if name not in here:
            warning(f"gunrock: {name} is not here (gunrock datasets fetch {name})")
    if not here:
        raise UsageError(f"no data set of {table} is here")
    return [spec_from_name(name) for name in here]


def _print(found: list[Found], form: str, single: bool) -> None:
    if form == "json":
        import json

        click.echo(json.dumps(found[0].row() if single else [each.row() for each in found]))
        return
    rows = [each.stats for each in found]
    cells = [[_cell(row, key) for key in COLUMNS.values()] for row in rows]
    if form == "csv":
        import csv
        import sys

        from gunrock_cli.report.render.csv import safe

        flat = [{**row, **row["degree_percentiles"], "name": safe(row["name"])} for row in rows]
        keys = [key for key in flat[0] if key not in ("degree_percentiles", "changes")]
        writer = csv.DictWriter(sys.stdout, keys, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(flat)
    elif form == "markdown":
        from gunrock_cli.report.render.markdown import line as markdown_line

        click.echo(markdown_line(list(COLUMNS)))
        click.echo("|" + "---|" * len(COLUMNS))
        for line in cells:
            click.echo(markdown_line(line))
    else:
        from rich.table import Table

        from gunrock_cli.cli.console import plain, print_table

        if single:
            _print_one(rows[0])
            return
        shown = Table()
        for heading, key in COLUMNS.items():
            shown.add_column(heading, justify="left" if key in ("name", "class") else "right")
        for row in rows:
            shown.add_row(*(plain(_shown(row, key)) for key in COLUMNS.values()))
        print_table(shown, least=LEAST, keys=("graph",))


def _print_one(row: GraphStats) -> None:
    """One graph's figures, one below the other."""
    from rich.table import Table

    from gunrock_cli.cli.console import plain, print_table

    headings = {heading: key for heading, key in COLUMNS.items() if key != "name"}
    shown = Table(title=plain(_cell(row, "name"), "bold"), show_header=False)
    shown.add_column("")
    shown.add_column("", justify="right")
    for heading, key in headings.items():
        shown.add_row(heading, plain(_shown(row, key)))
    print_table(shown)


def _print_parts(one: Found) -> None:
    """A table of the parts, below what they have in common."""
    from rich.table import Table

    from gunrock_cli.cli.console import plain, print_table

    if (found := one.parts) is None:
        return
    title = (
        f"{one.graph.name} in {found['devices']} parts ({found['partition']}): "
        f"{found['cut']:.2%} of the edges are cut, the largest part has {found['edge_balance']:.2f} "
        f"times the mean's edges, {found['vertex_balance']:.2f} times its vertices"
    )
    shown = Table(title=plain(title))
    for heading in ("part", *(name.replace("_", " ") for name in found["parts"][0])):
        shown.add_column(heading, justify="right")
    for number, part in enumerate(found["parts"]):
        shown.add_row(str(number), *(f"{value:,}" for value in _sizes(part)))
    print_table(shown)


def _sizes(part: OnePart) -> tuple[int, ...]:
    return part["vertices"], part["edges"], part["ghosts"], part["bytes"], part["told_bytes"]


def _cell(row: GraphStats, key: str) -> str:
    if key == "name":
        return f"{row['name']} (stand-in)" if row["stand_in"] else str(row["name"])
    if key == "diameter":
        if row["diameter"] is None:
            return "-"
        return f"{'' if row['diameter_is_exact'] else '≥ '}{row['diameter']}"
    if key in ("p50", "p99"):
        return str(row["degree_percentiles"].get(key, "-"))
    if key == "share_under_64":
        return f"{row['share_under_64']:.1%}"
    value = row.get(key)
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _shown(row: GraphStats, key: str) -> str:
    """On the terminal, as every table has its numbers; the other formats omit separators."""
    from gunrock_cli.cli.number_texts import number

    value = row.get(key)
    if key == "diameter" and value is not None:
        return f"{'' if row['diameter_is_exact'] else '≥ '}{number(row['diameter'])}"
    return (
        number(value) if isinstance(value, (int, float)) and key != "share_under_64" else _cell(row, key)
    )
