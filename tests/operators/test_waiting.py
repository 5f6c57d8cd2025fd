"""Operators whose vertices wait for each other: levels by resolve, smallest free numbers by rank, and
counts of paths by dataflow, each against a loop over the order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.cases import BACKENDS, Numbers, One, directed, random_graph, run, symmetric
from operators.test_in_order import numbered

from gunrock_cli.graph.model.graph import Graph

NOT_YET, ONE = 2**64 - 1, 2**29 << 34
"""The values of kernels/math/wide_number.cuh."""


def graphs() -> list[Graph]:
    ring, star = np.arange(200), np.arange(1, 90)
    pairs = random_graph(150, 260, seed=3)
    return [
        symmetric(1, star[:0], star[:0]),
        symmetric(200, ring, (ring + 1) % 200),
        symmetric(90, np.zeros_like(star), star),
        symmetric(30, *np.triu_indices(30, 1)),
        symmetric(pairs.n, pairs.csr.sources(), pairs.csr.column_indices),
    ]


def ranks_of(graph: Graph, chain: bool) -> Numbers:
    """Ranks at random, or along the numbers, so that on a ring each vertex waits for the one before."""
    backwards = np.arange(graph.n)[::-1].copy()
    return backwards if chain else np.random.default_rng(graph.n).permutation(graph.n)


def levels(graph: Graph, ranks: Numbers) -> Numbers:
    rows, columns = graph.csr.row_offsets, graph.csr.column_indices
    found = np.full(graph.n, -1)
    for v in np.argsort(-ranks):
        before = columns[rows[v] : rows[v + 1]]
        found[v] = 1 + max(found[before[ranks[before] > ranks[v]]], default=-1)
    return found


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("sharers", "some"), [(1, 0), (1, 1), (4, 0), (32, 1)])
def test_resolve(sharers: int, some: int, backend: str) -> None:
    for graph in graphs():
        for chain in (True, False):
            ranks = ranks_of(graph, chain)
            arrays: dict[str, Any] = {
                "ranks": ranks.astype(np.int32),
                "levels": np.full(graph.n, -1, np.int32),
                "room": np.zeros(graph.n, np.uint64),
            }
            one = One("resolve.cuh", arrays, ("levels",), GR_SHARERS=sharers, GR_SOME=some)
            np.testing.assert_array_equal(run(one, graph, backend)["levels"], levels(graph, ranks))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("hot", [0, 1])
def test_by_rank(hot: int, backend: str) -> None:
    for graph in graphs():
        if graph.csr.longest > 15:
            continue
        for chain in (True, False):
            ranks = ranks_of(graph, chain)
            arrays: dict[str, Any] = {
                "ranks": ranks.astype(np.uint32),
                "words": np.full(graph.n, 255, np.uint8),
                "room": np.zeros(6 * graph.n + 4, np.uint32),
            }
            found = run(One("by_rank.cuh", arrays, ("words",), GR_SHARED_CACHE=hot), graph, backend)[
                "words"
            ]
            np.testing.assert_array_equal(found, numbered(graph, np.argsort(-ranks)))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("backward", [0, 1])
@pytest.mark.parametrize("lanes_log", [0, 1, 2, 5])
def test_dataflow(lanes_log: int, backward: int, backend: str) -> None:
    """Layers of vertices with edges from each to the next: count paths that end at a vertex, or begin
    there."""
    draw = np.random.default_rng(lanes_log)
    for width, depth in ((1, 70), (7, 12), (60, 3)):
        n = width * depth
        tails = draw.integers(0, n - width, 3 * n) if n > width else np.zeros(0, np.int64)
        heads = (tails // width + 1) * width + draw.integers(0, width, len(tails))
        names = draw.permutation(n)
        graph = directed(n, names[tails], names[heads])
        labels = np.empty(n, np.int32)
        labels[names] = np.arange(n) // width
        counts = np.ones(n)
        for v in names[::-1] if backward else names:
            ends, own = (tails, heads) if backward else (heads, tails)
            counts[v] += counts[names[own[names[ends] == v]]].sum()
        arrays: dict[str, Any] = {
            "order": names.astype(np.int32),
            "level_ends": (np.arange(depth, dtype=np.int32) + 1) * width,
            "labels": labels,
            "counts": np.full(n, NOT_YET, np.uint64),
            "logs": np.zeros(n),
            "count": n,
            "levels": depth,
            "first": 0,
            "backward": backward,
            "lanes_log": lanes_log,
        }
        found = run(One("dataflow.cuh", arrays, ("logs",)), graph, backend)["logs"]
        power = np.floor(np.log2(counts))
        np.testing.assert_allclose(found, power + counts / 2**power - 1, rtol=0, atol=1e-6)
