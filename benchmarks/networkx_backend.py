"""NetworkX with gunrock's backend, function by function, on growing graphs: beside NetworkX itself, and
the backends nx-parallel and nx-cugraph where they are installed.

    python benchmarks/networkx_backend.py [--backend cuda] [--edges 78,10000,100000,1000000] [--runs 3]
        [--limit 120] [--systems networkx,parallel,gunrock,cugraph] [--functions pagerank,hits]
        [--whole pagerank] [--pool 8]

A row gives the median seconds of a call of NetworkX, of nx-parallel on all cores, and of both other
backends on a graph that is converted in the call and on one that NetworkX has kept converted. Answers are
compared with NetworkX's, or else with each other; of communities the modularity is shown. What a system
would take longer than the limit for, by its last row, is left out. With few ``--whole`` functions large
graphs are converted no more often than needed. ``--pool``: GiB that nx-cugraph's allocator takes at once,
as its makers advise; without, it asks the driver at every step. Run it on an idle machine.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any

import networkx as nx
import numpy as np

from gunrock_cli.engine.backend import choose_backend

FUNCTIONS: dict[str, dict[str, Any]] = {
    "pagerank": {"weight": None},
    "single_source_shortest_path_length": {"source": 0},
    "number_connected_components": {},
    "betweenness_centrality": {},
    "louvain_communities": {"weight": None},
    "hits": {"max_iter": 1000},
    "single_source_dijkstra_path_length": {"source": 0, "weight": "length"},
}
"""The functions with their arguments. One conversion serves all that need no attribute of edges, so they
come first."""
SYSTEMS = {
    "networkx": "NetworkX",
    "parallel": "nx-parallel",
    "gunrock": "gunrock",
    "cugraph": "nx-cugraph",
}
CONVERTING = ("gunrock", "cugraph")
ALL_SOURCES = "betweenness_centrality"
MOST_EDGES = 10_000
"""The limit for functions from all sources: NetworkX takes 18 s for these, and a hundred times that for
ten times the edges."""


@dataclass
class Cell:
    """A system's times for a function on a graph: seconds of a call that converts, and of one on a graph
    that NetworkX has kept; or why there are none."""

    converting: float | None = None
    kept: float | None = None
    answer: Any = None
    failure: str | None = None


def ends_of(edges: int) -> np.ndarray[Any, Any]:
    """The karate club's edges, or random ones between a quarter as many vertices, without loops and
    repetitions, in the order in which they were drawn."""
    if edges == 78:
        return np.array(nx.karate_club_graph().edges())
    n = edges // 4
    drawn = np.random.default_rng(0).integers(0, n, (edges, 2))
    drawn = drawn[drawn[:, 0] != drawn[:, 1]]
    _, first = np.unique(drawn.min(1) * n + drawn.max(1), return_index=True)
    return drawn[np.sort(first)]


def graph_of(ends: np.ndarray[Any, Any]) -> nx.Graph:
    """A graph with lengths from 1 to 64. It is written into NetworkX's own dictionaries, as its methods
    take two and a half times as long. Python's search for cycles, of which there are none, is off
    meanwhile."""
    graph = nx.empty_graph(ends.max() + 1)
    rows = list(graph._adj.values())
    lengths = 1 + np.arange(len(ends)) % 64
    gc.disable()
    for u, v, length in zip(*ends.T.tolist(), lengths.tolist(), strict=True):
        rows[u][v] = rows[v][u] = {"length": length}
    gc.enable()
    return graph


def median_s(call: Callable[[], Any], runs: int, seconds: float) -> tuple[float, Any]:
    """The median seconds and the last answer of this many calls, or of fewer that together took that
    long."""
    times: list[float] = []
    while len(times) < runs and sum(times) < seconds:
        answer = None  # its memory is free before the next call
        begin = time.perf_counter()
        answer = call()
        times.append(time.perf_counter() - begin)
    return statistics.median(times), answer


def called(system: str, name: str, graph: nx.Graph, anew: bool = False) -> Any:
    """A system's answer; with the last argument, NetworkX first forgets the converted graph."""
    if anew:
        graph.__networkx_cache__.get("backends", {}).pop(system, None)
    function = getattr(nx, name, None) or getattr(nx.community, name)
    return function(graph, **FUNCTIONS[name], **({} if system == "networkx" else {"backend": system}))


