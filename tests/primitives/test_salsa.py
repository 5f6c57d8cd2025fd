"""SALSA compared with dense walks and its closed form, gathered and over a frontier of edges."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from modes import MODES
from pagerank_helper import BACKENDS, LOOPS, graph_of, small_graphs
from scipy.sparse import bmat, csr_array
from scipy.sparse.csgraph import connected_components
from two_sides_helper import CORNERS, LONG, LONG_GRAPHS, Matrix, adjacency, both, check_orders, run_of

from gunrock_cli.bench.protocol.runner import Protocol
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import GunrockError, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives.salsa import PRIMITIVE
from gunrock_cli.primitives.salsa.choose import check_pairs
from gunrock_cli.primitives.salsa.variants import two_sided

DEFAULTS = PRIMITIVE.asked({})
EXACT: dict[str, Any] = {"precision": "float64", "tolerance": 0.0}
VARIANTS = ("gather", "edges")

run = partial(run_of, PRIMITIVE)


def steps(graph: Graph) -> tuple[Matrix, Matrix]:
    """The probabilities to go forward from each hub, and back from each authority: columns add up to
    1."""
    a = adjacency(graph)
    return (a / np.maximum(a.sum(axis=1), 1)[:, None]).T, a / np.maximum(a.sum(axis=0), 1)


def dense(graph: Graph, iterations: int) -> Matrix:
    """Hubs and authorities after this many iterations from even ones."""
    forward, back = steps(graph)
    some = np.column_stack([forward.sum(axis=0) > 0, back.sum(axis=0) > 0])
    hubs, authorities = (some / np.maximum(some.sum(axis=0), 1)).T
    for _ in range(iterations):
        hubs, authorities = back @ (forward @ hubs), forward @ (back @ authorities)
    return np.column_stack([hubs, authorities])


def limit(graph: Graph) -> Matrix:
    """The closed form: within a part of the two sides, scores are proportional to degrees and add up to
    the walk's first share there."""
    csr, n = graph.to(np).csr, graph.n
    a = csr_array((np.ones(graph.m), csr.column_indices, csr.row_offsets), shape=(n, n))
    parts = connected_components(bmat([[None, a], [a.T, None]]), directed=False)[1]
    found = np.zeros((n, 2))
    for side, degrees in enumerate((np.asarray(a.sum(axis=1)), np.asarray(a.sum(axis=0)))):
        part = parts[side * n :][:n]
        many, edges = np.bincount(part, degrees > 0), np.bincount(part, degrees)
        found[:, side] = degrees / np.maximum(edges[part], 1) * many[part] / max(many.sum(), 1)
    return found


def directed(scale: int = 8, backend: str = "cpu") -> Graph:
    return load_graph(
        GraphSpec("rmat", params={"scale": scale, "edge_factor": 8}, undirected=False),
        choose_backend(backend).xp,
    )


# --- corner cases -------------------------------------------------------------------------------
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    graph = graph_of(n, edges, backend, **how)
    for variant in VARIANTS:
        for loop, iterations in (("device", 5), ("host", 4)):
            if variant == "edges" and n > 1000:
                continue  # the number of pairs is the square of a hub's degree
            found = run(
                graph,
                Protocol(runs=1, warmup=0, loop=loop),
                3,
                backend,
                variant=variant,
                max_iterations=iterations,
                **EXACT,
            ).outputs
            if n < 1000:
                np.testing.assert_allclose(both(found), dense(graph, iterations), rtol=1e-9, atol=1e-14)
            np.testing.assert_allclose(both(found).sum(axis=0), float(graph.m > 0), atol=1e-9)


