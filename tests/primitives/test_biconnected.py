"""Biconnected components against NetworkX, a depth-first search, and known ones."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from primitives.directed_graphs import FAR, path, ring
from primitives.graphs_for_sets import CORNERS, LARGER, Numbers, graph_of, in_networkx, small_graphs
from runs_helper import BACKENDS, LOOPS, run_on

from gunrock_cli.bench.protocol.runner import Measured
from gunrock_cli.errors import GunrockError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.biconnected import PRIMITIVE


def run(graph: Graph, backend: str = "cpu", threads: int = 3, **how: Any) -> Measured:
    return run_on(PRIMITIVE, graph, {}, backend, threads, **how)


def check(graph: Graph, backend: str = "cpu", **how: Any) -> Measured:
    measured = run(graph, backend, check="both", **how)
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    return measured


@pytest.mark.parametrize("backend", BACKENDS)
def test_corner_cases(backend: str) -> None:
    for n, edges, how in CORNERS.values():
        check(graph_of(n, edges, **how), backend)


def test_empty_graph() -> None:
    record = run(graph_of(0, [])).record
    assert record.validation["verdict"] == "pass"
    none = {"components": 0, "largest_component": 0, "articulation_points": 0, "bridges": 0}
    assert record.metrics == none


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs(), st.sampled_from(LOOPS))
def test_random_graphs(graph: Graph, loop: str) -> None:
    found, own = check(graph, loop=loop).outputs, in_networkx(graph)
    entries = list(zip(found["sources"].tolist(), found["targets"].tolist(), strict=True))
    components: dict[int, set[frozenset[int]]] = {}
    for edge, number in zip(entries, found["components"].tolist(), strict=True):
        assert (number < 0) == (edge[0] == edge[1])
        if number >= 0:
            components.setdefault(number, set()).add(frozenset(edge))
    assert list(components) == list(range(len(components)))
    expected = [map(frozenset, some) for some in nx.biconnected_component_edges(own)]
    assert {*map(frozenset, expected)} == {*map(frozenset, components.values())}
    assert found["articulation_points"].tolist() == sorted(nx.articulation_points(own))
    bridges = sorted((min(u, v), max(u, v)) for u, v in nx.bridges(own))
    assert [edge for edge in bridges if entries.count(edge) == 1] == [
        (u, v) for u, v in found["bridges"].tolist()
    ]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_larger_graphs(loop: str, backend: str) -> None:
    for spec in LARGER:
        check(load_graph(spec, np), backend, loop=loop)


def test_the_same_with_any_number_of_threads() -> None:
    """Whichever tree a search finds."""
    graph = load_graph(LARGER[2], np)
    one, *others = [check(graph, threads=threads, runs=3).outputs for threads in (1, 2, 5)]
    for other in others:
        for name, array in one.items():
            np.testing.assert_array_equal(array, other[name])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("edges", "components"), [(path(FAR), FAR - 1), (ring(FAR), 1)])
def test_a_long_way(edges: Numbers, components: int, backend: str) -> None:
    record = run(graph_of(FAR, edges), backend, 1, check="certificate").record
    assert record.validation["verdict"] == "pass"
    assert record.metrics["components"] == components


def test_a_clique_between_rings() -> None:
    """Two rings that meet in 3, a clique that one of them leads to by a bridge, and a repeated edge."""
    rings = [(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 5), (5, 3)]
    clique = [(u, v) for u in range(6, 10) for v in range(u + 1, 10)]
    edges = [*rings, (5, 6), *clique, (9, 10), (9, 10), (10, 10)]
    measured = check(graph_of(11, edges, keep_duplicates=True, keep_self_loops=True))
    assert measured.outputs["articulation_points"].tolist() == [3, 5, 6, 9]
    assert measured.outputs["bridges"].tolist() == [[5, 6]]
    assert measured.record.metrics == {
        "components": 5,
        "largest_component": 6,
        "articulation_points": 4,
        "bridges": 1,
    }
    found = measured.outputs
    assert found["components"][found["sources"] == found["targets"]].tolist() == [-1]


def test_the_record_and_the_trace() -> None:
    record = run(graph_of(4, [(0, 1), (0, 2), (1, 2), (2, 3)]), trace=True).record
    assert record.traffic == {"read": 16, "written": 16, "passes": 1}
    phases = [row["phase"] for row in record.trace]
    assert phases[:3] == ["connect", "compress", "begin"]
    assert (set(phases[3:-4]), phases[-4:]) == ({"level"}, ["close", "join", "name", "cut"])


@pytest.mark.parametrize(
    ("output", "wrong", "message"),
    [
        (
            "components",
            [0, 0, 0, 0],
            "2 components differ: entry 2: 0, expected 1; entry 3: 0, expected 1",
        ),
        ("articulation_points", [], "articulation points: shape (0,), expected (1,)"),
        ("bridges", [[0, 1]], "the bridges are not the components of one edge"),
    ],
)
def test_validation_rejects(output: str, wrong: list[Any], message: str) -> None:
    graph = graph_of(3, [(0, 1), (1, 2)])
    outputs = {**run(graph).outputs, output: np.array(wrong, np.int32)}
    found = PRIMITIVE.validate(graph, PRIMITIVE.asked({}), None, outputs)
    assert (found.verdict, found.message) == ("fail", message)


def test_directed_graphs_are_refused() -> None:
    with pytest.raises(GunrockError, match="undirected"):
        run(graph_of(2, [(0, 1)], undirected=False))
