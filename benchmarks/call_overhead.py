"""What a call from Python costs over its kernel, on a prepared graph: of a prepared primitive, and of the
function that measures a record.

    python benchmarks/call_overhead.py --backend cpu --threads 1

The goal for a prepared primitive is 0.2 ms.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median

import gunrock_cli as gunrock


def milliseconds_over_kernel(call: Callable[[], float], calls: int) -> list[float]:
    """``call`` returns its kernel's milliseconds. The first, which may compile, does not count."""
    call()
    found = []
    for _ in range(calls):
        begin = time.perf_counter()
        kernel = call()
        found.append(1e3 * (time.perf_counter() - begin) - kernel)
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
    print(f"{graph.n} vertices, {graph.m} edges; ms over the kernel: least, median of {how.calls} calls")
    for name in how.primitives:
        prepared, function = gunrock.prepare(name, graph, **place), getattr(gunrock, name)
        ways: dict[str, Callable[[], float]] = {
            f"prepare({name!r}, graph)()": lambda prepared=prepared: prepared().ms,
            f"{name}(graph)": lambda function=function: function(graph, **place).record.runs_ms[0],
        }
        for way, call in ways.items():
            over = milliseconds_over_kernel(call, how.calls)
            print(f"{way:28} {min(over):8.3f} {median(over):8.3f}")


if __name__ == "__main__":
    main()
