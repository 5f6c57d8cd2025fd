"""Advance against NumPy: from vertices and edges to vertices and edges, in every mode and loop."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from modes import MODES, ON_A_CORE
from operators.cases import Numbers, One, random_graph, run

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.operators.advance import ADVANCE_MODES

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
KINDS = ("vertex", "edge")


def advance(
    graph: Graph,
    frontier: Numbers,
    kind_in: str,
    kind_out: str,
    backend: str = "cpu",
    mode: str = "AUTO",
    loop: str = "device",
    alone: bool = False,
    incoming: bool = False,
    together: bool = False,
) -> dict[str, Numbers]:
    edges = "edge" in (kind_in, kind_out)
    item = graph.csr.row_offsets.dtype if edges else np.dtype(np.int32)
    owners = frontier if kind_in == "vertex" else graph.csr.column_indices[frontier.astype(np.int64)]
    room = int(graph.csr.degrees()[owners.astype(np.int64)].sum()) + 1
    arrays = {
        "frontier": frontier.astype(item) if len(frontier) else np.zeros(1, item),
        "count": len(frontier),
        "visits": np.zeros(graph.m + 1, np.uint32),
        "wrong": np.zeros(1, np.uint32),
        "found": np.zeros(room, item),
        "found_size": np.zeros(2, np.int64),
    }
    primitive = One(
        "advance.cuh",
        arrays,
        ("visits", "wrong", "found", "found_size"),
        GR_IN=KINDS.index(kind_in),
        GR_OUT=KINDS.index(kind_out),
        GR_EDGE_FRONTIER=int(edges),
        GR_SINGLE_BLOCK=int(alone),
        GR_INCOMING=int(incoming),
        GR_TOGETHER=int(together),
    )
    return run(primitive, graph, backend, mode, loop)


def check(graph: Graph, frontier: Numbers, kind_in: str, kind_out: str, **how: object) -> None:
    found = advance(graph, frontier, kind_in, kind_out, **how)  # type: ignore[arg-type]
    rows, columns = graph.csr.row_offsets, graph.csr.column_indices
    owners = frontier if kind_in == "vertex" else columns[frontier]
    visited = np.concatenate(
        [np.arange(rows[v], rows[v + 1]) for v in owners] or [np.zeros(0, np.int64)]
    ).astype(np.int64)
    heads = columns[visited]
    visited = visited[(heads % 5 != 4) & ((heads + visited) % 3 != 0)]
    assert found["wrong"][0] == 0
    np.testing.assert_array_equal(found["visits"], np.bincount(visited, minlength=graph.m + 1))
    expected = columns[visited] if kind_out == "vertex" else visited
    count, edges = found["found_size"]
    np.testing.assert_array_equal(np.sort(found["found"][:count]), np.sort(expected))
    assert edges == int(graph.csr.degrees()[columns[visited]].sum())


@pytest.mark.sampled(3)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", ["device", "host"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind_out", KINDS)
@pytest.mark.parametrize("kind_in", KINDS)
def test_every_kind_and_mode(kind_in: str, kind_out: str, mode: str, loop: str, backend: str) -> None:
    draw = np.random.default_rng(7)
    for graph in (random_graph(700, 6000, 1), random_graph(900, 4000, 2, hub=30_000)):
        of = graph.n if kind_in == "vertex" else graph.m
        for frontier in (
            np.zeros(0, np.int64),
            np.array([0]),
            np.arange(min(of, 1500)),
            draw.integers(0, of, 900),
        ):  # including duplicates
            check(graph, frontier, kind_in, kind_out, mode=mode, loop=loop, backend=backend)


@pytest.mark.parametrize(
    ("backend", "items"), [("cpu", 6000), pytest.param("cuda", 600_000, marks=pytest.mark.gpu)]
)
@pytest.mark.parametrize("mode", ["LB", "LB_NODES", "TWC"])
def test_more_items_than_a_block_has_room_for(mode: str, backend: str, items: int) -> None:
    """Most items have an empty list, and one, in the middle of a share, has most of the edges."""
    graph = random_graph(10_000, 6000, 8, hub=40_000)
    frontier = np.random.default_rng(9).integers(1, graph.n, items)
    frontier[items // 3] = 0
    check(graph, frontier, "vertex", "vertex", mode=mode, backend=backend)


@pytest.mark.gpu
@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("mode", ["AUTO", "LB", "LB_NODES", "SCAN", "TWC"])
def test_lists_that_a_warp_looks_for_together(mode: str, alone: bool) -> None:
    """Few and many items, most of them with no edge, with one, with 20, and one with many passes'
    edges."""
    chain = build_graph(5001, np.arange(5000), np.arange(1, 5001), xp=np)
    for graph in (
        random_graph(10_000, 6000, 8, hub=40_000),
        random_graph(900, 18_000, 2, hub=30_000),
        chain,
    ):
        of = np.random.default_rng(9).permutation(np.arange(1, graph.n))
        for count in (1, 7, 8, 9, 31, 33, 150, len(of)):
            for frontier in (of[:count], np.append(of[:count], 0)):
                check(
                    graph,
                    frontier,
                    "vertex",
                    "vertex",
                    mode=mode,
                    backend="cuda",
                    alone=alone,
                    together=True,
                )


@pytest.mark.parametrize("mode", sorted(set(ADVANCE_MODES) - set(ON_A_CORE)))
def test_modes_that_differ_on_a_gpu_only(mode: str) -> None:
    graph = random_graph(900, 4000, 2, hub=30_000)
    for loop in ("device", "host"):
        for frontier in (np.zeros(0, np.int64), np.arange(900), np.zeros(300, np.int64)):
            check(graph, frontier, "vertex", "vertex", loop=loop, mode=mode)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind_in", KINDS)
def test_functor_is_given_the_item_that_led_to_an_edge(kind_in: str, mode: str, backend: str) -> None:
    graph = random_graph(700, 3000, 4, hub=9000)
    of = graph.n if kind_in == "vertex" else graph.m
    for alone in (False, True):
        check(
            graph,
            np.random.default_rng(3).integers(0, of, 200),
            kind_in,
            "vertex",
            mode=mode,
            backend=backend,
            alone=alone,
            incoming=True,
        )


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind_in", KINDS)
def test_one_block_alone(kind_in: str, mode: str, backend: str) -> None:
    graph = random_graph(300, 900, 3)
    for count in (0, 1, 40, 150):
        check(graph, np.arange(count), kind_in, "vertex", mode=mode, backend=backend, alone=True)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind_in", KINDS)
def test_64_bit_offsets(kind_in: str, mode: str, backend: str) -> None:
    graph = random_graph(400, 3000, 4, hub=5000, wide=True)
    check(graph, np.arange(400), kind_in, "edge", mode=mode, backend=backend)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.integers(1, 40),
    st.integers(0, 200),
    st.integers(0, 1000),
    st.sampled_from(KINDS),
    st.sampled_from(KINDS),
    st.sampled_from(ON_A_CORE),
    st.booleans(),
)
def test_random_graphs(
    n: int, m: int, seed: int, kind_in: str, kind_out: str, mode: str, alone: bool
) -> None:
    graph = random_graph(n, m, seed)
    of = n if kind_in == "vertex" else m
    frontier = np.random.default_rng(seed).integers(0, max(1, of), 30 if of else 0)
    check(graph, frontier, kind_in, kind_out, mode=mode, alone=alone)
