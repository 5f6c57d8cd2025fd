"""Label propagation against SciPy, a loop over Python's counters, and known labels."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from primitives.directed_graphs import CORNERS, LARGER, directed, small_digraphs
from primitives.graphs_for_sets import Numbers, graph_of
from runs_helper import BACKENDS, LOOPS, run_on

from gunrock_cli.bench.protocol.runner import Measured
from gunrock_cli.errors import GunrockError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.cdlp import PRIMITIVE, labels_of


def run(
    graph: Graph,
    backend: str = "cpu",
    threads: int = 3,
    iterations: int = 10,
    asynchronous: bool = False,
    **how: Any,
) -> Measured:
    given = {"max_iterations": iterations, "asynchronous": asynchronous}
    return run_on(PRIMITIVE, graph, given, backend, threads, **how)


def check(graph: Graph, backend: str = "cpu", **how: Any) -> Measured:
    measured = run(graph, backend, check="both", **how)
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    return measured


def by_counters(graph: Graph, iterations: int) -> Numbers:
    around: list[list[int]] = [[] for _ in range(graph.n)]
    for u, v in zip(graph.csr.sources().tolist(), graph.csr.column_indices.tolist(), strict=True):
        around[u].append(v)
        if not graph.undirected:
            around[v].append(u)
    labels = list(range(graph.n))
    for _ in range(iterations):
        counts = [Counter(labels[u] for u in each) for each in around]
        labels = [
            min((-times, label) for label, times in count.items())[1] if count else own
            for own, count in zip(labels, counts, strict=True)
        ]
    return np.array(labels, np.int32)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    check(directed(n, edges, **how), backend)


def test_empty_graph() -> None:
    record = run(directed(0, [])).record
    assert record.validation["verdict"] == "pass"
    assert record.metrics["communities"] == 0


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_digraphs(), st.integers(0, 5), st.sampled_from(LOOPS))
def test_random_graphs(graph: Graph, iterations: int, loop: str) -> None:
    found = check(graph, iterations=iterations, loop=loop).outputs["communities"]
    np.testing.assert_array_equal(found, by_counters(graph, iterations))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_larger_graphs(loop: str, backend: str) -> None:
    for spec in LARGER:
        check(load_graph(spec, np), backend, loop=loop)


@pytest.mark.parametrize("backend", BACKENDS)
def test_lists_that_need_tables_in_memory(backend: str) -> None:
    """Of 20,000 neighbors with labels of their own, and then with a few."""
    n = 20_000
    star = np.column_stack((np.zeros(n - 1, int), np.arange(1, n)))
    ring = np.column_stack((np.arange(1, n), np.arange(2, n + 1) % n))
    for undirected in (True, False):
        check(directed(n, np.concatenate((star, ring)), undirected=undirected), backend, iterations=3)


def test_ties_go_to_the_smallest_label() -> None:
    """A path's vertices see two labels; an edge both ways counts twice."""
    assert run(graph_of(3, [(0, 1), (1, 2)]), iterations=1).outputs["communities"].tolist() == [1, 0, 1]
    twice = directed(3, [(0, 1), (1, 2), (2, 1)])
    assert run(twice, iterations=1).outputs["communities"].tolist() == [1, 2, 1]
    assert run(twice, iterations=2).outputs["communities"].tolist() == [2, 1, 2]


def test_an_end_without_change() -> None:
    """Two cliques with a bridge settle; two vertices exchange their labels for ever."""
    cliques = [(u, v) for low in (0, 5) for u in range(low, low + 5) for v in range(u) if v >= low]
    found = check(graph_of(10, [*cliques, (4, 5)]), iterations=1000)
    assert found.outputs["communities"].tolist() == [0] * 5 + [5] * 5
    assert found.record.iterations < 10
    pair = graph_of(2, [(0, 1)])
    assert check(pair, iterations=7).outputs["communities"].tolist() == [1, 0]
    assert check(pair, iterations=8).record.iterations == 8


def is_settled(graph: Graph, labels: Numbers) -> bool:
    """True if every vertex has one of the labels that most of its neighbors have, by Python's
    counters."""
    seen: list[Counter[int]] = [Counter() for _ in range(graph.n)]
    for u, v in zip(graph.csr.sources().tolist(), graph.csr.column_indices.tolist(), strict=True):
        seen[u][int(labels[v])] += 1
        if not graph.undirected:
            seen[v][int(labels[u])] += 1
    pairs = zip(seen, labels.tolist(), strict=True)
    return all(not count or count[label] == max(count.values()) for count, label in pairs)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_digraphs(), st.sampled_from([1, 2, 1000]), st.sampled_from(LOOPS))
def test_asynchronous_labels_settle(graph: Graph, iterations: int, loop: str) -> None:
    found = check(graph, iterations=iterations, loop=loop, asynchronous=True)
    if found.record.iterations < iterations:
        assert is_settled(graph, found.outputs["communities"])
    assert found.record.iterations < 1000


@pytest.mark.parametrize("backend", BACKENDS)
def test_asynchronous_labels_of_larger_graphs(backend: str) -> None:
    for spec in LARGER:
        graph = load_graph(spec, np)
        labels = check(graph, backend, iterations=1000, asynchronous=True).outputs["communities"]
        again = run(graph, backend, 1, 1000, asynchronous=True, loop="host").outputs["communities"]
        np.testing.assert_array_equal(labels, again)
        assert is_settled(graph, labels)
    pair = run(graph_of(2, [(0, 1)]), backend, iterations=1000, asynchronous=True)
    assert len(set(pair.outputs["communities"].tolist())) == 1


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_same_with_any_number_of_threads(threads: int) -> None:
    check(load_graph(LARGER[0], np), threads=threads, runs=3)


def test_the_record_and_the_trace() -> None:
    record = run(directed(3, [(0, 1), (1, 2)]), trace=True, iterations=2).record
    assert record.traffic == {"read": 28, "written": 12, "passes": 2}
    assert [row["phase"] for row in record.trace] == ["begin", "join", "propagate", "propagate"]
    assert record.iterations == 2
    assert record.metrics["iteration_ms"] == pytest.approx(record.runs_ms[0] / 2)


def test_lists_too_long_to_join_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gunrock_cli.primitives.cdlp.most_entries", lambda graph: 3)
    run(graph_of(3, [(0, 1), (1, 2)]))
    with pytest.raises(GunrockError, match="2 edges has lists of 4 neighbors, and 3 are the most"):
        run(directed(3, [(0, 1), (1, 2)]))


def test_the_reference_multiplies_some_rows_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = load_graph(LARGER[0], np)
    whole = labels_of(graph, 4)
    monkeypatch.setattr("gunrock_cli.primitives.cdlp._ENTRIES_AT_ONCE", 300)
    np.testing.assert_array_equal(labels_of(graph, 4), whole)


def test_validation_rejects() -> None:
    graph = graph_of(2, [(0, 1)])
    found = PRIMITIVE.validate(
        graph, PRIMITIVE.asked({"max_iterations": 1}), None, {"communities": np.array([1, 1])}
    )
    assert (found.verdict, found.message) == ("fail", "1 communities differ: vertex 1: 1, expected 0")
