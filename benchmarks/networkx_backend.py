"""NetworkX with gunrock's backend beside NetworkX itself, function by function, on growing graphs.

    python benchmarks/networkx_backend.py [--backend cuda] [--edges 78,10000,100000,1000000] [--runs 3]
                                          [--limit 120]

A row gives the median seconds of NetworkX, of nx-parallel on all cores where it is installed and has the
function, of our backend on a graph that is converted in the call, and on one that was converted before
(as NetworkX keeps it). Answers are compared; what NetworkX would take longer than the limit for, by its
last row, is left out. Run it on an idle machine.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.face.networkx_backend import convert_from_nx

FUNCTIONS: dict[str, dict[str, Any]] = {
    "pagerank": {"weight": None},
    "betweenness_centrality": {},
    "single_source_shortest_path_length": {"source": 0},
    "single_source_dijkstra_path_length": {"source": 0, "weight": "length"},
    "number_connected_components": {},
    "hits": {"max_iter": 1000},
}
GROWTH = {"betweenness_centrality": 2}
"""By which power of the number of edges a function's time grows, where that is not the first."""


def graph_of(edges: int) -> nx.Graph:
    """The karate club, or a graph of random ends with four edges a vertex and lengths from 1 to 64."""
    if edges == 78:
        graph = nx.karate_club_graph()
    else:
        draw = np.random.default_rng(0)
        graph = nx.empty_graph(edges // 4)
        graph.add_edges_from(draw.integers(0, edges // 4, (edges, 2)).tolist())
    for number, (_, _, data) in enumerate(graph.edges(data=True)):
        data.clear()
        data["length"] = 1 + number % 64
    return graph


def median_s(call: Callable[[], Any], runs: int) -> tuple[float, Any]:
    """Median seconds, and the last answer."""
    times, answer = [], None
    for _ in range(runs):
        begin = time.perf_counter()
        answer = call()
        times.append(time.perf_counter() - begin)
    return statistics.median(times), answer


def parallel_s(name: str, graph: nx.Graph, given: dict[str, Any], runs: int) -> float | None:
    """Median seconds of nx-parallel; None where it is not there, or lacks the function."""
    try:
        theirs = nx.utils.backends._load_backend("parallel")
    except (ImportError, KeyError):
        return None
    if not hasattr(theirs, name):
        return None
    with nx.config.backends.parallel(active=True, n_jobs=-1):
        call = lambda: getattr(nx, name)(graph, **given, backend="parallel")  # noqa: E731
        call()  # starts its processes
        return median_s(call, runs)[0]


def same(one: Any, other: Any) -> bool:
    """Equal, or as near as single precision comes."""
    if isinstance(one, tuple):
        return all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and np.allclose(
            [one[key] for key in one], [other[key] for key in one], rtol=1e-4, atol=1e-8)
    return bool(one == other)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", default="78,10000,100000,1000000")
    parser.add_argument("--backend", default="auto",
                        help="cuda, cpu, or auto: the GPU where there is one")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=float, default=120, help="seconds of one call of NetworkX")
    args = parser.parse_args()
    if args.backend == "cpu":
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
    print(f"{choose_backend(args.backend).why}; NetworkX {nx.__version__}\n")
    nx.config.cache_converted_graphs = False
    print("| function | edges | NetworkX, s | nx-parallel, s | gunrock, s | times | converted before, s "
          "| times |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    before: dict[str, tuple[int, float]] = {}
    for edges in map(int, args.edges.split(",")):
        graph = graph_of(edges)
        for name, given in FUNCTIONS.items():
            known, took = before.get(name, (edges, 0.0))
            if took * (edges / known) ** GROWTH.get(name, 1) > args.limit:
                continue
            function = getattr(nx, name)
            converted = convert_from_nx(graph, {"length": 1} if given.get("weight") else None)
            function(converted, **given, backend="gunrock")  # compiles
            theirs, expected = median_s(lambda: function(graph, **given), args.runs)  # noqa: B023
            whole, found = median_s(lambda: function(graph, **given, backend="gunrock"),  # noqa: B023
                                    args.runs)
            ours, _ = median_s(lambda: function(converted, **given, backend="gunrock"),  # noqa: B023
                               args.runs)
            before[name] = edges, theirs
            parallel = parallel_s(name, graph, given, args.runs)
            wrong = "" if same(expected, found) else " WRONG"
            beside = "-" if parallel is None else f"{parallel:.3g}"
            print(f"| `{name}` | {edges:,} | {theirs:.3g} | {beside} | {whole:.3g} "
                  f"| {theirs / whole:.3g} | {ours:.3g} | {theirs / ours:.3g} |{wrong}", flush=True)


if __name__ == "__main__":
    main()
