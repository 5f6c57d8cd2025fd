"""HITS compared with NetworkX and a dense power iteration."""

from __future__ import annotations

import itertools
from functools import partial
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pagerank_helper import BACKENDS, LOOPS, graph_of, small_graphs
from two_sides_helper import CORNERS, LONG, LONG_GRAPHS, Matrix, adjacency, both, check_orders, run_of

from gunrock_cli.bench.protocol.runner import Protocol
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives.hits import PRIMITIVE

DEFAULTS = PRIMITIVE.asked({})
NORMS = ("L1", "L2")
EXACT: dict[str, Any] = {"precision": "float64", "tolerance": 0.0}

run = partial(run_of, PRIMITIVE)


def dense(graph: Graph, iterations: int, norm: str = "L1") -> Matrix:
    """Hubs and authorities after this many iterations from even ones."""
    a = adjacency(graph)

    def normal(x: Matrix) -> Matrix:
        length = np.abs(x).sum() if norm == "L1" else np.sqrt((x * x).sum())
        return x / length if length else x

    hubs = authorities = normal(np.ones(graph.n))
    for _ in range(iterations):
        authorities = normal(a.T @ hubs)
        hubs = normal(a @ authorities)
    return np.column_stack([hubs, authorities])


def directed(scale: int = 8, backend: str = "cpu") -> Graph:
    return load_graph(
        GraphSpec("rmat", params={"scale": scale}, undirected=False), choose_backend(backend).xp
    )


# --- corner cases -------------------------------------------------------------------------------
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    graph = graph_of(n, edges, backend, **how)
    for loop, iterations in (("device", 7), ("host", 6)):
        protocol = Protocol(runs=1, warmup=0, loop=loop)
        found = run(graph, protocol, 3, backend, max_iterations=iterations, **EXACT).outputs
        np.testing.assert_allclose(
            both(found), dense(graph, iterations) if n < 1000 else both(found), rtol=1e-9, atol=1e-14
        )
        run(graph, protocol, 3, backend)  # float32, to the default's tolerance: validated


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", LONG_GRAPHS)
def test_a_hundred_thousand_vertices(name: str, backend: str) -> None:
    n, edges, how = LONG_GRAPHS[name]
    graph = graph_of(n, edges, backend, **how)
    found = both(run(graph, backend=backend, threads=2).outputs)
    np.testing.assert_allclose(found.sum(axis=0), 1, rtol=1e-6)
    if name != "long path":  # the center is all of its side, the leaves share the other
        side = 0 if name == "large star" else 1
        assert found[0, side] == 1
        np.testing.assert_allclose(found[1:, 1 - side], 1 / (LONG - 1), rtol=1e-6)


def test_without_edges_all_are_zero() -> None:
    for norm in NORMS:
        found = run(graph_of(5, [], undirected=False), norm=norm).outputs
        assert not both(found).any()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    small_graphs(),
    st.sampled_from(LOOPS),
    st.sampled_from([1, 3]),
    st.sampled_from(NORMS),
    st.integers(0, 9),
)
def test_random_graphs(graph: Graph, loop: str, threads: int, norm: str, iterations: int) -> None:
    protocol = Protocol(runs=1, warmup=0, loop=loop)
    found = run(graph, protocol, threads, norm=norm, max_iterations=iterations, **EXACT).outputs
    np.testing.assert_allclose(both(found), dense(graph, iterations, norm), rtol=1e-9, atol=1e-14)
    run(graph, protocol, threads, norm=norm)


@pytest.mark.parametrize("backend", BACKENDS)
def test_lists_of_all_lengths(backend: str) -> None:
    for spec in (
        GraphSpec("rmat", params={"scale": 10}, undirected=False),
        GraphSpec("grid2d", params={"width": 60, "height": 35}),
        GraphSpec("random", params={"scale": 10, "edge_factor": 16}, undirected=False),
    ):
        run(load_graph(spec, choose_backend(backend).xp), backend=backend, threads=3)


@pytest.mark.gpu
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_on_the_gpu(precision: str, loop: str) -> None:
    for spec in (
        GraphSpec("rmat", params={"scale": 16}, undirected=False),
        GraphSpec("grid2d", params={"width": 300, "height": 200}),
    ):
        run(
            load_graph(spec, choose_backend("cuda").xp),
            Protocol(runs=3, warmup=0, loop=loop),
            backend="cuda",
            precision=precision,
        )


