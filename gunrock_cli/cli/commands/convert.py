"""``gunrock convert``: a graph as a file for another program."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gunrock_cli.cli.changes import say_changes
from gunrock_cli.cli.graph_options import graph_options, names_a_file
from gunrock_cli.cli.help_groups import GroupedCommand
from gunrock_cli.graph.sources.files.readers.formats import FORMATS

if TYPE_CHECKING:
    from gunrock_cli.graph.model.graph import Graph
    from gunrock_cli.graph.spec import GraphSpec

_LIST = "\b\nFormats:\n" + "\n".join(
    f"  {name:<13} {' '.join(form.suffixes):<22} {form.summary}" for name, form in FORMATS.items()
)
_EXAMPLES = """\b
Examples:
  gunrock convert graph.mtx graph.sg
  gunrock convert --dimacs roads.gr roads.wsg
  gunrock convert rmat --scale 20 --weights random kron --format ligra-binary
"""


def _output_last(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let the only argument be the output if an option names the graph."""

    @functools.wraps(function)
    def command(**values: Any) -> Any:
        if values["output"] is None and names_a_file(values):
            values["graph"], values["output"] = None, values["graph"]
        return function(**values)

    return command


@click.command(cls=GroupedCommand, epilog=f"{_EXAMPLES}\n{_LIST}")
@_output_last
@graph_options
@click.argument("output", required=False, metavar="OUT")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    metavar="FORMAT",
    help="What to write, where the ending of OUT does not say it: one of those below.",
)
@click.option(
    "--backend",
    type=click.Choice(["auto", "cuda", "cpu"]),
    default="auto",
    help="Where to generate, and to sort edges; the graph is the same.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    graph_spec: GraphSpec,
    use_cache: bool,
    seed: int,
    output: str | None,
    form: str | None,
    backend: str,
    as_json: bool,
) -> None:
    """Write a graph to OUT, in the format of another program.

    The graph is what every command makes of the same options: undirected, without self loops and
    repeated edges, unless they say otherwise. OUT appears whole or not at all. Names of vertices go to
    OUT.names, which --vertex-names reads.
    """
    from gunrock_cli.cli.graph_progress import graph_progress
    from gunrock_cli.graph.device import graph_array_module
    from gunrock_cli.graph.load import load_graph
    from gunrock_cli.graph.sources.files.writers import write_graph

    output, name = _place(output, form)
    with graph_progress() as progress:
        graph = load_graph(
            replace(graph_spec, reverse=FORMATS[name].both_sides),
            graph_array_module(backend),
            cache=use_cache,
            progress=progress,
        )
        progress(f"writing {output}", None)
        files = write_graph(graph, output, name, names=True)
    say_changes(graph)
    _print(graph, name, files, as_json)


def _place(output: str | None, form: str | None) -> tuple[str, str]:
    """The path and the format of the output; what cannot be written is refused before any work is
    done."""
    from gunrock_cli.errors import UsageError
    from gunrock_cli.files import check_writable
    from gunrock_cli.graph.sources.files.readers.formats import format_to_write
    from gunrock_cli.graph.sources.files.writers import files_of

    if output is None:
        raise UsageError("give a graph and the file to write to: gunrock convert GRAPH OUT")
    if output == "-":
        raise UsageError("-: cannot be written; name a file, or /dev/stdout")
    name = format_to_write(output, form)
    for path in files_of(FORMATS[name], output, weighted=True):
        check_writable(Path(path), make_folder=True)
    return output, name


def _print(graph: Graph, name: str, files: list[Path], as_json: bool) -> None:
    left_out = graph.weighted and FORMATS[name].weights == "none"
    if as_json:
        import json

        click.echo(
            json.dumps(
                {
                    "name": graph.name,
                    "vertices": graph.n,
                    "edges": graph.m,
                    "hash": graph.hash,
                    "format": name,
                    "weights": graph.weighted and not left_out,
                    "files": [str(path) for path in files],
                    "origin": graph.origin,
                    "changes": graph.described()["changes"],
                }
            )
        )
        return
    without = ", without its weights" if left_out else ""
    click.echo(
        f"{graph.name}: {graph.n:,} vertices, {graph.m:,} directed edges{without}, written to "
        f"{', '.join(map(str, files))}"
    )
