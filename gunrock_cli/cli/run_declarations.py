"""Options that several commands declare alike, as decorators: where to run, and from which source."""

from __future__ import annotations

import click

from gunrock_cli.cli.number_types import Whole
from gunrock_cli.toolchain.threads import MOST_THREADS

backend_option = click.option(
    "--backend",
    type=click.Choice(["auto", "cuda", "cpu"]),
    default="auto",
    show_default=True,
    help="auto: the GPU where there is one, else the CPU.",
)
threads_option = click.option(
    "--threads",
    type=Whole(1, MOST_THREADS),
    help="Threads of the cpu backend. Default: OMP_NUM_THREADS, or all.",
)
source_option = click.option(
    "--src",
    metavar="VERTEX",
    show_default=False,
    help="Source: a vertex (from 0), largest-degree or random. Default 0.",
)
