"""Triangles at edges against Python's sets, with loops, repetitions, hubs, and few or all edges."""

from __future__ import annotations

import numpy as np
import pytest
from operators.cases import BACKENDS, Numbers, One, run, symmetric

from gunrock_cli.graph.model.graph import Graph

BACKEND = pytest.mark.parametrize("backend", BACKENDS)


def twins_of(graph: Graph) -> Numbers:
    ends = list(zip(graph.csr.sources().tolist(), graph.csr.column_indices.tolist(), strict=True))
    first: dict[tuple[int, int], int] = {}
    for entry, edge in enumerate(ends):
        first.setdefault(edge, entry)
    return np.array([first[v, u] if first[u, v] == e else ~first[u, v] for e, (u, v) in enumerate(ends)])


def check(graph: Graph, backend: str, some: slice, once: bool = False) -> int:
    """The triangles of some edges, without those of every fifth vertex, which the functor drops."""
    twins, offsets = twins_of(graph), graph.csr.row_offsets
    chosen = np.flatnonzero(twins > np.arange(graph.m))[some].astype(offsets.dtype)
    words = {name: np.zeros(graph.m, np.int64) for name in ("counts", "sums", "third", "queued")}
    arrays = {"edges": chosen, "count": len(chosen), "twins": np.zeros(graph.m, chosen.dtype), **words}
    one = One("triangles_at.cuh", arrays, ("twins", *words), GR_EDGE_FRONTIER=1, GR_ONCE=int(once))
    found = run(one, graph, backend)
    np.testing.assert_array_equal(found["twins"], twins)
    tails, heads = graph.csr.sources().tolist(), graph.csr.column_indices.tolist()
    rows: list[dict[int, int]] = [{} for _ in range(graph.n)]
    for entry in np.flatnonzero(twins >= 0).tolist():
        rows[tails[entry]][heads[entry]] = entry
    expected = {name: np.zeros(graph.m, np.int64) for name in words}
    for e in chosen.tolist():
        u, v = tails[e], heads[e]
        for w in (rows[u].keys() & rows[v].keys()) - {u, v}:
            if w % 5 == 4 or (once and w > min(u, v)):
                continue
            a, b = rows[u][w], rows[v][w]
            expected["counts"][e] += 1
            expected["sums"][e] += a * b
            expected["third"][min(a, twins[a])] += 1
            expected["third"][min(b, twins[b])] += 1
    for name in words:
        right = expected["counts" if name == "queued" else name]
        np.testing.assert_array_equal(found[name], right, err_msg=name)
    return int(expected["counts"].sum())


def drawn(n: int, m: int, hub: int, seed: int, wide: bool = False) -> Graph:
    """An undirected graph with loops and repetitions; vertex 0 has ``hub`` edges more."""
    draw = np.random.default_rng(seed)
    tails = np.concatenate((draw.integers(0, n, m), np.zeros(hub, np.int64)))
    return symmetric(n, tails, draw.integers(0, n, m + hub), wide)


@BACKEND
@pytest.mark.parametrize(("wide", "once"), [(False, False), (True, True)])
def test_random_graphs(wide: bool, once: bool, backend: str) -> None:
    total = 0
    for seed, (n, m, hub) in enumerate([(1, 2, 0), (6, 30, 0), (40, 300, 30), (90, 300, 200)]):
        graph = drawn(n, m, hub, seed, wide)
        for some in (slice(None), slice(3, 4), slice(0, None, 7), slice(0)):
            total += check(graph, backend, some, once)
    assert total > 500


@BACKEND
def test_more_than_a_stage_holds(backend: str) -> None:
    """A clique, each of whose edges is pushed for each of its triangles."""
    tails, heads = np.triu_indices(40, 1)
    assert check(symmetric(40, tails, heads), backend, slice(None)) == 780 * 38 * 4 // 5
