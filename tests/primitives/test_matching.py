"""Matchings against a greedy walk through the edges in order, and NetworkX's heaviest."""

from __future__ import annotations

import itertools
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gunrock_cli as gunrock
from gunrock_cli.bench.runner import Measured, Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.build import build_graph
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model import Graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.graph.weights import with_weights
from gunrock_cli.primitives import matching
from gunrock_cli.primitives.matching import PRIMITIVE

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
LOOPS = ["device", "host"]
WAYS: list[dict[str, Any]] = [{}, {"by": "random"}, {"priority_seed": 7},
                              {"by": "random", "priority_seed": 7}]
MASK = 2**32 - 1
Edges = list[tuple[int, int, float]]


def graph_of(n: int, edges: Edges, dtype: str = "int32", **how: Any) -> Graph:
    ends = np.array([edge[:2] for edge in edges], np.int64).reshape(-1, 2)
    weights = np.array([edge[2] for edge in edges], dtype)
    return build_graph(n, ends[:, 0], ends[:, 1], weights, xp=np, **how)


def options_of(way: dict[str, Any]) -> dict[str, Any]:
    return {option.key: option.default for option in PRIMITIVE.options} | way


def is_integer(graph: Graph) -> bool:
    """Then both kinds of order are tried: each of weights' types is a build more."""
    return graph.csr.values is not None and graph.csr.values.dtype == np.int32


def run(graph: Graph, backend: str = "cpu", threads: int = 3, way: dict[str, Any] | None = None,
        **protocol: Any) -> Measured:
    chosen = choose_backend(backend, threads)
    return measure(PRIMITIVE, graph.to(chosen.xp), options_of(way or {}), [], chosen,
                   Protocol(**{"runs": 1, "warmup": 0, **protocol}))


def scattered(x: int) -> int:
    x = ((x ^ x >> 16) * 0x7FEB352D) & MASK
    x = ((x ^ x >> 15) * 0x846CA68B) & MASK
    return x ^ x >> 16


def edges_of(graph: Graph) -> Edges:
    """Each once."""
    assert graph.csr.values is not None
    tails = np.repeat(np.arange(graph.n), graph.csr.degrees()).tolist()
    every = zip(tails, graph.csr.column_indices.tolist(), graph.csr.values.tolist(), strict=True)
    return [edge for edge in every if edge[0] < edge[1]]


def greedy(graph: Graph, by: str = "weight", priority_seed: int = 0) -> list[int]:
    """One edge after the other: the heaviest, the least random rank, the least ends."""
    def place(edge: tuple[int, int, float]) -> tuple[float, int, int, int]:
        u, v, weight = edge
        rank = scattered((scattered(u ^ priority_seed) + v) & MASK)
        return -weight if by == "weight" else 0, rank, u, v

    mates = [-1] * graph.n
    for u, v, _ in sorted(edges_of(graph), key=place):
        if mates[u] < 0 and mates[v] < 0:
            mates[u], mates[v] = v, u
    return mates


def check(graph: Graph, backend: str = "cpu", way: dict[str, Any] | None = None, **how: Any) -> Measured:
    measured = run(graph, backend, way=way, **how)
    assert measured.outputs["mates"].tolist() == greedy(graph, **(way or {}))
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    return measured


def weighed(pairs: Any, weights: Any) -> Edges:
    return [(int(u), int(v), w) for (u, v), w in zip(pairs, weights, strict=False)]


