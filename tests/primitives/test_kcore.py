"""Core numbers against NetworkX, a round-by-round reference and known numbers."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from primitives.graphs_for_sets import CORNERS, LARGER, Numbers, graph_of, in_networkx, small_graphs
from runs_helper import BACKENDS, LOOPS, run_on

from gunrock_cli.bench.protocol.runner import Measured
from gunrock_cli.errors import GunrockError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.kcore import PRIMITIVE, cores_of


def run(graph: Graph, backend: str = "cpu", threads: int = 3, **how: Any) -> Measured:
    return run_on(PRIMITIVE, graph, {}, backend, threads, **how)


def by_networkx(graph: Graph) -> Numbers:
    """NetworkX's, which has no parallel edges."""
    return np.array([core for _, core in sorted(nx.core_number(in_networkx(graph)).items())], np.int32)


def check(graph: Graph, backend: str = "cpu", parallel: bool = False, **how: Any) -> Measured:
    measured = run(graph, backend, check="both", **how)
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    expected = cores_of(graph) if parallel else by_networkx(graph)
    np.testing.assert_array_equal(measured.outputs["cores"], expected)
    return measured


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    check(graph_of(n, edges, **how), backend, parallel="keep_duplicates" in how)


def test_empty_graph() -> None:
    record = run(graph_of(0, [])).record
    assert record.validation["verdict"] == "pass"
    assert record.metrics == {"degeneracy": 0, "innermost": 0}


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs(), st.sampled_from(LOOPS))
def test_random_graphs(graph: Graph, loop: str) -> None:
    parallel = bool((np.diff(graph.csr.column_indices) == 0).any())
    check(graph, parallel=parallel, loop=loop)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_larger_graphs(loop: str, backend: str) -> None:
    for spec in LARGER:
        check(load_graph(spec, np), backend, loop=loop)


def test_parallel_edges_each_count() -> None:
    """A triangle with one edge doubled: peeled at two; three edges between two vertices: at three."""
    edges = [(0, 1), (0, 1), (1, 2), (0, 2), (3, 4), (3, 4), (3, 4)]
    found = check(graph_of(5, edges, keep_duplicates=True), parallel=True)
    assert found.outputs["cores"].tolist() == [2, 2, 2, 3, 3]


def test_a_clique_on_a_path() -> None:
    """From a clique of k a path leads away; levels between have nothing to find, and are passed over."""
    k = 300
    clique = np.column_stack(np.triu_indices(k, 1))
    path = np.arange(k - 1, k + 500)
    found = check(graph_of(k + 501, np.concatenate((clique, np.column_stack((path, path + 1))))))
    assert found.outputs["cores"].tolist() == [k - 1] * k + [1] * 501
    assert found.record.iterations < 12
    assert found.record.metrics == {"degeneracy": k - 1, "innermost": k}


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_same_with_any_number_of_threads(threads: int) -> None:
    check(load_graph(LARGER[0], np), threads=threads, runs=5)


def test_the_record_and_the_trace() -> None:
    record = run(graph_of(4, [(0, 1), (0, 2), (1, 2), (2, 3)]), trace=True).record
    assert record.metrics == {"degeneracy": 2, "innermost": 3}
    assert record.traffic == {"read": 16, "written": 16, "passes": 1}
    assert record.mteps is None
    assert record.trace[0]["phase"] == "count"
    assert {row["phase"] for row in record.trace[1:]} == {"peel", "shrink"}


def test_validation_rejects() -> None:
    graph = graph_of(3, [(0, 1)])
    found = PRIMITIVE.validate(graph, PRIMITIVE.asked({}), None, {"cores": np.array([1, 1, 1])})
    assert (found.verdict, found.message) == ("fail", "1 cores differ: vertex 2: 1, expected 0")


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ([0, 1, 1], "places are no order of the vertices"),
        ([1, 0, 3], "places are no order of the vertices"),
        ([2, 0, 1], "vertex 1: 2 edges to later ones, 1 are the most"),
    ],
)
def test_wrong_orders_are_rejected(places: list[int], words: str) -> None:
    graph = graph_of(3, [(0, 1), (1, 2)])
    outputs = {"cores": np.array([1, 1, 1]), "places": np.array(places)}
    found = PRIMITIVE.validate(graph, PRIMITIVE.asked({}), None, outputs)
    assert (found.verdict, found.message) == ("fail", words)


def test_directed_graphs_are_refused() -> None:
    with pytest.raises(GunrockError, match="undirected"):
        run(graph_of(2, [(0, 1)], undirected=False))