# --- vertices by degree -------------------------------------------------------------------------
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases_by_degree(name: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    graph = graph_of(n, edges, backend, **how)
    for iterations in (0, 7):
        check_orders(
            partial(run, graph, threads=3, backend=backend, max_iterations=iterations, **EXACT),
            rtol=1e-9,
            atol=1e-14,
        )
    run(graph, backend=backend, order="degree")


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs(), st.sampled_from(LOOPS), st.sampled_from(NORMS), st.integers(0, 9))
def test_random_graphs_by_degree(graph: Graph, loop: str, norm: str, iterations: int) -> None:
    found = run(
        graph,
        Protocol(runs=2, warmup=0, loop=loop),
        norm=norm,
        max_iterations=iterations,
        order="degree",
        **EXACT,
    ).outputs
    np.testing.assert_allclose(both(found), dense(graph, iterations, norm), rtol=1e-9, atol=1e-14)


@pytest.mark.gpu
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("undirected", [True, False])
def test_by_degree_on_the_gpu(undirected: bool, precision: str, loop: str) -> None:
    """Use more vertices than a block keeps to itself, with long lists."""
    graph = load_graph(
        GraphSpec("rmat", params={"scale": 16}, undirected=undirected), choose_backend("cuda").xp
    )
    check_orders(
        partial(
            run,
            graph,
            Protocol(runs=3, warmup=0, loop=loop, check="both"),
            backend="cuda",
            precision=precision,
        ),
        atol=1e-6,
    )


def test_by_degree_is_a_phase_of_its_own() -> None:
    record = run(directed(), order="degree").record
    assert record.options["order"] == "degree"
    assert 0 < record.metrics["renumber_ms"] <= record.phases_ms["renumber"]
    assert "renumber_pays_after" not in record.metrics  # no savings were measured here
    plain = run(directed()).record
    assert plain.options["order"] == "graph"
    assert "renumber" not in plain.phases_ms


# --- answers ------------------------------------------------------------------------------------
def test_agrees_with_networkx() -> None:
    graph = directed()
    own = nx.DiGraph()
    own.add_nodes_from(range(graph.n))
    csr = graph.csr
    own.add_edges_from(zip(csr.sources().tolist(), csr.column_indices.tolist(), strict=True))
    hubs, authorities = nx.hits(own)
    found = run(graph, precision="float64", tolerance=1e-13, max_iterations=1000).outputs
    np.testing.assert_allclose(found["hubs"], [hubs[v] for v in range(graph.n)], atol=1e-9)
    np.testing.assert_allclose(found["authorities"], [authorities[v] for v in range(graph.n)], atol=1e-9)


def test_both_sides_of_an_undirected_graph_are_the_same() -> None:
    graph = load_graph(GraphSpec("rmat", params={"scale": 8}))
    found = run(graph, tolerance=1e-12, max_iterations=500, precision="float64").outputs
    np.testing.assert_allclose(found["hubs"], found["authorities"], atol=1e-11)


def test_the_norm_is_one() -> None:
    for norm, order in (("L1", 1), ("L2", 2)):
        found = both(run(directed(), norm=norm).outputs)
        np.testing.assert_allclose(np.linalg.norm(found, order, axis=0), 1, rtol=1e-6)


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("iterations", [0, 1, 2, 3, 6])
def test_max_iterations(iterations: int, loop: str) -> None:
    record = run(
        directed(), Protocol(runs=2, warmup=1, loop=loop), tolerance=0.0, max_iterations=iterations
    ).record
    assert record.iterations == record.metrics["iterations"] == iterations
    assert ("half_step_ms" in record.metrics) == (iterations > 0)


def test_tolerance_stops_where_the_reference_does() -> None:
    graph = directed()
    iterates, previous = [dense(graph, k) for k in range(12)], None
    moved = [float(np.abs(b - a)[:, 1].sum()) for a, b in itertools.pairwise(iterates)]
    for tolerance in (1e-2, 1e-4):
        expected = next(k + 1 for k, change in enumerate(moved) if change < tolerance)
        record = run(graph, tolerance=tolerance, precision="float64").record
        assert record.iterations == expected != previous
        previous = expected


