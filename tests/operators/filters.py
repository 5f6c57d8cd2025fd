"""Run filter.cuh, for the tests of filter, pull and the conversions of frontiers."""

from __future__ import annotations

import numpy as np
import pytest
from operators.cases import Numbers, One, run

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.operators.culling import NONE, culling_macros

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
LOOPS = ["device", "host"]
EXACT, INEXACT, ALL, CONVERT, PULL, PLAIN, EVERY, PULL_CANDIDATES = range(8)
NO_CULLING = culling_macros(NONE)


def operate(
    operator: int,
    graph: Graph,
    frontier: Numbers,
    backend: str = "cpu",
    loop: str = "device",
    **macros: int,
) -> dict[str, Numbers]:
    """Run one operator over a frontier of vertices; ``found`` are the items that came out."""
    words = (graph.n + 31) // 32
    room = max(len(frontier), graph.n) + 1
    arrays = {
        "frontier": np.append(frontier, 0).astype(np.int32),
        "count": len(frontier),
        "touched": np.zeros(graph.n, np.uint32),
        "applied": np.zeros(graph.n, np.uint32),
        "visited": np.zeros(words, np.uint32),
        "bits": np.zeros(2 * words, np.uint32),
        "wrong": np.zeros(1, np.uint32),
        "stride": words,
        "found": np.zeros(room, np.int32),
        "found_size": np.zeros(4, np.int64),
    }
    shown = ("touched", "applied", "bits", "wrong", "found", "found_size")
    primitive = One("filter.cuh", arrays, shown, GR_OPERATOR=operator, **{**NO_CULLING, **macros})
    found = run(primitive, graph, backend, loop=loop)
    found["found"] = found["found"][: found["found_size"][0]]
    # Compute saw exactly the items in the queue.
    np.testing.assert_array_equal(found["touched"], np.bincount(found["found"], minlength=graph.n))
    return found


def members(bits: Numbers) -> Numbers:
    """The vertices of a bitmap."""
    return np.flatnonzero(np.unpackbits(bits.view(np.uint8), bitorder="little"))


def lists(graph: Graph, vertices: Numbers) -> int:
    """Count the edges that leave these vertices."""
    return int(graph.csr.degrees()[vertices].sum())


MANY = 400_000
"""More copies of a vertex than a GPU has threads: with fewer, all could look before any is noted."""


def frontiers(n: int) -> list[Numbers]:
    """Frontiers: empty, single, full, with random duplicates and with nothing but duplicates."""
    draw = np.random.default_rng(5)
    return [
        np.zeros(0, np.int64),
        np.array([0]),
        np.array([1]),
        np.arange(n),
        draw.integers(0, n, 3 * n),
        np.full(MANY, 7),
    ]
