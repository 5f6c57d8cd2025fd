"""What a proof costs: each certificate over the graphs of the goals, whole, as a user waits for it.

    python benchmarks/certificates.py [--primitives bfs,cc] [--graphs rmat21,lattice] [--data FOLDER]

The time is the wall clock from the answer to the verdict, the arrays' making and the transfers of the
verdict included, the compilation left out: least and median of ``--runs``, beside the primitive's own
time on the same answer.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from benchmarks.goals import GRAPHS, graphs
from gunrock_cli.engine.backend import Backend, choose_backend
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.certificates import certificate_of
from gunrock_cli.primitives.certificates.base import Prover
from gunrock_cli.primitives.compile import compile_variant
from gunrock_cli.primitives.run_options import RunOptions


def prove(name: str, graph: Graph, source: int, backend: Backend, runs: int) -> str:
    """One row: the primitive's time, the proof's, and the verdict."""
    primitive, certificate = get_primitive(name), certificate_of(get_primitive(name))
    if certificate is None:
        return "no certificate"
    variant = primitive.plan(graph, primitive.asked({}))
    program = compile_variant(primitive, variant, backend, RunOptions())
    prover, problem = Prover(certificate, graph, variant.options, backend), variant.allocate()
    answer_ms = [program.run(problem, lambda: variant.reset(problem, source)).ms for _ in range(2)][-1]
    outputs = variant.outputs(problem)
    costs = []
    for _ in range(runs + 1):
        begin = time.perf_counter()
        verdict = prover.verdict(source, outputs, problem)
        costs.append(1e3 * (time.perf_counter() - begin))
    costs = costs[1:]
    said = f"{verdict.verdict} {verdict.message[:80]}" if verdict else "not proved"
    return (
        f"answer {answer_ms:10.3f} ms, proof {statistics.median(costs):10.3f} ms "
        f"(min {min(costs):.3f}), {said}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--primitives", default="bfs,sssp,bc,cc,pagerank,mis,color")
    parser.add_argument("--graphs", default=",".join(GRAPHS))
    parser.add_argument("--data", type=Path, default=Path(), help="folder of the .gcsr files")
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    backend = choose_backend(args.backend)
    print(backend.why)
    for key, graph, source in graphs(args.graphs, args.data, backend.xp):
        for name in args.primitives.split(","):
            weighted = with_weights(graph, "random:1:64") if get_primitive(name).needs.weights else graph
            print(f"{name:9} {key:8} {prove(name, weighted, source, backend, args.runs)}", flush=True)


if __name__ == "__main__":
    main()
