"""Maximal independent sets: a loop by falling priority chooses the same, on both backends."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from primitives.graphs_for_sets import CORNERS, Numbers, graph_of, random_number, small_graphs
from runs_helper import BACKENDS, LOOPS, run_on

from gunrock_cli.bench.protocol.runner import Measured
from gunrock_cli.errors import GunrockError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives.mis import PRIMITIVE

PRIORITIES = pytest.mark.parametrize("priority", ["degree", "random"])


def run(
    graph: Graph,
    backend: str = "cpu",
    threads: int = 3,
    priority: str = "degree",
    seed: int = 0,
    **protocol: Any,
) -> Measured:
    return run_on(
        PRIMITIVE, graph, {"priority": priority, "priority_seed": seed}, backend, threads, **protocol
    )


def octave_steps(degree: int) -> int:
    """The place of a degree on a scale of 8 steps per octave, exact below 16: by logarithms."""
    if degree < 16:
        return degree
    octave = int(math.log2(degree)) - 3
    return 8 * octave + degree // 2**octave


def by_priority(graph: Graph, priority: str, seed: int) -> Numbers:
    """The set that a loop over the vertices chooses, highest priority first."""
    random = random_number(np.arange(graph.n), seed)
    if priority == "degree":
        steps = np.array([octave_steps(int(d)) for d in graph.csr.degrees()], np.int64)
        rank = (254 - np.minimum(steps, 253)) * 256 + (random >> np.uint32(24))
    else:
        rank = 1 + random % np.uint32(0xFFFE)
    rows, columns = graph.csr.row_offsets, graph.csr.column_indices
    inside, excluded = np.zeros(graph.n, np.uint8), np.zeros(graph.n, bool)
    for v in np.lexsort((np.arange(graph.n), -rank.astype(np.int64))):
        if not excluded[v]:
            inside[v] = 1
            excluded[columns[rows[v] : rows[v + 1]]] = True
    return inside


def check(graph: Graph, backend: str = "cpu", **how: Any) -> Measured:
    measured = run(graph, backend, **how)
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    expected = by_priority(graph, how.get("priority", "degree"), how.get("seed", 0))
    np.testing.assert_array_equal(measured.outputs["members"], expected)
    return measured


@pytest.mark.parametrize("backend", BACKENDS)
@PRIORITIES
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, priority: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    check(graph_of(n, edges, **how), backend, priority=priority)


def test_empty_graph() -> None:
    record = run(graph_of(0, [])).record
    assert (record.validation["verdict"], record.metrics) == ("pass", {"size": 0})


def test_a_loop_keeps_no_vertex_out() -> None:
    members = run(graph_of(2, [(0, 0), (1, 1)], keep_self_loops=True)).outputs["members"]
    assert members.tolist() == [1, 1]


@pytest.mark.parametrize("shape", ["path", "star"])
def test_a_hundred_thousand(shape: str) -> None:
    """A path in the order of its vertices would be one chain of all of them."""
    ends = np.arange(100_000)
    graph = graph_of(100_001, np.column_stack((ends if shape == "path" else 0 * ends, ends + 1)))
    record = check(graph).record
    assert record.iterations < 60
    if shape == "star":
        assert record.metrics["size"] == 100_000


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    small_graphs(),
    st.sampled_from(["degree", "random"]),
    st.integers(0, 2**32 - 1),
    st.sampled_from(LOOPS),
)
def test_random_graphs(graph: Graph, priority: str, seed: int, loop: str) -> None:
    members = check(graph, priority=priority, seed=seed, loop=loop).outputs["members"]
    own = nx.Graph()  # and by the definition, in other words
    own.add_nodes_from(range(graph.n))
    own.add_edges_from(
        (s, t) for s, t in zip(graph.csr.sources(), graph.csr.column_indices, strict=True) if s != t
    )
    chosen = set(np.flatnonzero(members).tolist())
    assert own.subgraph(chosen).number_of_edges() == 0
    assert chosen.union(*(own[v] for v in chosen)) == set(own)


LARGER = [
    GraphSpec("rmat", params={"scale": 12}),
    GraphSpec("grid2d", params={"width": 150, "height": 90}),
    GraphSpec("rgg", params={"scale": 12}),
]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@PRIORITIES
def test_larger_graphs(priority: str, loop: str, backend: str) -> None:
    for spec in LARGER:
        check(load_graph(spec, np), backend, priority=priority, loop=loop)


@pytest.mark.parametrize("backend", BACKENDS)
def test_more_vertices_than_threads(backend: str) -> None:
    """Each warp of a GPU has several hundred: more wait than a warp asks about at once."""
    side = 1000 if backend != "cpu" else 150
    graph = load_graph(GraphSpec("grid2d", params={"width": side, "height": side}), np)
    assert run(graph, backend).record.validation["verdict"] == "pass"


def test_the_same_set_whatever_the_schedule() -> None:
    graph = load_graph(LARGER[0], np)
    for threads in (1, 2, 3, 7):
        check(graph, threads=threads, runs=20)


def test_seeds_give_other_sets() -> None:
    graph = load_graph(LARGER[1], np)
    first, second = (run(graph, seed=seed).outputs["members"] for seed in (1, 2))
    assert (first != second).any()


def test_fewer_neighbours_first_makes_larger_sets() -> None:
    sizes = [
        run(load_graph(LARGER[0], np), priority=priority).record.metrics["size"]
        for priority in ("degree", "random")
    ]
    assert sizes[0] > sizes[1]


def test_the_record_and_the_trace() -> None:
    record = run(graph_of(5, [(0, 1), (0, 2), (0, 3)]), trace=True).record
    assert record.metrics == {"size": 4}
    assert record.traffic == {"read": 4, "written": 10, "passes": 1}
    assert record.mteps is None
    assert [row["phase"] for row in record.trace] == ["rank", "settle"]


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ([1, 1, 0], "2 edges within the set: 0 - 1; 1 - 0"),
        ([1, 0, 0], "1 vertices would fit: 2"),
        ([0, 0, 0], "3 vertices would fit"),
        ([2, 0, 1], "0 or 1"),
        ([1, 0], "0 or 1"),
    ],
)
def test_validation_rejects(members: list[int], words: str) -> None:
    found = PRIMITIVE.validate(graph_of(3, [(0, 1)]), {}, None, {"members": np.array(members)})
    assert found.verdict == "fail"
    assert words in found.message


def test_directed_graphs_are_refused() -> None:
    with pytest.raises(GunrockError, match="undirected"):
        run(graph_of(2, [(0, 1)], undirected=False))
