"""Numbers of cliques against NetworkX's enumeration, products of matrices, and known numbers."""

from __future__ import annotations

import itertools
import math
from functools import cache
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from primitives.graphs_for_sets import CORNERS, LARGER, graph_of, in_networkx, small_graphs
from runs_helper import BACKENDS, LOOPS, run_on

from gunrock_cli.bench.protocol.runner import Measured
from gunrock_cli.errors import GunrockError, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.on_gpu import as_on_gpu
from gunrock_cli.operators import neighborhoods
from gunrock_cli.operators.neighborhoods import rooms_for
from gunrock_cli.primitives.cliques import PRIMITIVE, cliques_of

SIZES = (3, 4, 6)


def run(graph: Graph, size: int, backend: str = "cpu", threads: int = 3, **how: Any) -> Measured:
    return run_on(PRIMITIVE, graph, {"size": size}, backend, threads, **how)


def check(graph: Graph, size: int, backend: str = "cpu", **how: Any) -> int:
    """Check by reference and certificate; return the number."""
    measured = run(graph, size, backend, check="both", **how)
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    found = int(measured.outputs["total"][0])
    assert measured.record.metrics == {"cliques": found}
    return found


def by_networkx(graph: Graph, size: int) -> int:
    cliques = itertools.takewhile(
        lambda clique: len(clique) <= size, nx.enumerate_all_cliques(in_networkx(graph))
    )
    return sum(len(clique) == size for clique in cliques)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("size", SIZES)
def test_corner_cases(size: int, backend: str) -> None:
    """Of these only the clique has any, of which more below."""
    for n, edges, how in (corner for name, corner in CORNERS.items() if name != "clique"):
        assert check(graph_of(n, edges, **how), size, backend) == 0


@pytest.mark.parametrize("size", SIZES)
def test_empty_graph(size: int) -> None:
    assert check(graph_of(0, []), size) == 0


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs(), st.sampled_from(SIZES))
def test_random_graphs(graph: Graph, size: int) -> None:
    assert check(graph, size) == by_networkx(graph, size)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("size", SIZES)
def test_dense_graphs(size: int, backend: str) -> None:
    """Many later neighbors, and sets of several words."""
    draw = np.random.default_rng(size)
    for n, share in ((40, 0.5), (100, 0.2), (150, 0.1)):
        edges = np.column_stack(np.triu_indices(n, 1))
        graph = graph_of(n, edges[draw.random(len(edges)) < share])
        assert check(graph, size, backend) == by_networkx(graph, size)


@cache
def larger(place: int) -> tuple[Graph, int]:
    graph = load_graph(LARGER[place], np)
    return graph, cliques_of(graph, 4)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_larger_graphs(loop: str, backend: str) -> None:
    for place in range(len(LARGER)):
        graph, expected = larger(place)
        assert run(graph, 4, backend, check="none", loop=loop).outputs["total"] == expected


@pytest.mark.parametrize("backend", BACKENDS)
def test_more_than_fit_in_32_bits(backend: str) -> None:
    n, graph = 130, graph_of(130, np.column_stack(np.triu_indices(130, 1)))
    for size in SIZES:
        found = run(graph, size, backend, check="none").outputs["total"]
        assert found.tolist() == [math.comb(n, size)]
    assert math.comb(n, 6) > 2**32


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_same_with_any_number_of_threads(threads: int) -> None:
    graph, expected = larger(2)
    assert run(graph, 4, threads=threads, runs=3, check="none").outputs["total"] == expected


def test_rooms_are_as_many_as_memory_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has more later neighbors than the longest list, or the root of all entries."""
    star = as_on_gpu(graph_of(5001, [(0, v) for v in range(1, 5001)]))
    rooms = rooms_for(star, 0)
    assert (rooms["longest"], rooms["words_each"], rooms["rooms"]) == (100, 400, 512)
    monkeypatch.setattr(neighborhoods, "MOST_BYTES", 16000)
    assert rooms_for(star, 0)["rooms"] == 10
    assert rooms_for(star, 100)["rooms"] == 1


def test_the_record_and_the_trace() -> None:
    record = run(graph_of(4, [(0, 1), (0, 2), (1, 2), (2, 3)]), 3, trace=True).record
    assert record.metrics == {"cliques": 1}
    assert record.traffic == {"read": 16, "written": 8, "passes": 1}
    assert record.options["size"] == 3
    assert [row["phase"] for row in record.trace] == ["order", "count"]


def test_validation_rejects() -> None:
    graph = graph_of(3, [(0, 1), (1, 2), (0, 2)])
    found = PRIMITIVE.validate(graph, PRIMITIVE.asked({"size": 3}), None, {"total": np.array([2])})
    assert (found.verdict, found.message) == ("fail", "2 cliques, expected 1")


def test_what_is_refused() -> None:
    with pytest.raises(GunrockError, match="undirected"):
        run(graph_of(2, [(0, 1)], undirected=False), 3)
    for size in (2, 9):
        with pytest.raises(UsageError, match="size"):
            PRIMITIVE.asked({"size": size})


def test_what_takes_too_long_to_check_is_said_to_be_unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """More cliques than are searched for one by one are left to the reference, and those that take it too
    long are counted without a check."""
    graph = graph_of(12, [(u, v) for u in range(12) for v in range(u)])
    monkeypatch.setattr("gunrock_cli.primitives.certificates.cliques.MOST_PROVED", 494)
    found = run(graph, 4, check="certificate")
    assert found.record.validation["reference"] == "scipy"
    assert found.record.validation["verdict"] == "pass"
    monkeypatch.setattr("gunrock_cli.primitives.cliques.MOST_SETS", 10)
    found = run(graph, 4, check="certificate")
    assert found.record.validation["verdict"] == "skipped"
    assert "too long" in found.record.validation["message"]