@pytest.mark.parametrize("backend", BACKENDS)
def test_as_many_vertices_times_a_degree_as_32_bits_do_not_count(backend: str) -> None:
    """The start's shares once had another sum than 1, and so had the answer."""
    graph = graph_of(LONG, [(0, v) for v in range(1, LONG)], backend)  # each walk stays even
    found = both(run(graph, backend=backend).outputs)
    np.testing.assert_allclose(found, 1 / LONG, rtol=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", LONG_GRAPHS)
def test_a_hundred_thousand_vertices(name: str, backend: str) -> None:
    n, edges, how = LONG_GRAPHS[name]
    graph = graph_of(n, edges, backend, **how)
    found = both(run(graph, backend=backend, precision="float64").outputs)
    np.testing.assert_allclose(found, limit(graph), rtol=1e-9)
    if name == "long path":
        np.testing.assert_allclose(found[:-1, 0], 1 / (LONG - 1), rtol=1e-12)
        run(graph, backend=backend, variant="edges", precision="float64")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    small_graphs(),
    st.sampled_from(LOOPS),
    st.sampled_from([1, 3]),
    st.sampled_from(VARIANTS),
    st.integers(0, 9),
)
def test_random_graphs(graph: Graph, loop: str, threads: int, variant: str, iterations: int) -> None:
    found = run(
        graph,
        Protocol(runs=1, warmup=0, loop=loop),
        threads,
        variant=variant,
        max_iterations=iterations,
        **EXACT,
    ).outputs
    np.testing.assert_allclose(both(found), dense(graph, iterations), rtol=1e-9, atol=1e-14)
    run(graph, Protocol(runs=1, warmup=0, loop=loop), threads)  # float32, to its tolerance: validated


# --- vertices by degree -------------------------------------------------------------------------
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases_by_degree(name: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    graph = graph_of(n, edges, backend, **how)
    for iterations in (0, 5):
        check_orders(
            partial(run, graph, threads=3, backend=backend, max_iterations=iterations, **EXACT),
            rtol=1e-9,
            atol=1e-14,
        )


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs(), st.sampled_from(LOOPS), st.integers(0, 9), st.data())
def test_random_graphs_by_degree(graph: Graph, loop: str, iterations: int, data: st.DataObject) -> None:
    protocol = Protocol(runs=2, warmup=0, loop=loop)
    chosen = {"max_iterations": iterations, "order": "degree", **EXACT}
    np.testing.assert_allclose(
        both(run(graph, protocol, **chosen).outputs), dense(graph, iterations), rtol=1e-9, atol=1e-14
    )
    out = np.flatnonzero(graph.csr.degrees()).tolist()
    if out:
        seeds = data.draw(st.lists(st.sampled_from(out), min_size=1, max_size=4))
        found = run(graph, protocol, seeds=",".join(map(str, seeds)), **chosen).outputs
        np.testing.assert_allclose(
            both(found), personalized(graph, seeds, 0.15, iterations), rtol=1e-9, atol=1e-14
        )


@pytest.mark.gpu
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("seeds", [None, "0,1,2,3,4,5,6,7"])
def test_by_degree_on_the_gpu(seeds: str | None, precision: str, loop: str) -> None:
    for spec in (
        GraphSpec("rmat", params={"scale": 16}, undirected=False),
        GraphSpec("rmat", params={"scale": 15}),
        GraphSpec("bipartite", undirected=False),
    ):
        graph = load_graph(spec, choose_backend("cuda").xp)
        check_orders(
            partial(
                run,
                graph,
                Protocol(runs=3, warmup=0, loop=loop, check="both"),
                backend="cuda",
                precision=precision,
                seeds=seeds,
            ),
            atol=1e-6,
        )


def test_by_degree_is_a_phase_of_its_own_and_for_gathering() -> None:
    record = run(directed(), order="degree").record
    assert 0 < record.metrics["renumber_ms"] <= record.phases_ms["renumber"]
    assert run(directed()).record.options["order"] == "graph"
    with pytest.raises(UsageError, match="--order degree is for gathering; leave out --variant edges"):
        run(directed(), order="degree", variant="edges")


