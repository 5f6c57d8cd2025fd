"""The cpu backend beside the GAP Benchmark Suite: every cell in one run, the two taking turns.

    GUNROCK_PEERS=FOLDER python benchmarks/beside_gap.py [--data FOLDER] [--graphs lattice,cnr]
        [--primitives bfs,cc] [--runs 5] [--rounds 3] [--threads N] [--output FILE.jsonl]

FOLDER holds gapbs/bfs, sssp, bc, cc and pr (`gunrock peers list` says how they are built). Of each cell
both are run `--rounds` times, `--runs` runs each. Prints the least and the median time of both, and ours
over theirs; PageRank's are of one iteration out of ten. GAP's SSSP gets the best of a few deltas.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.engine.backend import Backend, choose_backend
from gunrock_cli.errors import GunrockError, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.sources.files.written import written_graph
from gunrock_cli.graph.spec import spec_from_name
from gunrock_cli.peers import get_peer
from gunrock_cli.peers.commands.description import Program
from gunrock_cli.peers.commands.peer import CommandPeer
from gunrock_cli.peers.commands.programs import find_program
from gunrock_cli.peers.commands.session import Session
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.option_values import with_defaults

GRAPHS: dict[str, tuple[str, dict[str, Any], str]] = {
    "lattice": ("grid2d", {"width": 1414, "height": 1414}, "0"),
    "road-NE": ("USA-road-NE.gcsr", {}, "0"),
    "cnr": ("cnr-2000.gcsr", {}, "largest"),
    "rmat20": ("rmat", {"scale": 20, "edge_factor": 16}, "largest"),
}
DELTAS = {
    "lattice": (64, 128, 256),
    "road-NE": (128, 512, 1024),
    "cnr": (4, 16, 64),
    "rmat20": (2, 4, 16),
}
"""Deltas of which GAP's SSSP takes its best; wide ones suit meshes."""
PRIMITIVES = ("bfs", "sssp", "bc", "cc", "pagerank")
ITERATIONS = 10
"""Iterations of PageRank, for both: GAP does not report how many it made."""
OPTIONS: dict[str, dict[str, Any]] = {"pagerank": {"max_iterations": ITERATIONS, "tolerance": 0.0}}


def main() -> int:
    """Return the exit code: 2 if a requested item is missing, 1 if a side fails."""
    args = arguments()
    try:
        beside(args)
    except GunrockError as error:
        print(f"beside_gap: {error}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1
    return 0


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path(), help="folder of the .gcsr files")
    parser.add_argument("--graphs", default=",".join(GRAPHS))
    parser.add_argument("--primitives", default=",".join(PRIMITIVES))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, help="of both; default: OMP_NUM_THREADS, or all")
    parser.add_argument("--check", action="store_true", help="prove our answers, once for each cell")
    parser.add_argument("--output", type=Path, help="all times, a JSON line for each cell")
    return parser.parse_args()


def beside(args: argparse.Namespace) -> None:
    """Measure and print all cells."""
    names = _known("graphs", args.graphs, GRAPHS)
    primitives = _known("primitives", args.primitives, PRIMITIVES)
    if args.runs < 1 or args.rounds < 1:
        raise UsageError("--runs and --rounds: at least 1 each")
    backend = choose_backend("cpu", args.threads)
    gap = get_peer("gap")
    assert isinstance(gap, CommandPeer)
    print(f"{backend.why}; {args.rounds} x {args.runs} runs; ms")
    print(
        f"{'':9} {'':8} {'gunrock: min':>12} {'median':>9} {'GAP: min':>9} {'median':>9} {'min/min':>8}"
        f" {'medians':>8}"
    )
    for name, graph, source in graphs(names, args.data):
        for primitive in map(get_primitive, primitives):
            own = with_weights(graph, "random:1:64") if primitive.needs.weights else graph
            with tempfile.TemporaryDirectory(prefix="gunrock-beside-") as folder:
                sides = Sides(gap, backend, primitive, own, source, Path(folder))
                times = sides.take_turns(args.runs, args.rounds, DELTAS[name])
                if args.check:
                    sides.prove()
            print(row(primitive.name, name, times), flush=True)
            if args.output:
                with args.output.open("a") as file:
                    cell = {"primitive": primitive.name, "graph": name, "threads": backend.threads}
                    file.write(json.dumps({**cell, **times}) + "\n")


