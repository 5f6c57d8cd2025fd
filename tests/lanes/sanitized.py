"""Run primitives, or cases of machine.cuh, on the lanes backend, in this process: test_sanitizers.py runs
it under a sanitizer. It prints a last line, so that a clean report differs from no run at all."""

from __future__ import annotations

import sys
from typing import Any

from lanes.running import SEEDS, check, machine

RUNS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("bfs", "hubs", {"mark_pred": True}),
    ("bfs", "mesh", {}),
    ("sssp", "mesh", {}),
    ("bc", "mesh", {}),
    ("cc", "parts", {}),
    ("pagerank", "directed", {}),
    ("hits", "mesh", {"max_iterations": 5}),
    ("color", "mesh", {"waiting": "polled"}),
    ("color", "hubs", {"waiting": "in-order"}),
    ("matching", "hubs", {}),
    ("mis", "star", {}),
    ("mst", "mesh", {}),
    ("louvain", "mesh", {"max_levels": 2}),
    ("leiden", "mesh", {"max_levels": 2}),
    ("triangles", "hubs", {"order": "degree"}),
    ("kcore", "hubs", {}),
    ("kcore", "mesh", {}),
    ("scc", "directed", {}),
    ("cdlp", "directed", {}),
    ("cdlp", "hubs", {}),
    ("cdlp", "hubs", {"asynchronous": True}),
    ("toposort", "directed", {}),
    ("biconnected", "hubs", {}),
    ("ktruss", "hubs", {}),
    ("cliques", "hubs", {"size": 5}),
    ("triangles", "mesh", {"per": "graph"}),
    ("triangles", "hubs", {"per": "edge"}),
    ("clustering", "directed", {}),
    ("walk", "directed", {"visits": True}),
    ("sample", "directed", {"fanout": "3,2"}),
    ("distances", "hubs", {}),
    ("distances", "hubs", {"nearest": 4}),
    ("closeness", "path", {"searches": "together"}),
    ("closeness", "path", {"searches": "apart"}),
    ("cc", "hubs", {"changes": 9}),
    ("bfs", "mesh", {"changes": 9}),
    ("sssp", "mesh", {"changes": 9}),
)


HALVES = {"first half": RUNS[::2], "second half": RUNS[1::2]}


def main(words: list[str]) -> None:
    """Run some of the primitives, or cases of machine.cuh."""
    runs = [run for word in words for run in HALVES.get(word, ())]
    for case in () if runs else words:
        for seed in SEEDS:
            machine(int(case)).answer(seed=seed)
    for name, kind, options in runs:
        check(name, [kind], proves=False, **options)
        print(name, kind, options, flush=True)
    print("all", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
