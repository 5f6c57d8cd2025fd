"""Weights read from memory beside weights computed where they are needed: what SSSP does with one, for
all edges of an R-MAT graph at once.

    python benchmarks/computed_weights.py [--scales 24-27] [--edge-factor 16] [--runs 7] [--backend auto]

``--weights random`` is a hash of an edge's ends, so it need not be stored: 4 bytes less for each edge,
some sixty instructions more. Both kernels go over the same edges in the same order, look at the distances
of both ends, and must find the same sums.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.engine.backend import Backend, choose_backend
from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import STREAM, with_weights
from gunrock_cli.graph.spec import spec_from_name
from gunrock_cli.operators.advance import Advance
from gunrock_cli.operators.launch_shapes import WHOLE_GRAPH
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.compile import compile_variant
from gunrock_cli.primitives.frontier import NO_FRONTIER
from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.run_options import RunOptions
from gunrock_cli.primitives.variant import Member, Problem, Variant

LOW, HIGH = 1, 64


@dataclass(frozen=True)
class RelaxingOptions(Options):
    """Where weights come from."""

    computed: bool = option(False, "Hash, do not read.", define="GR_COMPUTED")


class Look(Variant[RelaxingOptions]):
    """One look over all edges."""

    kernel = Path(__file__).with_suffix(".cuh")
    answer = ("sums",)

    @property
    def advance(self) -> Advance:
        return Advance.NONE

    @property
    def launch(self) -> Tuning:
        return WHOLE_GRAPH

    def members(self) -> Mapping[str, Member]:
        return {
            "distances": Room(self.graph.n, np.int32),
            "key": rng.stream_key(0, STREAM),
            "low": LOW,
            "span": HIGH - LOW + 1,
            "sums": Room(2, np.uint64, filled=0),
        }

    def allocate(self, shared: Mapping[str, Any] | None = None) -> Problem:
        problem = super().allocate(shared)
        spread = self.graph.xp.arange(self.graph.n, dtype=np.int64) * 40503 % 256  # far apart
        problem["distances"][...] = spread
        return problem


class Relaxing(Primitive):
    """Both ways to the weights."""

    name = "computed_weights"
    summary = "Which edges would make an end closer."
    source = None
    needs = Needs(weights=True)
    frontier = NO_FRONTIER
    takes = RelaxingOptions
    variant = Look


PRIMITIVE = Relaxing()


def times(graph: Graph, backend: Backend, runs: int) -> tuple[dict[bool, list[float]], bool]:
    """Milliseconds with weights computed (True) and read (False), the ways in turn; and True if both
    found the same."""
    ways: dict[bool, Any] = {}
    for computed in (False, True):
        way = PRIMITIVE.plan(graph, RelaxingOptions(computed))
        ways[computed] = way, compile_variant(PRIMITIVE, way, backend, RunOptions()), way.allocate()
    found: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(runs + 1):
        for computed, (way, program, problem) in ways.items():
            found[computed].append(program.run(problem, lambda: way.reset(problem, 0)).ms)  # noqa: B023
    sums = [problem["sums"].tolist() for _, _, problem in ways.values()]
    return {computed: taken[1:] for computed, taken in found.items()}, sums[0] == sums[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--scales", default="24-27")
    parser.add_argument("--edge-factor", type=int, default=16)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--backend", default="auto")
    args = parser.parse_args()
    first, _, last = args.scales.partition("-")
    backend = choose_backend(args.backend)
    print(f"{backend.why}; ms, median of {args.runs}")
    print("| R-MAT | directed edges | read, ms | computed, ms | computed / read | the same sums |")
    print("|---|---:|---:|---:|---:|---|")
    for scale in range(int(first), int(last or first) + 1):
        params = {"scale": scale, "edge_factor": args.edge_factor}
        graph = with_weights(
            load_graph(spec_from_name("rmat", params), backend.xp), f"random:{LOW}:{HIGH}"
        )
        taken, same = times(graph, backend, args.runs)
        read, computed = (statistics.median(taken[way]) for way in (False, True))
        print(
            f"| {scale} | {graph.m:,} | {read:.3g} | {computed:.3g} | {computed / read:.2f} "
            f"| {'yes' if same else 'NO'} |",
            flush=True,
        )
        del graph


if __name__ == "__main__":
    main()
