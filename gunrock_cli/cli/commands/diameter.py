"""``gunrock diameter``: the exact diameter of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gunrock_cli.cli.changes import say_changes
from gunrock_cli.cli.graph_options import graph_options
from gunrock_cli.cli.help_groups import GroupedCommand
from gunrock_cli.cli.number_types import Whole

if TYPE_CHECKING:
    from gunrock_cli.graph.spec import GraphSpec


@click.command(
    cls=GroupedCommand,
    epilog="""\b
Examples:
  gunrock diameter --market graph.mtx
  gunrock diameter road --nodes 20000 --json
""",
)
@graph_options
@click.option(
    "--searches",
    type=Whole(1),
    help="Searches, at most: what is known then are bounds. Default: as many as it takes.",
)
@click.option(
    "--backend", type=click.Choice(["auto", "cuda", "cpu"]), default="auto", help="Where to search."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    graph_spec: GraphSpec, use_cache: bool, seed: int, searches: int | None, backend: str, as_json: bool
) -> None:
    """The largest distance in edges between two vertices of the largest component.

    Each breadth-first search bounds the distance from every vertex to its farthest one; searches go on
    until no vertex can be farther from another than two that have been found. Directions do not count.
    """
    import json
    import time

    from gunrock_cli.analysis.stats import exact_diameter
    from gunrock_cli.cli.graph_progress import graph_progress
    from gunrock_cli.engine.backend import out_of_memory_as_error
    from gunrock_cli.graph.device import graph_array_module
    from gunrock_cli.graph.load import load_graph

    with graph_progress() as progress, out_of_memory_as_error("finding a diameter"):
        graph = load_graph(graph_spec, graph_array_module(backend), cache=use_cache, progress=progress)
        begin = time.perf_counter()
        found, bounds = exact_diameter(graph, searches, progress)
        seconds = time.perf_counter() - begin
    say_changes(graph)
    if as_json:
        click.echo(json.dumps({"name": graph.name, "hash": graph.hash, **found, "seconds": seconds}))
        return
    value = f"{bounds.lower}" if bounds.exact else f"between {bounds.lower} and {bounds.upper}"
    part = "" if found["components"] == 1 else f" of the largest of {found['components']:,} components"
    click.echo(f"{graph.name}: diameter {value}{part}, {bounds.searches} searches, {seconds:.3g} s")
