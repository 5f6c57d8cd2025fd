"""Stands in for the process that runs all cells of a graph: here each is a run of fake_gunrock."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from gunrock_cli.bench.sweeps.serving import Served, exit_code, serve

FAKE = str(Path(__file__).with_name("fake_gunrock.py"))


def run(words: list[str]) -> Served:
    sys.argv = [FAKE, *words]
    return Served(
        exit_code(lambda: runpy.run_path(FAKE, run_name="__main__") and None), spoilt="spoils" in words
    )


serve(run)