def _known(option: str, given: str, known: Collection[str]) -> list[str]:
    """The names in a list separated by commas."""
    names = given.split(",")
    unknown = [name for name in names if name not in known]
    if unknown:
        raise UsageError(f"--{option}: no {unknown[0]!r}; there are {', '.join(known)}")
    return names


def graphs(names: Sequence[str], data: Path) -> Iterator[tuple[str, Graph, int]]:
    """The graphs that are available, each with its name and its source."""
    for name in names:
        kind, params, source = GRAPHS[name]
        path = data / kind
        if kind.endswith(".gcsr") and not path.exists():
            print(f"{name}: {path} is not there")
            continue
        graph = load_graph(spec_from_name(str(path) if not params else kind, params), np)
        yield name, graph, int(graph.csr.degrees().argmax()) if source == "largest" else 0


class Sides:
    """One primitive on one graph, by GAP and by the cpu backend."""

    def __init__(
        self,
        gap: CommandPeer,
        backend: Backend,
        primitive: Primitive,
        graph: Graph,
        source: int,
        folder: Path,
    ) -> None:
        self.backend, self.primitive, self.graph, self.source = backend, primitive, graph, source
        self.folder = folder
        self.program = gap.description.programs[primitive.name]
        found = find_program(self.program.command[0], None)
        if found is None:
            raise UsageError(
                f"{self.program.command[0]} is in no folder of GUNROCK_PEERS; "
                "`gunrock peers list` says how it is built"
            )
        self.path = found
        bare = graph if primitive.needs.weights else with_weights(graph, "none")
        self.values = {
            "graph": str(written_graph(bare, self.program.format, folder)),
            "source": str(source),
            "answer": str(folder / "answer"),
            "folder": str(folder),
            "threads": str(backend.threads),
            "max_iterations": str(ITERATIONS),
            "tolerance": "0",
        }

    def take_turns(self, runs: int, rounds: int, deltas: Sequence[int]) -> dict[str, list[float]]:
        """All times of both; of GAP's deltas those of the best, which the first round finds."""
        programs = [self.program]
        if self.primitive.name == "sssp":
            programs = [_with_delta(self.program, delta) for delta in deltas]
        first = [self.gap(program, runs) for program in programs]
        theirs = min(first, key=min)
        best = programs[first.index(theirs)]
        own = self.gunrock(runs)
        for _ in range(1, rounds):
            theirs = theirs + self.gap(best, runs)
            own = own + self.gunrock(runs)
        per = ITERATIONS if self.primitive.name == "pagerank" else 1
        return {"gunrock": [ms / per for ms in own], "gap": [ms / per for ms in theirs]}

    def gunrock(self, runs: int) -> list[float]:
        return self._measure(Protocol(runs=runs, check="none"))

    def prove(self) -> None:
        """Raise if our answer is wrong."""
        self._measure(Protocol(runs=1, check="certificate"))

    def _measure(self, protocol: Protocol) -> list[float]:
        options: Mapping[str, Any] = with_defaults(
            self.primitive.options, OPTIONS.get(self.primitive.name, {})
        )
        done = measure(self.primitive, self.graph, dict(options), [self.source], self.backend, protocol)
        if done.failure is not None:
            raise done.failure
        return list(done.record.runs_ms)

    def gap(self, program: Program, runs: int) -> list[float]:
        session = Session("gap", program, self.path, self.values, self.folder)
        session.measure(runs)
        return session.times_ms


def _with_delta(program: Program, delta: int) -> Program:
    words = list(program.command)
    words[words.index("-d") + 1] = str(delta)
    return replace(program, command=tuple(words))


def row(primitive: str, graph: str, times: Mapping[str, Sequence[float]]) -> str:
    own, theirs = times["gunrock"], times["gap"]
    return (
        f"{primitive:9} {graph:8} {min(own):12.3f} {median(own):9.3f} {min(theirs):9.3f}"
        f" {median(theirs):9.3f} {min(own) / min(theirs):8.2f} {median(own) / median(theirs):8.2f}"
    )


if __name__ == "__main__":
    sys.exit(main())
