"""A process that runs the cells of one graph (``gunrock sweep --process graph``): each is a command line
of ``gunrock``, and the previous one's graph is kept for the next.

    python -m gunrock_cli.cli.worker"""

from __future__ import annotations

import gc
import sys

from gunrock_cli.bench.inputs.graphs import KeptGraph, keeping
from gunrock_cli.bench.sweeps.serving import Served, exit_code, serve
from gunrock_cli.cli.main import main as run_command


def run(words: list[str], kept: KeptGraph) -> Served:
    """Run one command line; its device memory is free again afterwards."""
    sys.argv = ["gunrock", *words]  # records name these
    code = exit_code(run_command)
    gc.collect()
    kept.release()
    return Served(code, not kept.is_intact())


def main() -> None:
    """Serve until standard input ends."""
    with keeping() as kept:
        serve(lambda words: run(words, kept))


if __name__ == "__main__":
    main()
