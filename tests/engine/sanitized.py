"""Run primitives on two small graphs by the CPU backend, in this process: test_sanitizers.py runs it
under a sanitizer, one group at a time. It prints one line per run and a last one, so that a clean report
differs from no run at all."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from full_range import FullRange, star
from updated_helper import answer, updated

from gunrock_cli.bench.ceilings import bandwidth_host
from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive, primitive_names

Run = tuple[str, dict[str, Any]]
RUNS: dict[str, tuple[Run, ...]] = {
    "searches": (
        ("bfs", {"run_ahead": "1", "mark_pred": True}),
        ("bfs", {"idempotence": True, "mark_pred": True, "direction": "push"}),
        ("bfs", {"direction": "push", "run_ahead": "5", "mark_pred": True}),
        ("sssp", {"mark_pred": True}),
    ),
    "changes": (),
    "papers": (("bc", {"run_ahead": "1"}), ("cc", {}), ("pagerank", {})),
    "papers' options": (
        ("bfs", {"direction": "pull"}),
        ("sssp", {"redundancy": "bitmap", "direction": "push"}),
        ("sssp", {"run_ahead": "on"}),
        ("bc", {"run_ahead": "4"}),
        ("cc", {"variant": "hook-jump"}),
        ("pagerank", {"push": True}),
        ("pagerank", {"filter_converged": True}),
    ),
    "classics": (
        ("matching", {}),
        ("mst", {}),
        ("mis", {}),
        ("color", {"waiting": "in-order"}),
        ("color", {}),
        ("color", {"method": "independent-sets"}),
        ("louvain", {"resolution": 0.7, "refine": 2}),
        ("leiden", {"refine": 1}),
        ("triangles", {}),
        ("kcore", {}),
        ("scc", {}),
        ("cdlp", {}),
        ("toposort", {}),
        ("biconnected", {}),
        ("ktruss", {}),
        ("cliques", {"size": 5}),
        ("triangles", {"order": "degree", "marked": "longer"}),
        ("triangles", {"per": "edge", "order": "degree"}),
        ("clustering", {}),
        ("walk", {"p": 0.5, "weighted": True}),
        ("sample", {}),
        ("distances", {}),
        ("distances", {"weighted": True, "nearest": 4}),
        ("closeness", {}),
        ("closeness", {"searches": "apart"}),
    ),
    "devices": (
        ("bfs", {"mark_pred": True, "alpha": "5"}),
        ("pagerank", {}),
        ("pagerank", {"order": "degree"}),
        ("cc", {}),
        ("cc", {"sampling": "off"}),
        ("sssp", {"mark_pred": True}),
        ("sssp", {"direction": "optimized", "bound": "4"}),
        ("sssp", {"run_ahead": "on"}),
        ("bfs", {"direction": "push", "run_ahead": "5", "mark_pred": True}),
        ("bc", {"run_ahead": "1"}),
        ("bc", {"run_ahead": "4"}),
        ("triangles", {}),
    ),
    "ranking": (
        ("bc", {"variant": "edges"}),
        ("ppr", {"batch": 32}),
        ("ppr", {"method": "push"}),
        ("ppr", {"method": "walks", "walks": 1000}),
        ("hits", {}),
        ("hits", {"order": "degree"}),
        ("salsa", {}),
        ("salsa", {"variant": "edges", "max_iterations": 3}),
        ("wtf", {"salsa_iterations": 3}),
        ("wtf", {"salsa_iterations": 3, "batch": 40}),
    ),
}
GO_ON = [name for name in primitive_names() if get_primitive(name).goes_on_from]
GRAPHS = (GraphSpec("rmat", params={"scale": 9}), GraphSpec("grid2d", params={"width": 40, "height": 30}))


def measure_little() -> None:
    """Measure the machine's limits in little time: only the code that does it matters here."""
    bandwidth_host.ROUNDS, bandwidth_host.CACHED_SLICES = 1, 4
    bandwidth_host.LEAST_MEMORY, bandwidth_host.TIMES_THE_CACHE = 1 << 24, 0
    bandwidth_host.CACHED_BYTES, bandwidth_host.GATHERS = 1 << 16, 1 << 8


def main(group: str) -> None:
    measure_little()
    backend = choose_backend("cpu", 6 if group == "devices" else 3)
    devices = "3" if group == "devices" else "auto"
    for name, changed in RUNS[group]:
        primitive = get_primitive(name)
        options = {**{o.key: o.default for o in primitive.options}, **changed}
        for spec in GRAPHS:
            graph = load_graph(spec, np)
            if primitive.needs.weights:
                graph = with_weights(graph, "random:1:64")
            # Choose a source with enough edges that the team, not one thread alone, works on some.
            source = int(graph.csr.degrees().argmax())
            record = measure(
                primitive, graph, options, [source], backend, Protocol(runs=2, warmup=0, devices=devices)
            ).record
            require(f"{name} {changed} {graph.name}", record.validation["verdict"])
    for name in GO_ON if group == "changes" else ():
        primitive, graph = get_primitive(name), with_weights(load_graph(GRAPHS[0], np), "random:1:64")
        for size in (5, 500):
            found = answer(primitive, updated(primitive, graph, size=size), {}, 0)
            print(f"{name} after {size} changes: {len(found)} outputs", flush=True)
    # A lone block that queues more than it can hold.
    record = measure(FullRange(lies=True), star(), {}, [1], backend, Protocol(runs=1, warmup=0)).record
    require("full_range", record.validation["verdict"])
    print("all of", group, flush=True)


def require(run: str, verdict: str) -> None:
    """Print the run's verdict; end the process unless it is a pass."""
    print(run, verdict, flush=True)
    if verdict != "pass":
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1])
