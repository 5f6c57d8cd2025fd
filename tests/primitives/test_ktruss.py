"""Trussness against NetworkX, a reference over a list of triangles, and known numbers."""

from __future__ import annotations

import itertools
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from primitives.graphs_for_sets import CORNERS, LARGER, Numbers, graph_of, in_networkx, small_graphs
from runs_helper import BACKENDS, LOOPS, run_on

from gunrock_cli.bench.protocol.runner import Measured
from gunrock_cli.errors import GunrockError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives import ktruss
from gunrock_cli.primitives.ktruss import PRIMITIVE, trussness_of


def run(graph: Graph, backend: str = "cpu", threads: int = 3, **how: Any) -> Measured:
    return run_on(PRIMITIVE, graph, {}, backend, threads, **how)


def check(graph: Graph, backend: str = "cpu", **how: Any) -> Measured:
    """Check by reference and certificate."""
    measured = run(graph, backend, check="both", **how)
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    return measured


def by_networkx(graph: Graph) -> Numbers:
    """NetworkX's trusses, one after the other, as trussness of entries."""
    own = in_networkx(graph)
    of_edge = {frozenset(edge): 2 for edge in own.edges}
    for k in itertools.count(3):
        own = nx.k_truss(own, k)
        if not own.number_of_edges():
            break
        of_edge.update((frozenset(edge), k) for edge in own.edges)
    ends = zip(graph.csr.sources().tolist(), graph.csr.column_indices.tolist(), strict=True)
    return np.array([of_edge.get(frozenset(edge), 0) for edge in ends], np.int32)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    graph = graph_of(n, edges, **how)
    found = check(graph, backend).outputs
    np.testing.assert_array_equal(found["sources"], graph.csr.sources())
    np.testing.assert_array_equal(found["targets"], graph.csr.column_indices)
    apart = found["sources"] != found["targets"]
    assert set(found["trussness"][apart].tolist()) <= {150 if name == "clique" else 2}
    assert not found["trussness"][~apart].any()


def test_empty_graph() -> None:
    record = run(graph_of(0, [])).record
    assert record.validation["verdict"] == "pass"
    assert record.metrics == {"trussness": 0, "innermost": 0}


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs())
def test_random_graphs(graph: Graph) -> None:
    np.testing.assert_array_equal(check(graph).outputs["trussness"], by_networkx(graph))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_larger_graphs(loop: str, backend: str) -> None:
    for spec in LARGER:
        check(load_graph(spec, np), backend, loop=loop)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_same_with_any_number_of_threads(threads: int) -> None:
    check(load_graph(LARGER[2], np), threads=threads, runs=3)


def test_cliques_on_a_path() -> None:
    """Cliques of 40 and of 20, joined by a path: levels in between have nothing to find."""
    large, small = itertools.combinations(range(40), 2), itertools.combinations(range(60, 80), 2)
    graph = graph_of(80, [*large, *((v, v + 1) for v in range(39, 60)), *small])
    measured = check(graph)
    tails, heads = graph.csr.sources(), graph.csr.column_indices
    expected = np.full(graph.m, 2)
    expected[(tails < 40) & (heads < 40)] = 40
    expected[(tails >= 60) & (heads >= 60)] = 20
    np.testing.assert_array_equal(measured.outputs["trussness"], expected)
    assert measured.record.iterations < 20
    assert measured.record.metrics == {"trussness": 40, "innermost": 780}


def test_loops_and_repetitions_do_not_count() -> None:
    edges = [(0, 1), (0, 1), (1, 2), (0, 2), (2, 2), (2, 3), (3, 3), (3, 3)]
    graph = graph_of(4, edges, keep_duplicates=True, keep_self_loops=True)
    measured = check(graph)
    ends = zip(graph.csr.sources().tolist(), graph.csr.column_indices.tolist(), strict=True)
    expected = [0 if u == v else 2 if 3 in (u, v) else 3 for u, v in ends]
    assert measured.outputs["trussness"].tolist() == expected
    assert measured.record.metrics == {"trussness": 3, "innermost": 3}


def test_the_reference_takes_paths_in_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = graph_of(60, np.random.default_rng(1).integers(0, 60, (400, 2)))
    whole = trussness_of(graph)
    monkeypatch.setattr(ktruss, "_PATHS_AT_ONCE", 50)
    np.testing.assert_array_equal(trussness_of(graph), whole)
    np.testing.assert_array_equal(whole, by_networkx(graph))


def test_the_record_and_the_trace() -> None:
    record = run(graph_of(4, [(0, 1), (0, 2), (1, 2), (2, 3)]), trace=True).record
    assert record.metrics == {"trussness": 3, "innermost": 3}
    assert record.traffic == {"read": 16, "written": 16, "passes": 1}
    assert record.mteps is None
    phases = [row["phase"] for row in record.trace]
    assert phases[:4] == ["link", "list", "count", "collect"]
    assert (set(phases[4:-1]), phases[-1]) == ({"collect", "peel"}, "fill")


def test_validation_rejects() -> None:
    graph = graph_of(3, [(0, 1)])
    found = PRIMITIVE.validate(graph, PRIMITIVE.asked({}), None, {"trussness": np.array([2, 3])})
    assert (found.verdict, found.message) == ("fail", "1 trussness differ: entry 1: 3, expected 2")


def test_directed_graphs_are_refused() -> None:
    with pytest.raises(GunrockError, match="undirected"):
        run(graph_of(2, [(0, 1)], undirected=False))
