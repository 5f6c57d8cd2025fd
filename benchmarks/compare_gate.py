"""How often `gunrock compare --fail-over 5%` fails where nothing changed: one build, recorded in pairs.

    python benchmarks/compare_gate.py record FILE.jsonl [--pairs 20] [--busy 2] [--primitives bfs,cc]
    python benchmarks/compare_gate.py judge FILE.jsonl

`record` measures every primitive in a process of its own, 10 runs each, first as the old side of a
pair, then as the new one, while `--busy` other processes keep as many cores busy. `judge` prints each
pair's verdicts, and how many gates failed. The records of the run that docs/tables.md quotes are in
compare_gate.jsonl beside this file.
"""

from __future__ import annotations

import argparse
import multiprocessing
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gunrock_cli.bench.records.file import parse_record, read_file
from gunrock_cli.bench.records.record import Record, append_record
from gunrock_cli.bench.records.regressions import Comparison, compare

SIDES = ("old", "new")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["record", "judge"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--busy", type=int, default=2, help="processes that keep a core busy each")
    parser.add_argument("--primitives", default="bfs,cc,pagerank")
    parser.add_argument("--scale", type=int, default=14, help="of the R-MAT graph")
    parser.add_argument("--limit", type=float, default=0.05)
    arguments = parser.parse_args()
    if arguments.what == "record":
        with busy_cores(arguments.busy):
            record(arguments)
    judge(arguments.file, arguments.limit)


def record(arguments: argparse.Namespace) -> None:
    for pair in range(arguments.pairs):
        for side in SIDES:
            for primitive in arguments.primitives.split(","):
                found = measured(primitive, arguments.scale)
                found.sweep = {"name": "compare-gate", "pair": pair, "side": side}
                append_record(arguments.file, found)
        print(f"pair {pair + 1} of {arguments.pairs} recorded", file=sys.stderr)


def measured(primitive: str, scale: int) -> Record:
    """Measure one record in a separate process, on all cores of the CPU."""
    command = [
        sys.executable,
        "-m",
        "gunrock_cli.cli.main",
        primitive,
        "rmat",
        "--scale",
        str(scale),
        "--backend",
        "cpu",
        "--iterations",
        "10",
        "--json",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return parse_record(done.stdout)


@contextmanager
def busy_cores(count: int) -> Iterator[None]:
    """Keep this many cores busy with other work until the end."""
    workers = [multiprocessing.Process(target=spin, daemon=True) for _ in range(count)]
    for worker in workers:
        worker.start()
    try:
        yield
    finally:
        for worker in workers:
            worker.kill()


def spin() -> None:
    while True:
        pass


def judge(file: Path, limit: float) -> None:
    """Print one row per pair: every cell's verdict with its ratio, and the gate's."""
    sides: dict[int, dict[str, list[Record]]] = {}
    for found in read_file(file).records:
        pair = sides.setdefault(found.sweep["pair"], {side: [] for side in SIDES})
        pair[found.sweep["side"]].append(found)
    failed = 0
    for number, pair in sides.items():
        cells = compare(pair["old"], pair["new"], limit=limit)
        fails = any(cell.regression for cell in cells)
        failed += fails
        print(f"{number + 1:>3}  {'FAILS ' if fails else 'passes'}  {'  '.join(map(told, cells))}")
    print(f"{failed} of {len(sides)} gates failed (limit {limit:.0%})")


def told(cell: Comparison) -> str:
    assert cell.ratio is not None
    return (
        f"{cell.primitive} {cell.ratio.value:.3f} ({cell.ratio.low:.3f} to "
        f"{cell.ratio.high:.3f}) {cell.verdict}"
    )


if __name__ == "__main__":
    main()