# --- answers ------------------------------------------------------------------------------------
@settings(max_examples=25, deadline=None)
@given(small_graphs())
def test_converges_to_the_closed_form(graph: Graph) -> None:
    found = both(run(graph, precision="float64", tolerance=1e-12, max_iterations=5000).outputs)
    np.testing.assert_allclose(found, limit(graph), atol=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
def test_authorities_of_an_undirected_connected_graph_are_its_degrees(backend: str) -> None:
    random = np.random.default_rng(1)
    edges = [(v, int(random.integers(v))) for v in range(1, 400)] + [(0, 1), (1, 2), (0, 2)]
    graph = graph_of(400, edges, backend)
    found = both(
        run(graph, backend=backend, precision="float64", tolerance=1e-13, max_iterations=20_000).outputs
    )
    degrees = graph.to(np).csr.degrees()
    np.testing.assert_allclose(found[:, 1], degrees / degrees.sum(), atol=1e-8)
    np.testing.assert_allclose(found[:, 0], found[:, 1], atol=1e-8)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_variants_have_the_same_iterates(loop: str, backend: str) -> None:
    graph = directed(7, backend)
    for iterations in (1, 2, 5):
        one, two = (
            both(
                run(
                    graph,
                    Protocol(runs=1, warmup=0, loop=loop),
                    backend=backend,
                    variant=variant,
                    max_iterations=iterations,
                    **EXACT,
                ).outputs
            )
            for variant in VARIANTS
        )
        np.testing.assert_allclose(one, two, rtol=1e-9)


@pytest.mark.gpu
@pytest.mark.parametrize("mode", MODES)
def test_edges_by_every_mode_on_the_gpu(mode: str) -> None:
    run(
        directed(9, "cuda"),
        Protocol(runs=2, warmup=0, advance_mode=mode),
        backend="cuda",
        variant="edges",
    )


@pytest.mark.gpu
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("seeds", [None, "0,1,2,3,4,5,6,7"])
def test_on_the_gpu(seeds: str | None, precision: str, loop: str) -> None:
    for spec in (
        GraphSpec("rmat", params={"scale": 16}, undirected=False),
        GraphSpec("random", params={"scale": 12, "edge_factor": 12}, undirected=False),
        GraphSpec("grid2d", params={"width": 300, "height": 200}),
    ):
        run(
            load_graph(spec, choose_backend("cuda").xp),
            Protocol(runs=3, warmup=0, loop=loop),
            backend="cuda",
            precision=precision,
            seeds=seeds,
        )


# --- personalized -------------------------------------------------------------------------------
def personalized(graph: Graph, seeds: list[int], restart: float, iterations: int) -> Matrix:
    forward, back = steps(graph)
    start = np.zeros(graph.n)
    start[[seed for seed in set(seeds) if forward[:, seed].any()]] = 1
    start /= start.sum()
    hubs, authorities = start, np.zeros(graph.n)
    for _ in range(iterations):
        authorities = forward @ hubs
        hubs = restart * start + (1 - restart) * back @ authorities
    return np.column_stack([hubs, authorities])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("restart", [0.0, 0.15, 1.0])
@pytest.mark.parametrize("iterations", [0, 1, 4])
def test_seeds(iterations: int, restart: float, backend: str) -> None:
    graph = directed(7, backend)
    seeds = [3, 40, 77, 3, *range(100, 110)]
    found = run(
        graph,
        backend=backend,
        seeds=",".join(map(str, seeds)),
        restart=restart,
        max_iterations=iterations,
        **EXACT,
    )
    expected = personalized(graph, seeds, restart, iterations)
    np.testing.assert_allclose(both(found.outputs), expected, rtol=1e-9, atol=1e-14)
    assert found.record.options["seeds"].startswith("3,40,77,100")
    assert found.record.iterations == iterations


def test_seeds_of_a_file_and_the_usual_restart(tmp_path: Path) -> None:
    graph, file = directed(7), tmp_path / "seeds.txt"
    file.write_text("3\n40\n")
    record = run(graph, seeds=f"@{file}").record
    assert (record.options["seeds"], record.options["restart"]) == ("3,40", 0.15)


@settings(max_examples=25, deadline=None)
@given(small_graphs(), st.data())
def test_random_seeds(graph: Graph, data: st.DataObject) -> None:
    able = np.flatnonzero(graph.csr.degrees()).tolist()
    if not able:
        return
    seeds = [data.draw(st.sampled_from(able)), *data.draw(st.lists(st.integers(0, graph.n - 1)))]
    found = run(graph, seeds=",".join(map(str, seeds)), max_iterations=3, **EXACT).outputs
    np.testing.assert_allclose(both(found), personalized(graph, seeds, 0.15, 3), rtol=1e-9, atol=1e-14)
    run(graph, seeds=",".join(map(str, seeds)))  # float32


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"seeds": "1,x"}, "--seeds 1,x: give a vertex"),
        ({"seeds": "4"}, "has the vertices 0 to 3"),
        ({"seeds": ""}, "--seeds : give a vertex"),
        ({"seeds": "@/nowhere/at-all"}, "no such file"),
        ({"seeds": "3"}, "no edge leads out of them"),
        ({"restart": 0.2}, "--restart 0.2 needs --seeds"),
        ({"seeds": "0", "variant": "edges"}, "--seeds needs --variant gather"),
    ],
)
def test_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(GunrockError, match=message):
        run(graph_of(4, [(0, 1), (1, 2), (2, 3)], undirected=False), **given)