PATH = list(itertools.pairwise(range(3000)))
DICE = np.random.default_rng(1).integers(0, 9, 10_000).tolist()
EVEN = itertools.repeat(5)
CORNERS: dict[str, tuple[int, Edges, dict[str, Any]]] = {
    "one vertex": (1, [], {}),
    "no edges": (5, [], {}),
    "a loop alone": (1, [(0, 0, 3)], {"keep_self_loops": True}),
    "loops heavier than all": (4, [(0, 0, 9), (1, 1, 9), (0, 1, 5), (2, 2, 9), (1, 2, 7), (2, 3, 2)],
                               {"keep_self_loops": True}),
    "duplicates of different weights": (5, [(2, 3, 9), (3, 2, 4), (2, 3, 4), (0, 1, 7), (1, 2, 8),
                                            (0, 1, 9), (3, 4, 9)], {"keep_duplicates": True}),
    "disconnected": (8, [(0, 1, 3), (1, 2, 3), (0, 2, 3), (4, 5, 1), (5, 6, 1), (6, 4, 1)], {}),
    "star": (4000, weighed(((0, v) for v in range(1, 4000)), DICE), {}),
    "star around the last": (4000, weighed(((3999, v) for v in range(3999)), EVEN), {}),
    "two stars": (4001, weighed([*((v % 2, v) for v in range(2, 4000)), (0, 4000), (1, 4000)], DICE), {}),
    "path upwards": (3000, weighed(PATH, range(3000)), {}),
    "path downwards": (3000, weighed(PATH, range(3000, 0, -1)), {}),
    "path of equal weights": (3000, weighed(PATH, EVEN), {}),
    "cycle of three": (3, [(0, 1, 2), (1, 2, 2), (2, 0, 2)], {}),
    "clique": (60, weighed(itertools.combinations(range(60), 2), DICE), {}),
    "clique of equal weights": (61, weighed(itertools.combinations(range(61), 2), EVEN), {}),
    "bipartite": (80, weighed(itertools.product(range(40), range(40, 80)), DICE), {}),
    "pairs": (2000, weighed(((2 * v, 2 * v + 1) for v in range(1000)), DICE), {}),
    "zeros": (4, [(0, 1, 0), (1, 2, 0), (2, 3, 0)], {}),
    "extremes": (5, [(0, 1, 2**31 - 1), (1, 2, 0), (2, 3, 2**31 - 2), (3, 4, 2**31 - 1)], {}),
    "floats": (5, [(0, 1, 0.5), (1, 2, 0.25), (2, 0, 1e38), (2, 3, 1e-40), (3, 4, 0.0), (0, 4, -0.0)],
               {"dtype": "float32"}),
}


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, backend: str, loop: str) -> None:
    n, edges, how = CORNERS[name]
    for way in WAYS[:1] if how.get("dtype") else WAYS[:2]:
        check(graph_of(n, edges, **how), backend, way, loop=loop)


@pytest.mark.parametrize("backend", BACKENDS)
def test_empty_graph(backend: str) -> None:
    assert check(graph_of(0, []), backend).record.metrics == {"size": 0, "weight": 0}


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_long_chain_of_edges_that_wait_for_each_other(backend: str) -> None:
    """A block does it alone, a few vertices at a time, and not everyone in every round."""
    n = 20_000
    rows = check(graph_of(n, weighed(itertools.pairwise(range(n)), range(n))), backend,
                 trace=True).record.trace
    assert len(rows) > n
    assert sum(row["frontier_vertices"] for row in rows) < 10 * n
    assert all(row["one_block"] for row in rows[3:])


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_star_of_a_hundred_thousand(backend: str) -> None:
    star = graph_of(100_000, weighed(((0, v) for v in range(1, 100_000)), itertools.cycle(DICE)))
    assert check(star, backend).record.metrics["size"] == 1


@st.composite
def small_graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(1, 24))
    vertex = st.integers(0, n - 1)
    kind = draw(st.sampled_from(["int32", "float32"]))
    weight: Any = st.integers(0, 4) if kind == "int32" else st.sampled_from([0.0, 0.25, 1e-45, 3.0])
    edges = draw(st.lists(st.tuples(vertex, vertex, weight), max_size=60))
    return graph_of(n, edges, kind, keep_self_loops=draw(st.booleans()),
                    keep_duplicates=draw(st.booleans()))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs(), st.sampled_from(WAYS), st.sampled_from(LOOPS))
def test_random_graphs(graph: Graph, way: dict[str, Any], loop: str) -> None:
    check(graph, way=way if is_integer(graph) else WAYS[0], loop=loop)


@pytest.mark.gpu
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs(), st.sampled_from(WAYS), st.sampled_from(LOOPS))
def test_random_graphs_on_the_gpu(graph: Graph, way: dict[str, Any], loop: str) -> None:
    check(graph, "cuda", way, loop=loop)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs())
def test_at_least_half_of_the_heaviest_and_of_the_largest(graph: Graph) -> None:
    own = nx.Graph()
    for u, v, weight in edges_of(graph):
        own.add_edge(u, v, weight=max(weight, own.get_edge_data(u, v, {"weight": 0})["weight"]))
    best = sum(own.edges[edge]["weight"] for edge in nx.max_weight_matching(own))
    metrics = run(graph).record.metrics
    assert 2 * metrics["weight"] >= best - 1e-6
    largest = len(nx.max_weight_matching(own, maxcardinality=True, weight=None))
    assert 2 * metrics["size"] >= largest
    assert 2 * run(graph, way={"by": "random"}).record.metrics["size"] >= largest


