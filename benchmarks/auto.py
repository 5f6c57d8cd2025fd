"""Is the default ever wrong? Every primitive's default beside all that ``compare-modes`` varies.

    python benchmarks/auto.py GRAPH [GRAPH ...] [--primitives bfs,sssp] [--axes direction,advance_mode]
                              [--src largest-degree] [--best 3] [--runs 20] [--scan-runs 5]

A GRAPH is a file, or a generator with its parameters: ``rmat:scale=20``. Each configuration is measured
once; the best few and the default then run again, in turns, and their medians are compared. Prints a row
for each graph and the worst ratio of each primitive, default over best. Exit code 1 where an answer is
wrong or a ratio exceeds ``--tolerance``.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gunrock_cli.bench.ablation import Ablation
from gunrock_cli.bench.record import Record
from gunrock_cli.bench.runner import Protocol, measure
from gunrock_cli.bench.source_vertices import choose_sources
from gunrock_cli.engine.backend import Backend, choose_backend
from gunrock_cli.errors import GunrockError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model import Graph
from gunrock_cli.graph.spec import spec_from_name
from gunrock_cli.graph.weights import with_weights
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.base import Options, Primitive

PRIMITIVES = "bfs,sssp,bc,cc,pagerank"
ROUNDS = 4
"""Turns that the default and each of the best take."""


@dataclass(frozen=True)
class Verdict:
    """The default's median on a graph, and those of what was best beside it, least first."""

    default_ms: float
    others: list[tuple[float, str]]
    wrong: int
    """Configurations that failed or whose answers are not right."""

    @property
    def ratio(self) -> float:
        """Of the default over the best of all; 1 where the default is the best."""
        return self.default_ms / min([self.default_ms, *(ms for ms, _ in self.others)])


def is_right(record: Record) -> bool:
    return record.status == "ok" and record.validation["verdict"] != "fail"


@dataclass
class Cell:
    """A primitive on a graph."""

    primitive: Primitive
    graph: Graph
    sources: list[int]
    backend: Backend

    def run(self, options: Options, run: Options, runs: int, validate: bool) -> Record:
        protocol = Protocol(runs=runs, validate=validate, **run)
        return measure(self.primitive, self.graph, options, self.sources, self.backend, protocol).record

    def judge(self, axes: set[str], best: int, scan_runs: int, runs: int) -> Verdict:
        """Measure every configuration (of those axes, if any are named), then the best again."""
        failed = 0

        def once(options: Options, run: Options) -> Record:
            nonlocal failed
            try:
                record = self.run(options, run, scan_runs, validate=True)
            except GunrockError as error:
                record = Record(self.primitive.name, "gunrock", error.status, error=str(error))
            if not is_right(record):
                failed += 1
                reason = record.error or record.validation["message"]
                print(f"# {self.primitive.name} {dict(options)}: {reason[:200]}", flush=True)
            return record

        ablation = Ablation(self.primitive, self.graph, {}, once)
        if axes:
            for panel in ablation.panels:
                panel.variants = [variant for variant in panel.variants if variant.axis in axes]
        default = ablation.default()
        if not is_right(default):
            raise GunrockError(default.error or "the default's answer is wrong")
        found = {}
        for row in ablation.rows():
            if row.record and is_right(row.record) and not ablation.is_default(row.variant):
                key = json.dumps(ablation.resolve(row.variant.options), sort_keys=True)
                found.setdefault(key, (statistics.median(row.record.runs_ms), row.variant))
        chosen = sorted(found.values(), key=lambda pair: pair[0])[:best]
        settings = [ablation.base, *(variant.options for _, variant in chosen)]
        medians = self._in_turns(ablation, settings, runs)
        others = sorted(zip(medians[1:], (variant.label for _, variant in chosen), strict=True))
        return Verdict(medians[0], others, failed)

    def _in_turns(self, ablation: Ablation, settings: list[dict[str, Any]], runs: int) -> list[float]:
        times: list[list[float]] = [[] for _ in settings]
        for _ in range(ROUNDS):
            for place, options in enumerate(settings):
                own, run = ablation.split(options)
                times[place] += self.run(own, run, -(-runs // ROUNDS), validate=False).runs_ms
        return [statistics.median(found) for found in times]


def named_graph(name: str, xp: Any) -> Graph:
    """A file, or a generator and its parameters after a colon."""
    kind, _, text = name.partition(":")
    pairs = (pair.split("=") for pair in text.split(",") if pair)
    params = {key: json.loads(value) for key, value in pairs}
    return load_graph(spec_from_name(kind, params), xp)


def cells(args: argparse.Namespace, backend: Backend) -> Iterator[tuple[str, Cell]]:
    for name in args.graphs:
        graph = named_graph(name, backend.xp)
        for primitive_name in args.primitives.split(","):
            primitive = get_primitive(primitive_name)
            given = with_weights(graph, "random:1:64") if primitive.needs_weights else graph
            sources = choose_sources(graph, args.src, None, 0) if primitive.needs_source else []
            yield name, Cell(primitive, given, sources, backend)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("graphs", nargs="+", metavar="GRAPH")
    parser.add_argument("--primitives", default=PRIMITIVES)
    parser.add_argument("--axes", default="", help="options to vary; all unless given")
    parser.add_argument("--src", default="largest-degree")
    parser.add_argument("--best", type=int, default=3)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--scan-runs", type=int, default=5)
    parser.add_argument("--tolerance", type=float, default=1.1)
    parser.add_argument("--backend", default="auto")
    args = parser.parse_args()
    backend = choose_backend(args.backend)
    print(f"# {backend.why}; medians in ms")
    worst: dict[str, tuple[float, str]] = {}
    wrong = 0
    for graph_name, cell in cells(args, backend):
        name = cell.primitive.name
        found = cell.judge({axis for axis in args.axes.split(",") if axis}, args.best, args.scan_runs,
                           args.runs)
        wrong += found.wrong
        worst[name] = max(worst.get(name, (0.0, "")), (found.ratio, graph_name))
        beside = "; ".join(f"{label} {ms:.4f}" for ms, label in found.others)
        print(f"{name:9} {graph_name:24} default {found.default_ms:.4f}  ratio {found.ratio:.2f}  "
              f"{beside}", flush=True)
    for name, (ratio, graph_name) in worst.items():
        print(f"worst of {name}: {ratio:.2f} on {graph_name}")
    return int(wrong > 0 or any(ratio > args.tolerance for ratio, _ in worst.values()))


if __name__ == "__main__":
    sys.exit(main())
