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
from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.engine.backend import Backend, choose_backend
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Array, Graph, rng
from gunrock_cli.graph.model.weights import STREAM, with_weights
from gunrock_cli.graph.spec import spec_from_name
from gunrock_cli.operators.launch_shapes import WHOLE_GRAPH
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.compile import compile_primitive
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.run_options import RunOptions

LOW, HIGH = 1, 64


class Relaxing(Primitive):
    """One look over all edges."""

    name = "computed_weights"
    summary = "Which edges would make an end closer."
    needs_source = False
    needs_weights = True
    advance_under = None
    queue_factor = 0.0
    kernel = Path(__file__).with_suffix(".cuh")
    options = (Option("computed", False, kind=bool, define="GR_COMPUTED", help="Hash, do not read."),)
    answer = ("sums",)

    def launch(self, graph: Graph, options: Options) -> Any:
        return WHOLE_GRAPH

    def problem(self, graph: Graph, options: Options) -> dict[str, Array | int | float]:
        spread = graph.xp.arange(graph.n, dtype=np.int64) * 40503 % 256  # distances far apart
        return {
            "distances": spread.astype(np.int32),
            "key": rng.stream_key(0, STREAM),
            "low": LOW,
            "span": HIGH - LOW + 1,
            "sums": graph.xp.zeros(2, np.uint64),
        }

    def reset(self, problem: dict[str, Any], graph: Graph, options: Options, source: int) -> None:
        problem["sums"].fill(0)


PRIMITIVE = Relaxing()


def times(graph: Graph, backend: Backend, runs: int) -> tuple[dict[bool, list[float]], bool]:
    """Milliseconds with weights computed (True) and read (False), the ways in turn; and True if both
    found the same."""
    ways: dict[bool, Any] = {}
    for computed in (False, True):
        options = {"computed": computed}
        ways[computed] = (
            compile_primitive(PRIMITIVE, graph, options, backend, RunOptions()),
            PRIMITIVE.problem(graph, options),
            options,
        )
    found: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(runs + 1):
        for computed, (program, problem, options) in ways.items():
            found[computed].append(
                program.run(problem, lambda: PRIMITIVE.reset(problem, graph, options, 0)).ms  # noqa: B023
            )
    sums = [problem["sums"].tolist() for _, problem, _ in ways.values()]
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
