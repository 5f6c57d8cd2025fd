"""Gather by key against NumPy: lists for threads, warps, and blocks with tables in either memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from operators.cases import Numbers, One, directed, random_graph, run

from gunrock_cli.graph.model.graph import Graph

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
SHOWN = ("found_keys", "found_sums", "pairs", "best", "finished", "kept", "kept_count")


def check(
    graph: Graph,
    keys: Numbers,
    wide: bool,
    backend: str = "cpu",
    loop: str = "device",
    part: int = 1,
    heaviest: int = 1000,
) -> None:
    n, m, csr = graph.n, graph.m, graph.csr
    weights = np.random.default_rng(m).integers(0, heaviest, m).astype(np.int32)
    frontier = np.arange(n, dtype=np.int32)[::part]
    arrays: dict[str, Any] = {
        "keys": keys.astype(np.int32),
        "weights": weights,
        "frontier": frontier,
        "count": len(frontier),
        "found_keys": np.full(m, -2, np.int32),
        "found_sums": np.full(m, -2, np.int64),
        "pairs": np.full(n, -1, np.int32),
        "best": np.full(n, -2, np.int64),
        "finished": np.zeros(n, np.int32),
        "long_lists": np.empty(n, np.int32),
        "slot_keys": np.full(2 * m, 77, np.int32),
        "slot_sums": np.full(2 * m, 77, np.int64 if wide else np.int32),
        "kept": np.zeros(n, np.int32),
        "kept_count": np.zeros(1, np.int64),
    }
    found = run(One("gather_by_key.cuh", arrays, SHOWN, GR_LONG=int(wide)), graph, backend, loop=loop)
    asked = frontier[frontier % 7 != 6]
    np.testing.assert_array_equal(found["finished"], np.bincount(asked, minlength=n))
    np.testing.assert_array_equal(np.sort(found["kept"][: found["kept_count"][0]]), asked[asked % 2 == 0])
    for v in asked:
        begin, end = csr.row_offsets[v], csr.row_offsets[v + 1]
        u = csr.column_indices[begin:end]
        own, inverse = np.unique(keys[u], return_inverse=True)
        sums = np.zeros(len(own), np.int64)
        np.add.at(sums, inverse, np.where(u == v, 0, weights[begin:end]).astype(np.int64))
        assert found["pairs"][v] == len(own)
        pairs = sorted(
            zip(
                found["found_keys"][begin : begin + len(own)].tolist(),
                found["found_sums"][begin : begin + len(own)].tolist(),
                strict=True,
            )
        )
        assert pairs == list(zip(own.tolist(), sums.tolist(), strict=True))
        assert found["best"][v] == (sums.max() if len(own) else -1)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("wide", [False, pytest.param(True, marks=pytest.mark.long)])
def test_lists_of_every_length(wide: bool, backend: str) -> None:
    """2 to 12,000 entries: more than the shared tables of a warp and a block hold."""
    lengths = np.array([0, 1, 8, 9, 16, 17, 30, 64, 130, 200, 400, 1000, 1500, 2500, 3500, 12_000])
    draw = np.random.default_rng(3)
    tails = np.repeat(np.arange(len(lengths)), lengths)
    n = 20_000
    graph = directed(n, tails, draw.integers(0, n, len(tails)))
    for count in (1, 3, 50, n):
        keys = draw.integers(0, count, n)
        check(graph, keys, wide, backend)
    check(graph, np.arange(n), wide, backend, heaviest=2**16 if not wide else 2**31 - 1)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", ["device", "host"])
def test_part_of_the_vertices_in_both_loops(loop: str, backend: str) -> None:
    graph = random_graph(900, 9000, 1, hub=7000)
    check(graph, np.random.default_rng(2).integers(0, 90, graph.n), False, backend, loop, part=3)
    check(random_graph(40, 0, 2), np.arange(40), False, backend, loop)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 60), st.integers(0, 600), st.integers(0, 1000), st.integers(1, 60))
def test_random_graphs(n: int, m: int, seed: int, kinds: int) -> None:
    graph = random_graph(n, m, seed)
    check(graph, np.random.default_rng(seed).integers(0, kinds, n), False)
