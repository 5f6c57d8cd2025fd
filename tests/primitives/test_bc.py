"""Betweenness compared with NetworkX, with exact integers, and with counts beyond float64."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from modes import MODES

from gunrock_cli.bench.protocol.runner import Measured, Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.bc import PRIMITIVE
from gunrock_cli.primitives.bc.reference import reference_scores
from gunrock_cli.primitives.references import reference_labels

Edges = Sequence[tuple[int, int]]
Scores = np.ndarray[Any, Any]
WAYS: list[dict[str, str]] = [
    {"run_ahead": "1"},
    {"run_ahead": "3"},
    {"backward": "push"},
    {"frontiers": "rebuilt"},
    {"backward": "push", "frontiers": "rebuilt"},
    {"variant": "edges"},
    {"run_ahead": "1", "backward": "pull"},
]
BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]


def graph_of(n: int, edges: Edges, backend: str = "cpu", **how: Any) -> Graph:
    table = np.array(edges, np.int64).reshape(-1, 2)
    return build_graph(n, table[:, 0], table[:, 1], None, xp=choose_backend(backend).xp, **how)


def lattice(width: int, height: int, backend: str = "cpu") -> Graph:
    return load_graph(
        GraphSpec("grid2d", params={"width": width, "height": height}), choose_backend(backend).xp
    )


def run(
    graph: Graph,
    sources: Sequence[int] = (0,),
    protocol: Protocol | None = None,
    threads: int = 3,
    backend: str = "cpu",
    **options: str,
) -> Measured:
    given = {option.key: option.default for option in PRIMITIVE.options} | options
    return measure(
        PRIMITIVE,
        graph,
        given,
        list(sources),
        choose_backend(backend, threads),
        protocol or Protocol(runs=1, warmup=0),
    )


def check(graph: Graph, source: int = 0, **how: Any) -> Scores:
    measured = run(graph, [source], **how)
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    scores = measured.outputs["scores"]
    assert np.isfinite(scores).all()
    assert scores[source] == 0
    return scores


def neighbours(graph: Graph) -> list[list[int]]:
    csr = graph.to(np).csr
    return [csr.column_indices[a:b].tolist() for a, b in itertools.pairwise(csr.row_offsets.tolist())]


def networkx_scores(graph: Graph, source: int) -> Scores:
    """The source's dependencies. NetworkX halves the pairs of an undirected graph, so it gets a directed
    graph with both directions."""
    own = nx.DiGraph()
    own.add_nodes_from(range(graph.n))
    own.add_edges_from((u, v) for u, row in enumerate(neighbours(graph)) for v in row)
    found = nx.betweenness_centrality_subset(own, [source], range(graph.n), normalized=False)
    return np.array([found[v] for v in range(graph.n)])


def exact_scores(graph: Graph, source: int) -> Scores:
    """Brandes with integers of any size for the counts; each ratio is exact until it is rounded."""
    rows = neighbours(graph)
    depth, count, order = {source: 0}, {source: 1}, [source]
    for u in order:
        for v in rows[u]:
            if v not in depth:
                depth[v], count[v] = depth[u] + 1, 0
                order.append(v)
            if depth[v] == depth[u] + 1:
                count[v] += count[u]
    scores = np.zeros(graph.n)
    for u in reversed(order):
        scores[u] = sum(
            float(Fraction(count[u], count[v])) * (1 + scores[v])
            for v in rows[u]
            if depth[v] == depth[u] + 1
        )
    scores[source] = 0
    return scores


def test_is_found_by_its_file() -> None:
    assert get_primitive("bc") is PRIMITIVE
    assert PRIMITIVE.needs.reverse


# --- corner cases -------------------------------------------------------------------------------
CORNERS: dict[str, tuple[int, Edges, dict[str, Any]]] = {
    "one vertex": (1, [], {}),
    "no edges": (5, [], {}),
    "self loops": (3, [(0, 0), (0, 1), (1, 1), (1, 2)], {"keep_self_loops": True}),
    "disconnected": (7, [(0, 1), (1, 2), (3, 4), (4, 5)], {}),
    "star": (500, [(0, v) for v in range(1, 500)], {}),
    "star from a leaf": (500, [(1, v) for v in range(500) if v != 1], {}),
    "path": (200, [(v, v + 1) for v in range(199)], {}),
    "clique": (40, list(itertools.combinations(range(40), 2)), {}),
    "bipartite": (80, [(u, 40 + v) for u in range(40) for v in range(40)], {}),
    "source without edges": (4, [(1, 2), (2, 3)], {}),
    "directed, away from the source": (4, [(1, 0), (2, 1)], {"undirected": False}),
    "directed cycle": (9, [(v, (v + 1) % 9) for v in range(9)], {"undirected": False}),
    "directed diamonds": (
        7,
        [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (3, 5), (4, 6), (5, 6)],
        {"undirected": False},
    ),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, way: dict[str, str], backend: str) -> None:
    n, edges, how = CORNERS[name]
    graph = graph_of(n, edges, backend, **how)
    scores = check(graph, 0, backend=backend, **way)
    np.testing.assert_allclose(scores, networkx_scores(graph, 0), rtol=1e-5)


@pytest.mark.parametrize("way", WAYS[2:5], ids=str)
def test_levels_ahead_need_stored_frontiers_and_pull(way: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="--run-ahead 4 needs --backward pull"):
        run(lattice(4, 4), run_ahead="4", **way)


@pytest.mark.parametrize(
    "way", [{"run_ahead": "4"}, {"backward": "push"}, {"frontiers": "rebuilt"}], ids=str
)
def test_edges_go_one_way(way: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="needs --variant vertices"):
        run(lattice(4, 4), variant="edges", **way)


def test_trace_of_edges() -> None:
    path = graph_of(5, [(v, v + 1) for v in range(4)])
    trace = run(path, protocol=Protocol(runs=1, warmup=0, trace=True), variant="edges").record.trace
    assert [row["phase"] for row in trace] == ["begin", *["forward"] * 5, *["backward"] * 3, "finish"]
    assert [row["frontier_vertices"] for row in trace[1:6]] == [1, 1, 1, 1, 0]


def test_known_scores() -> None:
    path = graph_of(5, [(v, v + 1) for v in range(4)])
    assert check(path).tolist() == [0, 3, 2, 1, 0]
    assert check(path, 2).tolist() == [0, 1, 0, 1, 0]
    assert check(graph_of(4, [(0, 1), (0, 2), (1, 3), (2, 3)])).tolist() == [0, 0.5, 0.5, 0]


def test_parallel_edges_are_different_paths() -> None:
    graph = graph_of(4, [(0, 1), (0, 1), (0, 2), (1, 3), (2, 3)], undirected=False, keep_duplicates=True)
    np.testing.assert_allclose(check(graph), [0, 2 / 3, 1 / 3, 0], rtol=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
def test_long_lists_on_both_sides(backend: str) -> None:
    """Use hubs that fan out to, and gather from, thousands of vertices."""
    middle = range(2, 9002)
    edges = [(0, v) for v in middle] + [(v, 1) for v in middle] + [(1, 9002)]
    for undirected in (True, False):
        graph = graph_of(9003, edges, backend, undirected=undirected)
        scores = check(graph, 0, backend=backend)
        assert scores[1] == 1
        np.testing.assert_allclose(scores[2:9002], 2 / 9000, rtol=1e-5)


@st.composite
def small_graphs(draw: st.DrawFn) -> tuple[Graph, int]:
    n = draw(st.integers(1, 14))
    vertex = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex), max_size=50))
    graph = graph_of(n, edges, undirected=draw(st.booleans()), keep_self_loops=draw(st.booleans()))
    return graph, draw(vertex)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs(), st.sampled_from(["device", "host"]), st.sampled_from([*WAYS, {"run_ahead": "9"}]))
def test_random_graphs(drawn: tuple[Graph, int], loop: str, way: dict[str, str]) -> None:
    graph, source = drawn
    scores = check(graph, source, protocol=Protocol(runs=1, warmup=0, loop=loop), **way)
    np.testing.assert_allclose(scores, networkx_scores(graph, source), rtol=1e-5, atol=1e-6)


@pytest.mark.sampled(3)
# --- modes and loops ------------------------------------------------------------------------------
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", ["device", "host"])
@pytest.mark.parametrize("mode", MODES)
def test_modes_and_loops(mode: str, loop: str, backend: str) -> None:
    xp = choose_backend(backend).xp
    for graph in (load_graph(GraphSpec("rmat", params={"scale": 12}), xp), lattice(120, 90, backend)):
        for way in WAYS if mode in ("AUTO", "TWC") else WAYS[:5]:  # by edges: see the operators' tests
            given = None if way.get("run_ahead") == "3" else mode  # blocks that run ahead have no mode
            protocol = Protocol(runs=2, warmup=0, advance_mode=given, loop=loop)
            check(graph, int(graph.csr.degrees().argmax()), protocol=protocol, backend=backend, **way)


# --- counts beyond what a float holds ---------------------------------------------------------------
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("source", [0, 60 * 30 + 30])
def test_lattice_against_exact_integers(source: int, backend: str) -> None:
    graph = lattice(60, 60, backend)
    scores = check(graph, source, backend=backend)
    np.testing.assert_allclose(scores, exact_scores(graph, source), rtol=1e-5)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("way", [{"run_ahead": "32"}, *WAYS[:1], *WAYS[2:]], ids=str)
@pytest.mark.parametrize("loop", ["device", "host"])
def test_counts_that_overflow_float64(loop: str, way: dict[str, str], backend: str) -> None:
    """About 2^1190 paths lead to the far corner of this lattice."""
    check(
        lattice(600, 600, backend),
        0,
        backend=backend,
        protocol=Protocol(runs=1, warmup=0, loop=loop),
        **way,
    )


def test_counts_that_overflow_float64_against_exact_integers() -> None:
    """Use a chain of 1500 diamonds: 2^1500 paths, each middle vertex on half of those that pass."""
    edges = [
        edge
        for i in range(1500)
        for a in [3 * i]
        for edge in ((a, a + 1), (a, a + 2), (a + 1, a + 3), (a + 2, a + 3))
    ]
    graph = graph_of(3 * 1500 + 1, edges)
    expected = exact_scores(graph, 0)
    np.testing.assert_allclose(check(graph), expected, rtol=1e-5)
    np.testing.assert_allclose(reference_scores(graph, 0, reference_labels(graph, 0)), expected)


@pytest.mark.parametrize("way", [{"run_ahead": "1"}, {"run_ahead": "1", "backward": "pull"}], ids=str)
@pytest.mark.parametrize("stages", [30, 100])  # counts of 2^180 and 2^600 next to that of a single path
def test_counts_of_very_different_size_in_one_list(stages: int, way: dict[str, str]) -> None:
    """Two ways of the same length lead from the source to the last vertex: a chain of stages of 64
    vertices, each of which has 64 times the paths of the one before, and a chain of single vertices."""
    width, length = 64, 2 * stages
    edges, hub, n = [], 0, 1
    for _ in range(stages):
        stage, n = range(n, n + width), n + width + 1
        edges += [(hub, v) for v in stage] + [(v, n - 1) for v in stage]
        hub = n - 1
    chain = [0, *range(n, n + length - 1), hub]
    edges += list(itertools.pairwise(chain))
    graph = graph_of(n + length - 1, edges)
    np.testing.assert_allclose(check(graph, 0, **way), exact_scores(graph, 0), rtol=1e-5, atol=1e-37)


# --- the record and validation ----------------------------------------------------------------------
def test_several_sources_are_summed() -> None:
    graph = graph_of(5, [(v, v + 1) for v in range(4)])
    measured = run(graph, [2, 0])
    assert measured.record.sources == [2, 0]
    assert measured.outputs["scores"].tolist() == [0, 4, 2, 2, 0]
    assert measured.record.validation["verdict"] == "pass"


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_all_sources_give_betweenness(way: dict[str, str]) -> None:
    """Pairs of an undirected graph are counted from both ends; NetworkX counts them once."""
    graph = load_graph(GraphSpec("rmat", params={"scale": 6, "edge_factor": 4}), np)
    measured = run(graph, range(graph.n), **way)
    assert measured.record.validation["verdict"] == "pass"
    own = nx.Graph((u, v) for u, row in enumerate(neighbours(graph)) for v in row)
    own.add_nodes_from(range(graph.n))
    found = nx.betweenness_centrality(own, normalized=False)
    np.testing.assert_allclose(
        measured.outputs["scores"], [2 * found[v] for v in range(graph.n)], rtol=1e-5, atol=1e-5
    )


def test_a_wrong_sum_fails() -> None:
    graph = graph_of(5, [(v, v + 1) for v in range(4)])
    wrong = {"scores": np.array([0, 4, 2, 3, 0])}
    assert PRIMITIVE.validate_sum(graph, PRIMITIVE.asked({}), [2, 0], wrong).verdict == "fail"


def test_mteps_count_edges_twice() -> None:
    record = run(graph_of(5, [(0, 1), (1, 2), (3, 4)])).record
    assert (record.vertices_visited, record.edges_visited) == (3, 4)
    assert record.time_ms is not None
    assert record.mteps == pytest.approx(8 / record.time_ms.mean / 1e3)


@settings(max_examples=60, deadline=None)
@given(small_graphs())
def test_reference_agrees_with_networkx(drawn: tuple[Graph, int]) -> None:
    graph, source = drawn
    found = reference_scores(graph, source, reference_labels(graph, source))
    np.testing.assert_allclose(found, networkx_scores(graph, source), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    "wrong", [[0, 3, 2, 1.001, 0], [0, 3, 2, 1, 1e-3], [0, np.nan, 2, 1, 0], [0, 1.5, 1, 0.5, 0]]
)
def test_validation_rejects_other_scores(wrong: list[float]) -> None:
    graph = graph_of(5, [(v, v + 1) for v in range(4)])
    found = PRIMITIVE.validate(graph, PRIMITIVE.asked({}), 0, {"scores": np.array(wrong)})
    assert found.verdict == "fail"
    assert "scores differ" in found.message


def test_validation_accepts_peers() -> None:
    graph = graph_of(5, [(v, v + 1) for v in range(4)])
    scores = {"scores": np.array([0, 3, 2, 1, 0], np.float64)}
    assert PRIMITIVE.validate(graph, PRIMITIVE.asked({}), 0, scores).verdict == "pass"
    assert PRIMITIVE.work(graph, {}, scores).edges_for_mteps is None