def measured(system: str, name: str, graph: nx.Graph, small: nx.Graph, args: argparse.Namespace) -> Cell:
    """A function's cell, including its error. A call on a small graph and one on this graph, which may
    need other code, come first: they compile, start processes and convert, and are not timed."""
    cell = Cell()
    if system == "parallel":  # its processes get a copy of all that NetworkX has kept of a graph
        graph.__networkx_cache__.clear()
        small.__networkx_cache__.clear()
    cores = nx.config.backends.parallel(active=True, n_jobs=-1) if system == "parallel" else nullcontext()
    often = args.runs, args.seconds
    try:
        with cores:
            called(system, name, small)
            if system != "networkx":
                called(system, name, graph)
            cell.kept, cell.answer = median_s(lambda: called(system, name, graph), *often)
            if system in CONVERTING and name in args.whole:
                cell.converting = median_s(lambda: called(system, name, graph, anew=True), *often)[0]
    except Exception as error:
        cell.failure = first_cause(error)
    return cell


def first_cause(error: BaseException) -> str:
    """The first in a chain of exceptions."""
    while error.__cause__ or error.__context__:
        error = error.__cause__ or error.__context__ or error
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"


def same(one: Any, other: Any) -> bool:
    """True if the answers are equal, or as near as single precision comes."""
    if isinstance(one, tuple):
        return all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and np.allclose(
            [one[key] for key in one], [other[key] for key in one], rtol=1e-4, atol=1e-8
        )
    return bool(one == other)


def modularity(communities: list[set[int]], ends: np.ndarray[Any, Any]) -> float:
    """The modularity; NaN unless every vertex is in one community."""
    n = int(ends.max()) + 1
    label = np.full(n, -1)
    for number, members in enumerate(communities):
        label[list(members)] = number
    if (label < 0).any() or sum(map(len, communities)) != n:
        return float("nan")
    tails, heads = label[ends[:, 0]], label[ends[:, 1]]
    share = np.bincount(np.concatenate([tails, heads])) / (2 * len(ends))
    return float((tails == heads).mean() - (share**2).sum())


def verdict(name: str, cells: dict[str, Cell], ends: np.ndarray[Any, Any]) -> str:
    """A comparison of the answers with the first, or the communities' modularity."""
    answers = {system: cell.answer for system, cell in cells.items() if cell.kept is not None}
    if name == "louvain_communities":
        return "modularity " + ", ".join(f"{modularity(answer, ends):.4f}" for answer in answers.values())
    if len(answers) < 2:
        return "unchecked"
    first, *others = answers
    wrong = [SYSTEMS[system] for system in others if not same(answers[first], answers[system])]
    return f"WRONG: {', '.join(wrong)}, by {SYSTEMS[first]}" if wrong else "same"


def loaded(name: str) -> bool:
    """True if a backend is installed, and can be imported with this NetworkX."""
    try:
        nx.utils.backends._load_backend(name)
    except Exception as error:
        print(f"{SYSTEMS[name]} is left out: {error}", file=sys.stderr)
        return False
    return True


def head(systems: list[str]) -> str:
    """The table's first two lines."""
    titles = ["function", "edges"]
    for system in systems:
        label = SYSTEMS[system]
        titles += (
            [f"{label} converts in the call, s", "times", "converted before, s", "times"]
            if system in CONVERTING
            else [f"{label}, s"]
        )
    titles.append("answers")
    return f"| {' | '.join(titles)} |\n|---|{'---:|' * (len(titles) - 2)}---|"


def row(name: str, edges: int, systems: list[str], cells: dict[str, Cell], answers: str) -> str:
    """A line of the table; ``times`` are NetworkX's seconds by those before."""
    theirs = cells["networkx"].kept if "networkx" in cells else None
    words = [f"`{name}`", f"{edges:,}"]
    for system in systems:
        cell = cells.get(system, Cell())
        for seconds in (cell.converting, cell.kept) if system in CONVERTING else (cell.kept,):
            words.append("-" if seconds is None else f"{seconds:.3g}")
            if system in CONVERTING:
                words.append("-" if seconds is None or theirs is None else f"{theirs / seconds:.3g}")
    return f"| {' | '.join([*words, answers])} |"


