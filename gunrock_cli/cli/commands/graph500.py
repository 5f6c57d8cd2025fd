"""``gunrock graph500``: the Graph500 benchmark, every search proved."""

from __future__ import annotations

import json
from math import isnan
from pathlib import Path

import click

from gunrock_cli.cli.messages import notice
from gunrock_cli.cli.number_types import Whole
from gunrock_cli.cli.run_declarations import backend_option
from gunrock_cli.toolchain.threads import MOST_THREADS


@click.command(
    epilog="\b\nExamples:\n  gunrock graph500 --scale 16\n"
    "  gunrock graph500 --scale 24 --sssp --output result.txt\n"
    "  gunrock graph500 --scale 26 --devices 2\n"
    "  gunrock graph500 --scale 30 --devices 4\n"
)
@click.option("--scale", type=Whole(1, 30), required=True, help="Number of vertices, as a power of two.")
@click.option(
    "--edge-factor",
    type=Whole(1, 1 << 20),
    default=16,
    show_default=True,
    help="Edges drawn per vertex; the benchmark's is 16.",
)
@click.option(
    "--roots",
    type=Whole(1, 1 << 20),
    default=64,
    show_default=True,
    help="Searches, from random vertices that have an edge; the benchmark's are 64.",
)
@click.option(
    "--seed",
    type=Whole(0, 2**63 - 1),
    default=0,
    show_default=True,
    help="Seed of the graph and of the roots.",
)
@click.option("--sssp", is_flag=True, help="Shortest paths too (kernel 3), weights uniform in [0, 1).")
@backend_option
@click.option("--threads", type=Whole(1, MOST_THREADS), help="Threads of the cpu backend.")
@click.option(
    "--devices",
    default="auto",
    metavar="N|0,2|all",
    help="GPUs that share a search, or on the cpu backend teams of threads; several draw the "
    "graph in parts, none of them the whole. auto: one.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the result file.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result and every search as JSON.")
def command(
    scale: int,
    edge_factor: int,
    roots: int,
    seed: int,
    sssp: bool,
    backend: str,
    threads: int | None,
    devices: str,
    output: Path | None,
    as_json: bool,
) -> None:
    """Run the Graph500 benchmark: an R-MAT graph is generated and built (kernel 1) and searched from
    random roots (kernel 2). Every tree is proved by its conditions; one that is wrong ends the run with
    exit code 1. Times are the enactor's alone; edges are those of the input in the root's component.
    """
    from gunrock_cli.bench.studies.graph500 import as_text, keys, run
    from gunrock_cli.cli.graph_progress import graph_progress
    from gunrock_cli.engine.backend import choose_backend, out_of_memory_as_error
    from gunrock_cli.files import atomic_write

    chosen = choose_backend(backend, threads)
    notice(f"gunrock: {chosen.said}")
    with graph_progress() as progress, out_of_memory_as_error(f"Graph500 at scale {scale}"):
        result = run(
            scale,
            edge_factor,
            roots,
            seed,
            chosen,
            sssp,
            lambda name, done, count: progress(f"{name} from {count} roots", done / count),
            devices,
        )
    table = keys(result)
    if output is not None:
        with atomic_write(output) as file:
            file.write(as_text(table).encode())
    if as_json:
        searches = {
            name: {"seconds": each.seconds, "edges": each.edges} for name, each in result.kernels.items()
        }
        click.echo(
            json.dumps(
                {
                    "backend": chosen.name,
                    "device": chosen.why,
                    "roots": result.roots,
                    "result": {key: None if isnan(value) else value for key, value in table.items()},
                    "searches": searches,
                }
            )
        )
    else:
        click.echo(as_text(table), nl=False)
