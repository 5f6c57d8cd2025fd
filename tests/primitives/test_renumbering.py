"""A graph laid out by falling out-degree: the same edges under other numbers."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pagerank_helper import BACKENDS, PRIMITIVE, graph_of, options, small_graphs

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.model.graph import Csr, Graph, to_numpy
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives import get_primitive, renumbering
from gunrock_cli.primitives.renumbering import (
    Renumbered,
    Renumbering,
    expected_iterations,
    memory_for,
    pays_after,
    scatter,
)

HUBS = [
    *((0, v) for v in range(1, 6000)),
    *((v, v + 1) for v in range(5999)),
    *((7, v) for v in range(8, 200)),
]
"""Lists for a thread, for a warp and for the block."""


def laid_out(graph: Graph, backend: str = "cpu") -> Renumbered:
    return Renumbering(graph, choose_backend(backend, 2)).graph


def check(graph: Graph, backend: str = "cpu") -> None:
    found = laid_out(graph, backend)
    order, degrees = to_numpy(found.order), to_numpy(graph.csr.degrees())
    np.testing.assert_array_equal(order, np.argsort(-degrees, kind="stable"))
    np.testing.assert_array_equal(to_numpy(found.csr.degrees()), degrees[order])
    assert graph.reverse is not None
    assert found.reverse is not None
    before, after = graph.reverse.to(np), found.reverse.to(np)
    assert after.row_offsets.dtype == before.row_offsets.dtype
    for number, vertex in enumerate(order.tolist()):
        np.testing.assert_array_equal(order[entries(after, number)], entries(before, vertex))
    assert (found.n, found.m, found.undirected) == (graph.n, graph.m, graph.undirected)


def check_sides(graph: Graph, backend: str = "cpu") -> None:
    """Check a layout with sides apart: either's rows, and the other's entries, have its numbers."""
    assert graph.reverse is not None
    found = Renumbering(graph, choose_backend(backend, 2), sides_apart=True).graph
    starts, ends = to_numpy(found.order), to_numpy(found.end_order)
    np.testing.assert_array_equal(starts, np.argsort(-to_numpy(graph.csr.degrees()), kind="stable"))
    np.testing.assert_array_equal(ends, np.argsort(-to_numpy(graph.reverse.degrees()), kind="stable"))
    np.testing.assert_array_equal(to_numpy(found.numbers)[starts], np.arange(graph.n))
    assert found.reverse is not None
    for lists, before, rows, names in (
        (found.csr, graph.csr, starts, ends),
        (found.reverse, graph.reverse, ends, starts),
    ):
        after, old = lists.to(np), before.to(np)
        for number, vertex in enumerate(rows.tolist()):
            np.testing.assert_array_equal(names[entries(after, number)], entries(old, vertex))


def entries(lists: Csr, row: int) -> np.ndarray:
    return lists.column_indices[lists.row_offsets[row] : lists.row_offsets[row + 1]]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs())
def test_random_graphs(graph: Graph) -> None:
    check(graph)
    check_sides(graph)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("undirected", [True, False])
def test_lists_of_all_lengths(undirected: bool, backend: str) -> None:
    graph = graph_of(6000, HUBS, backend, undirected=undirected)
    check(graph, backend)
    check_sides(graph, backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("n", [0, 1, 70])
def test_without_edges(n: int, backend: str) -> None:
    check(graph_of(n, [], backend), backend)
    check_sides(graph_of(n, [], backend, undirected=False), backend)


def test_it_says_what_memory_it_takes() -> None:
    graph = graph_of(6000, HUBS)
    assert memory_for(graph) >= 4 * graph.m + 4 * 6000
    assert memory_for(graph, sides_apart=True) == memory_for(graph)  # its lists are the same either way
    directed = graph_of(6000, HUBS, undirected=False)
    assert memory_for(directed, sides_apart=True) == memory_for(directed) + 4 * directed.m


@given(st.integers(1, 5))
@settings(max_examples=5, deadline=None)
def test_scatter_tells_neighbours_from_strangers(seed: int) -> None:
    n = 1 << 18
    random = np.random.default_rng(seed)
    offsets = np.arange(0, 16 * n + 1, 16)
    near = (np.arange(16 * n) // 16 + np.tile(np.arange(16), n)) % n
    assert scatter(Csr(offsets, near.astype(np.int32))) < 0.1
    assert scatter(Csr(offsets, random.integers(0, n, 16 * n, dtype=np.int32))) > 0.9


@pytest.mark.parametrize(("cache", "after"), [(1 << 20, 6), (1, 5)])
def test_when_it_pays_is_told_on_a_gpu_only(
    cache: int, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = replace(laid_out(graph_of(100, HUBS[:50])), took_ms=6.0)
    assert pays_after(graph, 2.0) is None
    monkeypatch.setattr(renumbering, "_is_on_gpu", lambda graph: True)
    monkeypatch.setattr(renumbering, "cache_bytes", lambda: cache)
    assert pays_after(graph, 2.0) == after
    assert pays_after(graph, 0.0) is None


@pytest.mark.parametrize(
    ("cache", "room", "near", "pays"),
    [
        (1 << 10, 1 << 40, False, True),
        (1 << 30, 1 << 40, False, False),  # the table fits
        (1 << 10, 1 << 10, False, False),  # the layout does not
        (1 << 10, 1 << 40, True, False),  # neighbors are close together already
    ],
)
def test_auto_is_by_degree_where_it_pays(
    cache: int, room: int, near: bool, pays: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    n = 200_000
    random = np.random.default_rng(1)
    sources, targets = np.repeat(np.arange(n), 4), random.integers(0, n, 4 * n)
    if near:
        targets = (sources + np.tile(np.arange(4), n)) % n
    hub = np.arange(1, 200)
    graph = build_graph(
        n, np.concatenate((sources, np.zeros(199, np.int64))), np.concatenate((targets, hub)), None, xp=np
    )
    monkeypatch.setattr(renumbering, "_is_on_gpu", lambda graph: True)
    monkeypatch.setattr(renumbering, "cache_bytes", lambda: cache)
    monkeypatch.setattr(renumbering, "available_device_bytes", lambda: room)
    chosen = [PRIMITIVE.plan(graph, options(max_iterations=most)).options.order for most in (50, 3)]
    assert chosen == ["degree" if pays else "graph", "graph"]


@pytest.mark.parametrize(
    ("given", "order"),
    [
        ({}, "degree"),
        ({"max_iterations": 9}, "graph"),
        ({"tolerance": 1e-3}, "graph"),  # seven iterations
        ({"tolerance": 0.0}, "degree"),
        ({"tolerance": 0.0, "max_iterations": 9}, "graph"),
    ],
)
def test_where_shares_fit_the_cache_it_pays_after_more_iterations_and_on_many_edges(
    given: dict[str, Any], order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    n = 200_000
    targets = np.random.default_rng(1).integers(0, n, 4 * n)
    graph = build_graph(
        n,
        np.concatenate((np.repeat(np.arange(n), 4), np.zeros(199, np.int64))),
        np.concatenate((targets, np.arange(1, 200))),
        None,
        xp=np,
    )
    monkeypatch.setattr(renumbering, "_is_on_gpu", lambda graph: True)
    monkeypatch.setattr(renumbering, "cache_bytes", lambda: 1 << 30)
    monkeypatch.setattr(renumbering, "available_device_bytes", lambda: 1 << 40)
    assert PRIMITIVE.plan(graph, options(**given)).options.order == "graph"  # too few edges
    monkeypatch.setattr(renumbering, "LAYOUT_MS", 1.8 * graph.m / 181_154_404)  # those of R-MAT 21
    assert PRIMITIVE.plan(graph, options(**given)).options.order == order


@cache
def scattered(undirected: bool) -> Graph:
    """Random edges, and one vertex with many of them."""
    n, hub = 200_000, np.arange(1, 200)
    ends = np.random.default_rng(1).integers(0, n, (2, 4 * n))
    return build_graph(
        n, np.append(ends[0], 0 * hub), np.append(ends[1], hub), None, xp=np, undirected=undirected
    )


RMAT_21, RMAT_20, DIRECTED = 181_154_404, 91_000_000, 64_000_000
"""Entries of R-MAT 21 and 20 of edge factor 48, and of a directed R-MAT 21 of edge factor 32."""


@pytest.mark.parametrize(
    ("name", "given", "undirected", "entries", "order"),
    [
        ("pagerank", {}, True, RMAT_21, "degree"),
        ("pagerank", {}, True, RMAT_20, "degree"),
        ("pagerank", {"tolerance": 1e-3}, True, RMAT_20, "graph"),
        ("hits", {}, True, RMAT_21, "degree"),
        ("hits", {"norm": "L2"}, True, RMAT_21, "degree"),
        ("hits", {"max_iterations": 4}, True, RMAT_21, "graph"),
        ("hits", {}, True, RMAT_20, "degree"),
        ("hits", {}, False, DIRECTED, "graph"),  # lists of both kinds are moved
        ("hits", {"order": "degree"}, False, DIRECTED, "degree"),
        ("salsa", {}, True, RMAT_21, "degree"),
        ("salsa", {"max_iterations": 8}, True, RMAT_21, "graph"),
        ("salsa", {}, False, DIRECTED, "graph"),
        ("salsa", {"seeds": "1"}, True, RMAT_21, "degree"),
        ("salsa", {"variant": "edges"}, True, RMAT_21, "graph"),
        ("ppr", {}, True, RMAT_21, "degree"),
        ("ppr", {}, True, RMAT_20, "graph"),  # nine iterations save less than the layout takes
        ("ppr", {"tolerance": 0.0}, True, RMAT_21, "degree"),
        ("ppr", {"tolerance": 0.0, "batch": 3}, True, RMAT_21, "graph"),
        ("ppr", {"epsilon": 1e-9, "method": "push"}, True, RMAT_21, "graph"),
    ],
)
def test_one_rule_says_for_all_whether_it_pays(
    name: str,
    given: dict[str, Any],
    undirected: bool,
    entries: int,
    order: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The layout's fixed time is scaled down as this graph is, from the one with that many entries."""
    graph = scattered(undirected)
    monkeypatch.setattr(renumbering, "_is_on_gpu", lambda graph: True)
    monkeypatch.setattr(renumbering, "cache_bytes", lambda: 1 << 30)
    monkeypatch.setattr(renumbering, "available_device_bytes", lambda: 1 << 40)
    monkeypatch.setattr(renumbering, "LAYOUT_MS", renumbering.LAYOUT_MS * graph.m / entries)
    primitive = get_primitive(name)
    assert primitive.plan(graph, primitive.asked(given)).options.order == order