# --- runs and records ---------------------------------------------------------------------------
@pytest.mark.parametrize("variant", VARIANTS)
def test_iterations_are_counted(variant: str) -> None:
    for iterations in (0, 1, 3):
        record = run(directed(7), variant=variant, max_iterations=iterations, **EXACT).record
        assert record.iterations == record.metrics["iterations"] == iterations
        assert ("iteration_ms" in record.metrics) == (iterations > 0)


def test_tolerance_stops_early() -> None:
    rough, fine = (run(directed(), tolerance=tolerance).record.iterations for tolerance in (1e-2, 1e-5))
    assert rough is not None
    assert fine is not None
    assert 0 < rough < fine < 50


def test_trace() -> None:
    traced = Protocol(runs=1, warmup=0, trace=True)
    trace = run(directed(7), traced, max_iterations=1, **EXACT).record.trace
    assert [row["phase"] for row in trace] == ["begin", "begin", "authorities", "hubs", "authorities"]
    trace = run(directed(7), traced, variant="edges", max_iterations=1, **EXACT).record.trace
    assert [row["phase"] for row in trace] == ["begin", "advance", "update", "advance"]


def test_a_frontier_of_edges_that_cannot_be_is_refused() -> None:
    many = 50_000
    with pytest.raises(UsageError, match="use --variant gather"):
        check_pairs(graph_of(many, [(0, v) for v in range(1, many)], undirected=False))


def test_the_two_sides_are_one_graph() -> None:
    sides = two_sided(graph_of(3, [(0, 1), (0, 2), (2, 1)], undirected=False))
    assert sides.row_offsets.tolist() == [0, 2, 2, 3, 3, 5, 6]
    assert sides.column_indices.tolist() == [4, 5, 4, 0, 2, 0]
    assert sides.sources().tolist() == [0, 0, 2, 4, 4, 5]


def test_validation_rejects_other_scores() -> None:
    graph = directed().to(np)
    right = both(run(graph).outputs)
    swapped, leaking, gone = (right.copy() for _ in range(3))
    swapped[[0, 1], 1] = swapped[[1, 0], 1]
    swapped[right[:, 1].argmax(), 1] = 0
    leaking *= 0.999
    gone[0, 0] = np.inf
    for wrong in (swapped, leaking, gone, right[:, ::-1], right[:-1]):
        answer = {"hubs": wrong[:, 0], "authorities": wrong[:, 1]}
        found = PRIMITIVE.validate(graph, DEFAULTS, None, answer)
        assert found.verdict == "fail"
        assert found.message
