"""How long a large Matrix Market file takes to be read, cleaned and built, beside SciPy's mmread.

    python benchmarks/load_market.py [FILE.mtx] [--values] [--runs 6]

Each run is a process of its own, in turn, so that none finds memory that another one touched. Without
FILE one of about 1 GiB is made in the folder for temporary files, and kept for the next call.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

VERTICES = 1 << 21


def make_file(path: Path, values: bool) -> None:
    """Random entries: 64 million without values, 40 million with."""
    from scipy.io import mmwrite
    from scipy.sparse import coo_array

    rng = np.random.default_rng(0)
    count = 40_000_000 if values else 64_000_000
    ends = rng.integers(0, VERTICES, (2, count), dtype=np.int32)
    data = rng.random(count, np.float32) if values else np.ones(count, np.int8)
    matrix = coo_array((data, tuple(ends)), shape=(VERTICES, VERTICES))
    mmwrite(path, matrix, field="real" if values else "pattern", precision=7, symmetry="general")


def measure(how: str, path: str) -> float:
    """Seconds of one load, without what is compiled or set up once."""
    from scipy.io import mmread

    from gunrock_cli.graph.load import load_graph
    from gunrock_cli.graph.rows.native_library import library
    from gunrock_cli.graph.spec import GraphSpec

    xp = importlib.import_module("cupy" if how == "cuda" else "numpy")
    if how == "cuda":
        load_graph(GraphSpec("rmat", params={"scale": 8}), xp)
    library()
    warnings.simplefilter("ignore")  # mmread warns of a default that will change
    begin = time.perf_counter()
    if how == "mmread":
        mmread(path)
    else:
        load_graph(GraphSpec("market", path=path), xp, cache=False)
    return time.perf_counter() - begin


def ways() -> list[str]:
    from gunrock_cli.toolchain.available import why_no_cuda

    return ["mmread", "cpu", *(["cuda"] if why_no_cuda() is None else [])]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--values", action="store_true", help="make a file with real values")
    parser.add_argument("--runs", type=int, default=6)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    name = f"gunrock-load-{'values' if arguments.values else 'pattern'}.mtx"
    path = arguments.file or Path(tempfile.gettempdir()) / name
    if arguments.one:
        print(measure(arguments.one, str(path)))
        return
    if not path.exists():
        make_file(path, arguments.values)
    print(f"{path}: {path.stat().st_size / 2**30:.2f} GiB")
    seconds: dict[str, list[float]] = {way: [] for way in ways()}
    for run in range(arguments.runs):
        for way in list(seconds)[:: 1 if run % 2 else -1]:
            done = subprocess.run(
                [sys.executable, __file__, str(path), "--one", way],
                capture_output=True,
                text=True,
                check=True,
            )
            seconds[way].append(float(done.stdout))
    base = statistics.median(seconds["mmread"])
    for way, times in seconds.items():
        middle = statistics.median(times)
        print(
            f"{way:7s} median {middle:.2f} s, {min(times):.2f} to {max(times):.2f}: "
            f"{middle / base:.2f} times mmread"
        )


if __name__ == "__main__":
    main()
