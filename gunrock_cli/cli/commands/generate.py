"""``gunrock generate``: write a generated graph to a file."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

from gunrock_cli.cli.changes import say_changes
from gunrock_cli.cli.graph_options import cleaning_options, generator_options
from gunrock_cli.cli.help_groups import GroupedCommand
from gunrock_cli.graph.sources.generate.parameters import GENERATORS
from gunrock_cli.graph.spec import spec_from_name

_LIST = "\b\nGenerators:\n" + "\n".join(
    f"  {generator.name:<11} {generator.summary.split(';')[0]}" for generator in GENERATORS.values()
)
_EXAMPLES = """\b
Examples:
  gunrock generate rmat --scale 20 --output kron.gcsr
  gunrock generate grid2d --width 300 --height 300 --output grid.mtx
  gunrock generate road --scale 18 --weights random --output road.gcsr
"""


@click.command(cls=GroupedCommand, epilog=f"{_EXAMPLES}\n{_LIST}")
@click.argument("name", type=click.Choice(list(GENERATORS)), metavar="GENERATOR")
@generator_options
@cleaning_options
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    help="Where to write; the name implies the format: .mtx, .mtx.gz, .gcsr (binary, "
    "fast to load), .npz, .el, and those of gunrock convert --help. Without it the graph is "
    "made and described only.",
)
@click.option(
    "--backend",
    type=click.Choice(["auto", "cuda", "cpu"]),
    default="auto",
    help="Where to generate; the graph is the same.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    name: str, output: str | None, backend: str, as_json: bool, seed: int, **options: Any
) -> None:
    """Generate a graph: seeded, the same on the CPU and the GPU.

    Edges are cleaned as for every other command: made undirected, self loops and duplicates
    dropped, unless the options say otherwise.
    """
    from gunrock_cli.cli.graph_progress import graph_progress
    from gunrock_cli.graph.device import graph_array_module
    from gunrock_cli.graph.load import load_graph
    from gunrock_cli.graph.sources.files.writers import write_graph

    cleaning = {
        key: options.pop(key)
        for key in (
            "undirected",
            "keep_self_loops",
            "keep_duplicates",
            "weights",
            "weight_type",
            "weight_seed",
        )
    }
    spec = spec_from_name(name, options, seed, **cleaning)
    if output is not None:
        _check_output(output)
    xp = graph_array_module(backend)
    with graph_progress() as progress:
        begun = time.perf_counter()
        graph = load_graph(spec, xp, progress=progress)
        if xp.__name__ == "cupy":
            xp.cuda.get_current_stream().synchronize()
        seconds = time.perf_counter() - begun
        if output is not None:
            progress(f"writing {output}", None)
            write_graph(graph, output)
    say_changes(graph)
    described = {
        "name": graph.name,
        "vertices": graph.n,
        "edges": graph.m,
        "hash": graph.hash,
        "seconds": round(seconds, 4),
        "output": output,
        "origin": graph.origin,
        "changes": graph.described()["changes"],
    }
    _print(described, as_json)


def _check_output(output: str) -> None:
    """Refuse a format or a path that cannot be written before any work is done."""
    from gunrock_cli.files import check_writable
    from gunrock_cli.graph.sources.files.readers.formats import format_to_write

    format_to_write(output)
    check_writable(Path(output), make_folder=True)


def _print(described: dict[str, Any], as_json: bool) -> None:
    if as_json:
        import json

        click.echo(json.dumps(described))
        return
    where = f", written to {described['output']}" if described["output"] else ""
    click.echo(
        f"{described['name']}: {described['vertices']:,} vertices, {described['edges']:,} "
        f"directed edges, made in {described['seconds']:.3f} s{where}"
    )