class Progress:
    """Each system's last time, by which the next size is left out if it would take too long."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self._last: dict[tuple[str, str], tuple[int, float]] = {}

    def affords(self, system: str, name: str, edges: int) -> bool:
        """True if the system has time for the function; one without a time yet is tried."""
        known, took = self._last.get((system, name), (edges, 0.0))
        power = 2 if name == ALL_SOURCES and system not in CONVERTING else 1
        return took * (edges / known) ** power <= self.limit

    def took(self, system: str, name: str, edges: int, cell: Cell) -> None:
        """Note the time; a cell that failed is not tried again on a larger graph."""
        self._last[system, name] = edges, float("inf") if cell.kept is None else cell.kept


def cells_of(
    name: str,
    graph: nx.Graph,
    edges: int,
    small: nx.Graph,
    systems: list[str],
    progress: Progress,
    args: argparse.Namespace,
) -> dict[str, Cell]:
    """The cells by system, for those that have the function and time for it."""
    cells: dict[str, Cell] = {}
    if name == ALL_SOURCES and edges > MOST_EDGES:
        return cells
    for system in systems:
        has = system == "networkx" or hasattr(nx.utils.backends._load_backend(system), name)
        if has and progress.affords(system, name, edges):
            cells[system] = measured(system, name, graph, small, args)
            progress.took(system, name, edges, cells[system])
    return cells


def run(systems: list[str], args: argparse.Namespace) -> None:
    """Print a row as soon as it is measured, and failures after it."""
    progress = Progress(args.limit)
    small = graph_of(ends_of(1000))
    for edges in map(int, args.edges.split(",")):
        begin = time.perf_counter()
        ends = ends_of(edges)
        graph = graph_of(ends)
        took = time.perf_counter() - begin
        print(f"{edges:,} edges: NetworkX's graph built in {took:.3g} s", file=sys.stderr, flush=True)
        for name in args.functions:
            cells = cells_of(name, graph, edges, small, systems, progress, args)
            if cells:
                print(row(name, edges, systems, cells, verdict(name, cells, ends)), flush=True)
            for system, cell in cells.items():
                if cell.failure:
                    print(f"{SYSTEMS[system]} failed: {cell.failure}", file=sys.stderr, flush=True)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", default="78,10000,100000,1000000")
    parser.add_argument(
        "--backend", default="auto", help="cuda, cpu, or auto: the GPU where there is one"
    )
    parser.add_argument("--systems", default=",".join(SYSTEMS))
    parser.add_argument("--functions", default=",".join(FUNCTIONS))
    parser.add_argument(
        "--whole",
        help="functions of which calls that convert are measured, too; all",
        default=",".join(FUNCTIONS),
    )
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20, help="after which no further run begins")
    parser.add_argument("--limit", type=float, default=120, help="seconds of one call of any system")
    parser.add_argument("--pool", type=int, default=0, help="GiB of nx-cugraph's allocator")
    args = parser.parse_args()
    args.whole = args.whole.split(",")
    args.functions = [name for name in FUNCTIONS if name in args.functions.split(",")]
    return args


def main() -> None:
    args = arguments()
    if args.backend == "cpu":
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
    asked = args.systems.split(",")
    systems = [name for name in SYSTEMS if name in asked and (name == "networkx" or loaded(name))]
    nx.config.warnings_to_ignore.add("cache")  # the benchmark measures the kept conversion
    if args.pool and "cugraph" in systems:
        import rmm

        rmm.reinitialize(pool_allocator=True, initial_pool_size=args.pool << 30)
    there = {each.name: each.dist for each in entry_points(group="networkx.backends")}
    versions = [f"{there[name].name} {there[name].version}" for name in systems if there.get(name)]
    print(f"{choose_backend(args.backend).why}; {', '.join([f'NetworkX {nx.__version__}', *versions])}\n")
    print(head(systems), flush=True)
    run(systems, args)


if __name__ == "__main__":
    main()