@pytest.mark.parametrize("backend", BACKENDS)
def test_even_authorities_at_first_are_no_limit(backend: str) -> None:
    """Each vertex has one in-edge, so the first authorities equal the start; hubs do not."""
    edges = [(0, 2), (2, 1), (2, 0)]
    for norm, one, expected in (("L1", 1.0, 0.5), ("L2", 1.0, np.sqrt(0.5))):
        for loop in LOOPS:
            measured = run(
                graph_of(3, edges, backend, undirected=False),
                Protocol(runs=1, warmup=0, loop=loop),
                backend=backend,
                norm=norm,
            )
            found = both(measured.outputs)
            np.testing.assert_allclose(found, [[0, expected], [0, expected], [one, 0]], atol=2e-6)
            assert measured.record.iterations > 10
    graph = graph_of(3, edges, undirected=False)
    first = dense(graph, 1)
    answer = {"hubs": first[:, 0], "authorities": first[:, 1]}
    assert PRIMITIVE.validate(graph, DEFAULTS, None, answer).verdict == "fail"


def test_trace() -> None:
    record = run(
        directed(), Protocol(runs=1, warmup=0, trace=True), tolerance=0.0, max_iterations=2
    ).record
    phases = [row["phase"] for row in record.trace]
    assert phases == ["begin", "authorities", "hubs", "authorities", "hubs", "authorities"]
    assert [row["iteration"] for row in record.trace] == [0, 0, 0, 1, 1, 2]


def test_the_record_has_a_floor_and_a_model() -> None:
    graph = directed()
    record = run(graph, Protocol(runs=1, warmup=0, count=True), max_iterations=3, tolerance=0.0).record
    assert record.edges_inspected == 6 * graph.m
    work = PRIMITIVE.finish_work(PRIMITIVE.work(graph, DEFAULTS, {}), DEFAULTS, 7, 1.0)
    moved = PRIMITIVE.traffic(graph, DEFAULTS, work)
    expected = PRIMITIVE.accesses(graph, DEFAULTS, work)
    assert moved is not None
    assert expected is not None
    assert (moved.passes, expected.passes, expected.gathers) == (3, 3, 2 * graph.m)
    assert moved.read > 8 * graph.m


# --- validation ---------------------------------------------------------------------------------
def test_validation_accepts_the_limit() -> None:
    graph = directed().to(np)
    limit = dense(graph, 200)
    answer = {"hubs": limit[:, 0], "authorities": limit[:, 1]}
    assert (
        PRIMITIVE.validate(graph, PRIMITIVE.asked({"max_iterations": 3}), None, answer).verdict == "pass"
    )


def test_validation_rejects_other_scores() -> None:
    graph = directed().to(np)
    limit = dense(graph, 200)
    swapped, leaking, sides, one = (limit.copy() for _ in range(4))
    best, worst = limit[:, 0].argmax(), limit[:, 0].argmin()
    swapped[[best, worst], 0] = swapped[[worst, best], 0]
    leaking *= 0.999
    sides = sides[:, ::-1]
    one[0, 1] = np.nan
    for wrong in (swapped, leaking, sides, one, np.zeros_like(limit), limit[:-1]):
        answer = {"hubs": wrong[:, 0], "authorities": wrong[:, 1]}
        found = PRIMITIVE.validate(graph, DEFAULTS, None, answer)
        assert found.verdict == "fail"
        assert found.message


def test_validation_rejects_a_weaker_community() -> None:
    """The answer is a fixed point of the iteration too, but not its limit."""
    strong = [(u, v) for u in range(4) for v in range(4, 9)]
    graph = graph_of(13, [*strong, (9, 11), (9, 12), (10, 11)], undirected=False)
    weak = np.zeros(13), np.zeros(13)
    singular = np.linalg.svd(adjacency(graph)[9:11, 11:])
    weak[0][9:11], weak[1][11:] = np.abs(singular[0][:, 0]), np.abs(singular[2][0])
    answer = {"hubs": weak[0] / weak[0].sum(), "authorities": weak[1] / weak[1].sum()}
    assert PRIMITIVE.validate(graph, DEFAULTS, None, answer).verdict == "fail"
