"""Two trees of this project, measured cell by cell on one device: is a change of form without cost?

    python benchmarks/before_after.py OLD_TREE NEW_TREE [--data DIR] [--primitives bfs,sssp]
                                      [--graphs rmat21,lattice] [--runs 20] [--rounds 4]

Each tree gets a process of its own, which stays alive, loads each graph once, and runs when it is told
to: the two take turns, a few runs of a cell at a time, so that clocks and temperature are the same for
both. Prints every cell's medians and their ratio, marks those outside the tolerance, and says whether
the answers agree. Exit code 1 where an answer differs or a cell got slower than the tolerance allows.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

FLOAT_TOLERANCE = 1e-4
"""The relative tolerance of answers that atomics or another order of additions may round differently."""


# --- a process for a tree ---------------------------------------------------------------------------
def load(cell: list[Any], data: Path, xp: Any) -> tuple[Any, int]:
    """A graph of goals.py and its source."""
    from gunrock_cli.graph.load import load_graph

    try:
        from gunrock_cli.graph.spec import spec_from_name
    except ImportError:  # trees before the rooms
        from gunrock_cli.cli.graph_options import spec_from_name  # type: ignore[attr-defined,no-redef]

    kind, params, source = cell
    graph = load_graph(spec_from_name(str(data / kind) if params == {} else kind, params), xp)
    return graph, int(graph.csr.degrees().argmax()) if source == "largest" else 0


def work(data: Path, backend_name: str) -> None:
    """Answer commands, one JSON object per line: load a graph, or run a primitive on it."""
    from gunrock_cli.engine.backend import choose_backend
    from gunrock_cli.primitives import get_primitive

    try:
        from gunrock_cli.bench.protocol.runner import Protocol, measure
    except ImportError:  # trees before bench/ had rooms
        from gunrock_cli.bench.runner import Protocol, measure  # type: ignore[import-not-found,no-redef]
    try:
        from gunrock_cli.graph.model.weights import with_weights
    except ImportError:  # trees before graph/ had rooms
        from gunrock_cli.graph.weights import with_weights  # type: ignore[attr-defined,no-redef]

    answers, sys.stdout = sys.stdout, sys.stderr  # other prints are no answers
    backend = choose_backend(backend_name)
    graph: Any = None
    weighted: Any = None
    source = 0
    for line in sys.stdin:
        command = json.loads(line)
        if "load" in command:
            graph = weighted = None
            graph, source = load(command["load"], data, backend.xp)
            answer: dict[str, Any] = {"n": graph.n, "m": graph.m, "device": backend.why}
        else:
            primitive = get_primitive(command["run"])
            needs = getattr(primitive, "needs", None)
            weighs = needs.weights if needs else primitive.needs_weights
            if weighs and weighted is None:
                weighted = with_weights(graph, "random:1:64")
            options = {option.key: option.default for option in primitive.options}
            found = measure(
                primitive,
                weighted if weighs else graph,
                options,
                [source],
                backend,
                Protocol(runs=command["runs"], check="none"),
            )
            if "save" in command:
                np.savez(command["save"], **found.outputs)
            answer = {"ms": found.record.runs_ms}
        print(json.dumps(answer), file=answers, flush=True)


class Worker:
    """One of the two processes."""

    def __init__(self, tree: Path, data: Path, backend: str) -> None:
        path = os.pathsep.join([str(tree), str(Path(__file__).parent)])
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--worker", "--data", str(data), "--backend", backend],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join([path, os.environ.get("PYTHONPATH", "")])},
        )

    def ask(self, **command: Any) -> dict[str, Any]:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{command}: the process ended ({self.process.wait()})")
        return dict(json.loads(line))

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


# --- the comparison ---------------------------------------------------------------------------------
def difference(old: Path, new: Path) -> str:
    """The output that differs, and how; empty if none does."""
    with np.load(old) as before, np.load(new) as after:
        for name in before.files:
            a, b = before[name], after[name]
            if np.issubdtype(a.dtype, np.floating):
                if not np.allclose(a, b, rtol=FLOAT_TOLERANCE, atol=1e-12, equal_nan=True):
                    return f"{name}: {np.nanmax(np.abs(a - b)):.3g} apart"
            elif not np.array_equal(a, b):
                return f"{name}: {np.count_nonzero(a != b)} values differ"
    return ""


def compare(
    workers: list[Worker], name: str, cell: tuple[Any, ...], args: argparse.Namespace, folder: Path
) -> bool:
    """Compare all cells of one graph; True if every check passed."""
    begin = time.perf_counter()
    for worker in workers:
        shape = worker.ask(load=cell)
    print(
        f"# {name}: {shape['n']:,} vertices, {shape['m']:,} edges, loaded twice in "
        f"{time.perf_counter() - begin:.1f} s",
        flush=True,
    )
    passed = True
    for primitive in args.primitives.split(","):
        times: list[list[float]] = [[], []]
        saved = [folder / f"{side}.npz" for side in ("old", "new")]
        for turn in range(args.rounds):
            order = (0, 1) if turn % 2 == 0 else (1, 0)
            for side in order:
                save = {"save": str(saved[side])} if turn == 0 else {}
                runs = -(-args.runs // args.rounds)
                times[side] += workers[side].ask(run=primitive, runs=runs, **save)["ms"]
        old, new = (statistics.median(side) for side in times)
        ratio = new / old
        wrong = difference(*saved)
        note = "" if abs(ratio - 1) <= args.tolerance else "SLOWER" if ratio > 1 else "faster"
        passed = passed and not wrong and note != "SLOWER"
        least = f"min {min(times[0]):.4f} {min(times[1]):.4f}, {len(times[0])} runs"
        print(
            f"{primitive:9} {name:8} {old:10.4f} {new:10.4f} ms  x{ratio:.3f}  ({least}) "
            f"{note} {wrong}".rstrip(),
            flush=True,
        )
    return passed


def main() -> None:
    if "--worker" not in sys.argv:  # a worker imports nothing of a tree but what it measures
        from benchmarks.goals import GOALS_MS, GRAPHS
    else:
        GOALS_MS, GRAPHS = {}, {}
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("trees", nargs="*", type=Path, metavar="TREE", help="the old one, the new one")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--data", type=Path, default=Path(), help="folder of USA-road-NE.gcsr")
    parser.add_argument("--primitives", default=",".join(GOALS_MS))
    parser.add_argument("--graphs", default=",".join(GRAPHS))
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=4, help="in how many turns")
    parser.add_argument("--tolerance", type=float, default=0.03)
    args = parser.parse_args()
    if args.worker:
        work(args.data, args.backend)
        return
    if len(args.trees) != 2:
        parser.error("name two trees: the old one and the new one")
    workers = [Worker(tree.resolve(), args.data.resolve(), args.backend) for tree in args.trees]
    passed = True
    with tempfile.TemporaryDirectory() as folder:
        for name in args.graphs.split(","):
            kind = GRAPHS[name][0]
            if kind.endswith(".gcsr") and not (args.data / kind).exists():
                print(f"{name}: {args.data / kind} is not there")
                continue
            passed = compare(workers, name, GRAPHS[name], args, Path(folder)) and passed
    for worker in workers:
        worker.close()
    raise SystemExit(0 if passed else 1)


if __name__ == "__main__":
    main()
