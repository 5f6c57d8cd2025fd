"""Clustering coefficients against NetworkX and the definition by sets, of undirected and directed
graphs."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from primitives.graphs_for_sets import CORNERS, LARGER, Numbers, graph_of, in_networkx
from runs_helper import BACKENDS, LOOPS, run_on

from gunrock_cli.bench.protocol.runner import Measured
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives.clustering import PRIMITIVE, links_and_pairs

DIRECTED = GraphSpec("rmat", params={"scale": 9}, undirected=False)


def run(graph: Graph, backend: str = "cpu", threads: int = 3, **how: Any) -> Measured:
    return run_on(PRIMITIVE, graph, {}, backend, threads, **how)


def by_definition(graph: Graph) -> tuple[Numbers, float]:
    """The share of the pairs of neighbors, by out- or in-edges, that are edges; and of all pairs."""
    ends = zip(graph.csr.sources().tolist(), graph.csr.column_indices.tolist(), strict=True)
    out: list[set[int]] = [set() for _ in range(graph.n)]
    for u, v in ends:
        if u != v:
            out[u].add(v)
    around = [set(each) for each in out]
    for u, each in enumerate(out):
        for v in each:
            around[v].add(u)
    links = [sum(len(out[u] & near) for u in near) for near in around]
    pairs = [len(near) * (len(near) - 1) for near in around]
    shares = [a / b if b else 0.0 for a, b in zip(links, pairs, strict=True)]
    return np.array(shares), sum(links) / max(sum(pairs), 1)


def check(graph: Graph, backend: str = "cpu", **how: Any) -> None:
    measured = run(graph, backend, check="both", **how)
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    shares, whole = by_definition(graph)
    found = measured.outputs
    np.testing.assert_array_equal(found["coefficients"], shares)
    assert found["transitivity"].tolist() == [whole]
    assert found["average"].tolist() == [pytest.approx(shares.mean(), rel=1e-12)]
    assert measured.record.metrics == {"average": found["average"][0], "transitivity": whole}


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(1, 24))
    vertex = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex), max_size=90))
    how = {key: draw(st.booleans()) for key in ("undirected", "keep_self_loops", "keep_duplicates")}
    return graph_of(n, edges, **how)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("undirected", [True, False])
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, undirected: bool, backend: str) -> None:
    n, edges, how = CORNERS[name]
    check(graph_of(n, edges, undirected=undirected, **how), backend)


@pytest.mark.parametrize("undirected", [True, False])
def test_empty_graph(undirected: bool) -> None:
    record = run(graph_of(0, [], undirected=undirected)).record
    assert (record.validation["verdict"], record.metrics) == ("pass", {"average": 0, "transitivity": 0})


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graphs(), st.sampled_from(LOOPS))
def test_random_graphs(graph: Graph, loop: str) -> None:
    check(graph, loop=loop)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("spec", [*LARGER, DIRECTED], ids=["rmat", "grid2d", "rgg", "directed"])
def test_larger_graphs(spec: GraphSpec, backend: str) -> None:
    check(load_graph(spec, np), backend)


def test_of_undirected_graphs_they_are_networkxs() -> None:
    graph = load_graph(LARGER[2], np)
    own, found = in_networkx(graph), run(graph).outputs
    assert found["coefficients"].tolist() == list(nx.clustering(own).values())
    assert found["average"][0] == pytest.approx(nx.average_clustering(own), rel=1e-12)
    assert found["transitivity"].tolist() == [nx.transitivity(own)]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_same_with_any_number_of_threads(threads: int) -> None:
    check(load_graph(DIRECTED, np), threads=threads)


def test_directed_graphs_of_known_shares() -> None:
    """The hub of a wheel: its neighbors' ring has as many edges as there are neighbors. It is a neighbor
    by either kind of edge."""
    k = 7
    rim = np.arange(1, k + 1)
    ring = np.column_stack((rim, rim % k + 1))
    for spokes in (np.column_stack((0 * rim, rim)), np.column_stack((rim, 0 * rim))):
        graph = graph_of(k + 1, np.concatenate((spokes, ring)), undirected=False)
        found = run(graph).outputs["coefficients"]
        assert found.tolist() == [k / (k * (k - 1))] + [2 / 6] * k


def test_the_record_and_the_trace() -> None:
    edges = [(0, 1), (0, 2), (1, 2), (2, 3)]
    record = run(graph_of(5, edges), trace=True).record
    assert record.traffic == {"read": 16, "written": 40, "passes": 1}
    assert [row["phase"] for row in record.trace] == ["list", "list", "count", "divide"]
    record = run(graph_of(5, edges, undirected=False), trace=True).record
    assert record.traffic == {"read": 16, "written": 40, "passes": 1}
    assert [row["phase"] for row in record.trace] == [*4 * ["list"], "count", "divide"]


def test_more_neighbors_than_fit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = graph_of(3, [(0, 1), (1, 2)], undirected=False)
    monkeypatch.setattr("gunrock_cli.primitives.clustering.most_entries", lambda graph: 3)
    with pytest.raises(UsageError, match="lists of 4 neighbors, and 3 are the most; use --undirected"):
        run(graph)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"coefficients": [1.0, 1.0, 0.5, 0.0]}, "vertex 2: 0.5, expected 0.333"),
        ({"coefficients": [1.0, 1.0, 1 / 3 * (1 + 1e-10), 0.0]}, "1 coefficients differ"),
        ({"coefficients": [1.0]}, "shape"),
        ({"average": [0.6]}, "average is 0.6, expected 0.58"),
        ({"transitivity": [0.5]}, "transitivity is 0.5, expected 0.6"),
    ],
)
def test_validation_rejects(change: dict[str, list[float]], words: str) -> None:
    graph = graph_of(4, [(0, 1), (0, 2), (1, 2), (2, 3)])
    right = {
        "coefficients": [1.0, 1.0, 1 / 3 * (1 + 1e-15), 0.0],
        "average": [7 / 12],
        "transitivity": [0.6],
    }
    verdicts = [
        PRIMITIVE.validate(
            graph, PRIMITIVE.asked({}), None, {name: np.array(values) for name, values in given.items()}
        )
        for given in (right, {**right, **change})
    ]
    assert [each.verdict for each in verdicts] == ["pass", "fail"]
    assert words in verdicts[1].message


def test_the_reference_takes_rows_in_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = load_graph(DIRECTED, np)
    whole = links_and_pairs(graph)
    monkeypatch.setattr("gunrock_cli.primitives.references._ENTRIES_AT_ONCE", 50)
    np.testing.assert_array_equal(links_and_pairs(graph), whole)