def larger() -> list[Graph]:
    rmat = load_graph(GraphSpec("rmat", params={"scale": 10}), np)
    mesh = load_graph(GraphSpec("grid2d", params={"width": 70, "height": 50}), np)
    return [with_weights(rmat, "random:1:64"), with_weights(rmat, "unit"), with_weights(mesh, "unit"),
            with_weights(mesh, "random:0:1", "float32")]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_larger_graphs(loop: str, backend: str) -> None:
    for graph in larger():
        for way in WAYS[:2] if is_integer(graph) else WAYS[:1]:
            check(graph, backend, way, loop=loop)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_same_matching_every_time(backend: str) -> None:
    for graph in larger()[1:3]:
        expected = greedy(graph)
        for threads in (1, 2, 7):
            for _ in range(3):
                found = run(graph, backend, threads, runs=5, validate=False)
                assert found.outputs["mates"].tolist() == expected


def test_seeds_give_others() -> None:
    graph = larger()[1]
    found = [run(graph, way=way).outputs["mates"].tolist() for way in WAYS]
    assert found[0] == found[1]  # all weights are equal
    assert found[2] == found[3] != found[0]


def test_the_record() -> None:
    record = check(graph_of(6, [(0, 1, 4), (1, 2, 5), (2, 3, 3), (4, 5, 8)])).record
    assert record.metrics == {"size": 2, "weight": 13}
    twins = graph_of(2, [(0, 1, 4), (0, 1, 9)], keep_duplicates=True)
    assert check(twins).record.metrics == {"size": 1, "weight": 9}
    assert record.mteps is None


def test_the_trace_names_the_steps() -> None:
    rows = run(larger()[3], trace=True).record.trace
    assert [row["phase"] for row in rows[:4]] == ["point", "match", "release", "point"]
    assert rows[0]["frontier_vertices"] == larger()[3].n
    assert rows[-1]["frontier_vertices"] == 0


def verdict(graph: Graph, mates: list[int], **way: Any) -> tuple[str, str]:
    found = PRIMITIVE.validate(graph, options_of(way), None, {"mates": np.array(mates, np.int32)})
    return found.verdict, found.message


def test_validation_rejects_what_is_not_the_greedy_walks(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = graph_of(6, [(0, 1, 4), (1, 2, 5), (2, 3, 4), (3, 4, 1)])
    for chunk in (matching.CHUNK, 3):
        monkeypatch.setattr(matching, "CHUNK", chunk)
        assert verdict(graph, [-1, 2, 1, 4, 3, -1]) == ("pass", "")
        assert "lacks an edge" in verdict(graph, [1, 0, 3, 2, -1, -1])[1]  # heavier, not dominant
        assert "lacks an edge" in verdict(graph, [-1, 2, 1, -1, -1, -1])[1]  # not maximal
        assert "not each other's: vertex 0 has 1" in verdict(graph, [1, 2, 1, 4, 3, -1])[1]
        assert "not each other's: vertex 5 has 6" in verdict(graph, [-1, 2, 1, 4, 3, 6])[1]
        assert "not each other's: vertex 5 has 5" in verdict(graph, [-1, 2, 1, 4, 3, 5])[1]
        assert "no edge from vertex 0 to its mate 5" in verdict(graph, [5, 2, 1, 4, 3, 0])[1]
    even = graph_of(4, [(0, 1, 1), (1, 2, 1), (2, 3, 1)])
    assert [verdict(even, mates)[0] for mates in ([1, 0, 3, 2], [-1, 2, 1, -1])].count("pass") == 1


def test_a_peers_matching_need_only_be_maximal() -> None:
    graph = graph_of(4, [(0, 1, 1), (1, 2, 9), (2, 3, 1)])
    for partners, verdict in (([-1, 2, 1, -1], "pass"), ([1, 0, 3, 2], "pass"), ([1, 0, -1, -1], "fail"),
                              ([1, 0, 3, -1], "fail")):
        found = PRIMITIVE.validate(graph, {}, None, {"partners": np.array(partners)})
        assert found.verdict == verdict, found
    assert PRIMITIVE.work(graph, {}, {"partners": np.array([1, 0, 3, 2])}).metrics == {
        "size": 2, "weight": 2}


def test_what_it_refuses() -> None:
    with pytest.raises(UsageError, match="matching is for undirected graphs"):
        run(graph_of(3, [(0, 1, 1)], undirected=False))
    negative = graph_of(2, [(0, 1, -3)])
    with pytest.raises(InputError, match=r"from 0 to 1 .* weight -3: a matching by weight needs weights"):
        run(negative)
    assert check(negative, way={"by": "random"}).record.metrics == {"size": 1, "weight": -3}
    with pytest.raises(InputError, match="weight inf: must be finite"):
        run(graph_of(2, [(0, 1, float("inf"))], "float32"))


def test_from_python() -> None:
    found = gunrock.matching(([0, 1, 2], [1, 2, 3], [0.5, 1.5, 0.5]), symmetrize=True, check=True,
                             backend="cpu", threads=2)
    assert found.mates.tolist() == [-1, 2, 1, -1]
