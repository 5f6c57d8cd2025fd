"""What a call from Python costs over its kernel, on a prepared graph: of a prepared primitive, and of the
function that measures a record.

    python benchmarks/call_overhead.py --backend cpu --threads 1

All are called in turns, a few times each, after a warm-up, as the clocks of a GPU that was idle are low.
The goal for a prepared primitive is 0.2 ms.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from statistics import median

import gunrock_cli as gunrock

WARM_UP_S = 0.5
A_TURN = 10
"""Calls of one way before the next way's turn."""


def over_kernel(call: Callable[[], float], calls: int) -> list[float]:
    """The milliseconds of each call beyond its kernel's, which ``call`` returns."""
    found = []
    for _ in range(calls):
        begin = time.perf_counter()
        kernel = call()
        found.append(1e3 * (time.perf_counter() - begin) - kernel)
    return found


def in_turns(ways: Mapping[str, Callable[[], float]], calls: int) -> dict[str, list[float]]:
    """The milliseconds of each way, by its name."""
    begin = time.perf_counter()
    for call in ways.values():
        call()  # may compile
    while time.perf_counter() - begin < WARM_UP_S:
        for call in ways.values():
            call()
    found: dict[str, list[float]] = {way: [] for way in ways}
    while len(next(iter(found.values()))) < calls:
        for way, call in ways.items():
            found[way] += over_kernel(call, min(A_TURN, calls - len(found[way])))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--primitives", nargs="*", default=["bfs", "sssp", "cc", "pagerank"])
    how = parser.parse_args()
    place = {"backend": how.backend, "threads": how.threads}
    graph = gunrock.load("grid2d", width=30, height=30, weights="random:1:64", backend=how.backend)
    ways: dict[str, Callable[[], float]] = {}
    for name in how.primitives:
        prepared, function = gunrock.prepare(name, graph, **place), getattr(gunrock, name)
        ways[f"prepare({name!r}, graph)()"] = lambda prepared=prepared: prepared().ms
        ways[f"{name}(graph)"] = lambda function=function: function(graph, **place).record.runs_ms[0]
    print(f"{graph.n} vertices, {graph.m} edges; ms over the kernel: least, median of {how.calls} calls")
    for way, over in in_turns(ways, how.calls).items():
        print(f"{way:28} {min(over):8.3f} {median(over):8.3f}")


if __name__ == "__main__":
    main()