@pytest.mark.parametrize(
    ("undirected", "iterations", "order"),
    [(True, 3, "graph"), (True, 4, "degree"), (False, 7, "graph"), (False, 8, "degree")],
)
def test_both_kinds_of_lists_pay_after_twice_as_many_passes(
    undirected: bool, iterations: int, order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = scattered(undirected)
    monkeypatch.setattr(renumbering, "_is_on_gpu", lambda graph: True)
    monkeypatch.setattr(renumbering, "cache_bytes", lambda: 1)
    room = memory_for(graph, sides_apart=True)
    monkeypatch.setattr(renumbering, "available_device_bytes", lambda: room + 1)
    hits = get_primitive("hits")
    asked = hits.asked({"max_iterations": iterations})
    assert hits.plan(graph, asked).options.order == order
    monkeypatch.setattr(renumbering, "available_device_bytes", lambda: room)
    assert hits.plan(graph, asked).options.order == "graph"


@pytest.mark.parametrize(
    ("name", "given", "share"),
    [
        ("pagerank", {}, 0.5),
        ("ppr", {}, 0.5),
        ("ppr", {"batch": 3}, None),
        ("hits", {}, 0.3),
        ("salsa", {}, 0.09),
        ("salsa", {"seeds": "1"}, None),
        ("bfs", {}, None),
    ],
)
def test_what_the_layout_saves_is_said_where_it_was_measured(
    name: str, given: dict[str, Any], share: float | None
) -> None:
    primitive = get_primitive(name)
    saves = primitive.plan(graph_of(3, [(0, 1), (1, 2)]), primitive.asked(given)).layout_saves
    assert (saves and saves[0]) == share


@pytest.mark.parametrize(
    ("tolerance", "most", "expected"),
    [
        (1e-6, 50, 13),
        (1e-6, 5, 5),
        (0.0, 50, 50),
        (0.5, 50, 1),
        (2.0, 50, 1),
        (2.0, 0, 0),
        (1e-30, 50, 50),
    ],
)
def test_how_many_iterations_are_expected(tolerance: float, most: int, expected: int) -> None:
    assert expected_iterations(most, tolerance) == expected


def test_scatter_of_nothing() -> None:
    assert scatter(Csr(np.zeros(3, np.int32), np.zeros(0, np.int32))) == 0
    assert scatter(Csr(np.array([0, 2, 2], np.int32), np.array([0, 99], np.int32))) == 1
