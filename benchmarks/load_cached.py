"""What the checksums cost when a graph is loaded from the cache.

    python benchmarks/load_cached.py [--mib 1024] [--runs 9]

Loads one entry with and without its checks, in turn, each in a process of its own, and prints processor
time. The file is read once before, so that it comes from memory, where checking weighs most.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from gunrock_cli.graph.model.graph import Csr, Graph
from gunrock_cli.graph.sources.files.readers import binary


def make_entry(path: Path, mib: int) -> None:
    """Sixteen sorted random edges per vertex."""
    edges = mib << 18
    rng = np.random.default_rng(0)
    columns = rng.integers(0, edges // 16, edges, dtype=np.int32)
    columns.reshape(-1, 16).sort(axis=1)
    csr = Csr(np.arange(0, edges + 1, 16, dtype=np.int32), columns)
    with path.open("wb") as file:
        binary.write(Graph("random", csr, csr, True), file)


def seconds(path: str, checked: bool) -> float:
    """Seconds of processor time, to which other processes on the machine do not add."""
    begin = time.process_time()
    binary.read(path, verify="sums" if checked else "nothing")
    return time.process_time() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mib", type=int, default=1024)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(seconds(arguments.one[0], arguments.one[1] == "checked"))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "entry.gcsr"
        make_entry(path, arguments.mib)
        found: dict[str, list[float]] = {"checked": [], "unchecked": []}
        for run in range(arguments.runs + 1):  # the first brings the file into memory
            for how in list(found)[:: 1 if run % 2 else -1]:
                done = subprocess.run(
                    [sys.executable, __file__, "--one", str(path), how],
                    capture_output=True,
                    text=True,
                    check=True,
                )
                found[how] += [float(done.stdout)] if run else []
        size = path.stat().st_size / 2**30
    least = {how: min(times) for how, times in found.items()}  # disturbances only add
    print(f"{size:.2f} GiB, {len(os.sched_getaffinity(0))} cores")
    for how, times in found.items():
        print(
            f"{how:9s} least {least[how]:.3f} s, median {statistics.median(times):.3f}, most "
            f"{max(times):.3f}"
        )
    print(f"checks: {1 - least['unchecked'] / least['checked']:.1%} of a load's time")


if __name__ == "__main__":
    main()
