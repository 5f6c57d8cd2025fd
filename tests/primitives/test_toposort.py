"""Topological levels against NetworkX, a round-by-round reference, and known ones."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from primitives.directed_graphs import CORNERS, FAR, LARGER, directed, path, small_digraphs
from runs_helper import BACKENDS, LOOPS, run_on

from gunrock_cli.bench.protocol.runner import Measured
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.toposort import PRIMITIVE


def run(graph: Graph, backend: str = "cpu", threads: int = 3, **how: Any) -> Measured:
    return run_on(PRIMITIVE, graph, {}, backend, threads, **how)


def check(graph: Graph, backend: str = "cpu", **how: Any) -> Measured:
    measured = run(graph, backend, check="both", **how)
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    return measured


def in_order(graph: Graph) -> Graph:
    """The same with its edges from the smaller to the greater vertex."""
    ends = np.sort(np.column_stack((graph.csr.sources(), graph.csr.column_indices)), axis=1)
    return directed(graph.n, ends)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    check(directed(n, edges, **how), backend)
    check(in_order(directed(n, edges)), backend)


def test_empty_graph() -> None:
    record = run(directed(0, [])).record
    assert record.validation["verdict"] == "pass"
    assert record.metrics == {"levels": 0, "first": 0, "unordered": 0}


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_digraphs(), st.sampled_from(LOOPS))
def test_random_graphs(graph: Graph, loop: str) -> None:
    found = check(graph, loop=loop).outputs
    ends = zip(graph.csr.sources().tolist(), graph.csr.column_indices.tolist(), strict=True)
    own = nx.DiGraph(ends)
    own.add_nodes_from(range(graph.n))
    assert nx.is_directed_acyclic_graph(own) == (len(found["cycle"]) == 0)
    if not len(found["cycle"]):
        for level, vertices in enumerate(nx.topological_generations(own)):
            assert sorted(vertices) == np.flatnonzero(found["levels"] == level).tolist()
    places = {v: place for place, v in enumerate(found["order"].tolist())}
    assert all(places[u] < places[v] for u, v in own.edges if v in places)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_larger_graphs(loop: str, backend: str) -> None:
    for spec in LARGER:
        graph = load_graph(spec, np)
        check(graph, backend, loop=loop)
        found = check(in_order(graph), backend, loop=loop)
        assert "cycle" not in found.record.metrics


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("backward", [False, True])
def test_a_long_way(backward: bool, backend: str) -> None:
    edges = path(FAR)[:, ::-1] if backward else path(FAR)
    found = run(directed(FAR, edges), backend, 1, check="certificate")
    assert found.record.validation["verdict"] == "pass"
    expected = np.arange(FAR)[::-1] if backward else np.arange(FAR)
    np.testing.assert_array_equal(found.outputs["levels"], expected)


def test_the_longest_path_counts() -> None:
    found = check(directed(5, [(0, 1), (1, 2), (2, 3), (0, 3), (0, 4)])).outputs
    assert found["levels"].tolist() == [0, 1, 2, 3, 1]
    assert found["order"].tolist() == [0, 1, 4, 2, 3]


def test_a_cycle_is_shown() -> None:
    """What follows a cycle has no level, and is not part of it."""
    found = check(directed(7, [(6, 5), (5, 2), (2, 4), (4, 3), (3, 2), (3, 1), (0, 1)]))
    assert found.outputs["levels"].tolist() == [0, -1, -1, -1, -1, 1, 0]
    assert found.outputs["cycle"].tolist() == [2, 4, 3]
    told = {"cycle_length": 3, "cycle": "2 -> 4 -> 3 -> 2"}
    assert found.record.metrics == {"levels": 2, "first": 2, "unordered": 4, **told}
    ring = [(v, (v + 1) % 30) for v in range(30)]
    assert check(directed(30, ring)).record.metrics["cycle"] == (
        "0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> ..."
    )
    loop = check(directed(2, [(0, 1), (1, 1)], keep_self_loops=True)).outputs
    assert loop["cycle"].tolist() == [1]


def test_the_record_and_the_trace() -> None:
    record = run(directed(3, [(0, 1), (1, 2)]), trace=True).record
    assert record.traffic == {"read": 12, "written": 12, "passes": 1}
    assert [row["phase"] for row in record.trace] == ["begin", "level", "level", "level"]


@pytest.mark.parametrize(
    ("levels", "cycle", "words"),
    [
        ([0, -1, -1], [], "no cycle is shown that leads to 2 vertices"),
        ([0, -1, -1], [1, 0], "the cycle has no edge from 1 to 0"),
        ([0, -1, -1], [1, 3], "the cycle has vertices that there are not"),
        ([0, 1, -1], [1, 2], "1 levels differ: vertex 1: 1, expected -1"),
    ],
)
def test_validation_rejects(levels: list[int], cycle: list[int], words: str) -> None:
    graph = directed(3, [(0, 1), (1, 2), (2, 1)])
    outputs = {"levels": np.array(levels), "cycle": np.array(cycle, np.int32)}
    found = PRIMITIVE.validate(graph, PRIMITIVE.asked({}), None, outputs)
    assert (found.verdict, found.message) == ("fail", words)
