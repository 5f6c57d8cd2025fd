"""PageRank compared with NetworkX and an independent power iteration."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pagerank_helper import (
    BACKENDS,
    CORNERS,
    LOOPS,
    PRECISIONS,
    TIGHT,
    check,
    distance,
    graph_of,
    networkx_ranks,
    options,
    run,
    small_graphs,
)

from gunrock_cli.bench.protocol.runner import Protocol
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Csr, Graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.operators.gather_padded import suits_padding
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.pagerank import PRIMITIVE
from gunrock_cli.primitives.pagerank.variants import Pull


def test_is_found_by_its_file() -> None:
    assert get_primitive("pagerank") is PRIMITIVE


# --- corner cases -------------------------------------------------------------------------------
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, loop: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    check(graph_of(n, edges, backend, **how), loop, backend, threads=3)


@pytest.mark.parametrize("backend", BACKENDS)
def test_middle_sized_graphs(backend: str) -> None:
    xp = choose_backend(backend).xp
    for spec in (
        GraphSpec("rmat", params={"scale": 10}),
        GraphSpec("grid2d", params={"width": 60, "height": 35}),
    ):
        check(load_graph(spec, xp), backend=backend, threads=3)


@pytest.mark.gpu
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("precision", PRECISIONS)
def test_on_the_gpu(precision: str, loop: str) -> None:
    xp = choose_backend("cuda").xp
    for spec in (
        GraphSpec("rmat", params={"scale": 16}),  # lists longer than a block keeps for a warp
        GraphSpec("grid2d", params={"width": 300, "height": 200}),
    ):
        measured = run(
            load_graph(spec, xp),
            Protocol(runs=3, warmup=0, loop=loop),
            backend="cuda",
            precision=precision,
        )
        assert measured.outputs["ranks"].sum(dtype=np.float64) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_padded_lists(loop: str, backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pad lists where a GPU does, and where they do not suit, on either backend."""
    monkeypatch.setattr(Pull, "pads", property(lambda self: self.graph.undirected))
    star = [(0, v) for v in range(1, 40)]
    for n, edges in ((1, []), (70, []), (50, star), (9, [(v, v + 1) for v in range(6)])):
        check(graph_of(n, edges, backend), loop, backend, threads=3)
    lattice = GraphSpec("grid2d", params={"width": 60, "height": 35})
    check(load_graph(lattice, choose_backend(backend).xp), loop, backend, threads=3)


def test_lists_are_padded_where_next_to_all_fit() -> None:
    def of(lengths: list[int]) -> Csr:
        offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
        return Csr(offsets, np.zeros(offsets[-1], np.int32))

    assert suits_padding(of([4] * 64))
    assert suits_padding(of([3] * 62 + [5, 6]))
    assert not suits_padding(of([3] * 61 + [5, 6, 7]))  # more than one in 32
    assert not suits_padding(of([1] * 63 + [65]))  # one for which others would wait
    assert not suits_padding(of([]))
    graph = load_graph(GraphSpec("grid2d", params={"width": 9, "height": 5}), np)
    assert suits_padding(graph.csr)
    plan = PRIMITIVE.plan(graph, options(order="graph"))
    assert isinstance(plan, Pull)
    assert not plan.pads  # each core reads its own list


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs(), st.sampled_from(LOOPS), st.sampled_from([1, 3]))
def test_random_graphs(graph: Graph, loop: str, threads: int) -> None:
    check(graph, loop, threads=threads)


@settings(max_examples=40, deadline=None)
@given(
    small_graphs(),
    st.sampled_from([0.0, 0.3, 0.99]),
    st.sampled_from([0.0, 1e-3, 1e-6]),
    st.integers(0, 9),
)
def test_random_options(graph: Graph, damping: float, tolerance: float, iterations: int) -> None:
    ranks = run(
        graph, damping=damping, tolerance=tolerance, max_iterations=iterations, precision="float64"
    ).outputs["ranks"]
    assert ranks.sum() == pytest.approx(1, abs=1e-12)


# --- options ------------------------------------------------------------------------------------
def directed() -> Graph:
    return load_graph(GraphSpec("rmat", params={"scale": 8}))


@pytest.mark.parametrize("damping", [0.0, 0.5, 0.99])
def test_damping(damping: float) -> None:
    graph = directed()
    found = run(graph, damping=damping, **{**TIGHT, "max_iterations": 5000}).outputs["ranks"]
    assert distance(found, networkx_ranks(graph, damping)) < 1e-9


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("iterations", [0, 1, 2, 3, 4, 7])
def test_max_iterations(iterations: int, loop: str) -> None:
    record = run(
        directed(), Protocol(runs=2, warmup=1, loop=loop), tolerance=0.0, max_iterations=iterations
    ).record
    assert record.iterations == record.metrics["iterations"] == iterations
    assert ("iteration_ms" in record.metrics) == (iterations > 0)
    if iterations:
        assert record.time_ms is not None
        assert record.metrics["iteration_ms"] == record.time_ms.mean / iterations


def test_tolerance_stops_early() -> None:
    rough = run(directed(), tolerance=1e-2).record
    fine = run(directed(), tolerance=1e-6).record
    assert 0 < rough.metrics["iterations"] < fine.metrics["iterations"] <= 50


def test_normalized_or_not() -> None:
    graph = directed()
    one, many = (run(graph, normalized=flag).outputs["ranks"] for flag in (True, False))
    assert one.sum() == pytest.approx(1, abs=1e-5)
    np.testing.assert_allclose(many, one * graph.n, rtol=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
def test_same_bits_every_run(backend: str) -> None:
    """The number of iterations is fixed, and the graph undirected and connected: no rank is on dangling
    vertices."""
    edges = [*((0, v) for v in range(1, 5000)), *((v - 1, v) for v in range(1, 5000))]
    graph = graph_of(5000, edges, backend)
    first, second = (
        run(graph, backend=backend, threads=3, tolerance=0.0).outputs["ranks"] for _ in range(2)
    )
    np.testing.assert_array_equal(first, second)


def test_trace() -> None:
    record = run(directed(), Protocol(runs=1, warmup=0, trace=True), max_iterations=3).record
    # the last step finds nothing left to do
    assert [row["phase"] for row in record.trace] == ["begin", *["iterate"] * 4]
    assert [row["iteration"] for row in record.trace] == [0, 0, 1, 2, 3]


# --- vertices by degree -------------------------------------------------------------------------
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases_by_degree(name: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    check(graph_of(n, edges, backend, **how), backend=backend, threads=3, order="degree")


@pytest.mark.gpu
@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("undirected", [True, False])
def test_by_degree_on_the_gpu(undirected: bool, precision: str) -> None:
    """Use more vertices than a block keeps to itself, with long lists."""
    graph = load_graph(
        GraphSpec("rmat", params={"scale": 16}, undirected=undirected), choose_backend("cuda").xp
    )
    for loop in LOOPS:
        first, second = (
            run(
                graph,
                Protocol(runs=2, warmup=0, loop=loop, check="both"),
                backend="cuda",
                precision=precision,
                order=order,
            ).outputs["ranks"]
            for order in ("degree", "graph")
        )
        assert distance(first, second) < 1e-6


def test_by_degree_is_a_phase_of_its_own() -> None:
    graph = load_graph(GraphSpec("rmat", params={"scale": 8}), np)
    record = run(graph, order="degree").record
    assert record.options["order"] == "degree"
    assert 0 < record.metrics["renumber_ms"] <= record.phases_ms["renumber"]
    plain = run(graph).record
    assert plain.options["order"] == "graph"  # a core has a large cache
    assert "renumber_ms" not in plain.metrics
    assert "renumber" not in plain.phases_ms


@pytest.mark.parametrize("form", ["push", "filter_converged"])
def test_by_degree_is_for_gathering(form: str) -> None:
    with pytest.raises(UsageError, match="--order degree is for gathering; leave out --push"):
        PRIMITIVE.plan(directed(), options(order="degree", **{form: True}))
    assert PRIMITIVE.plan(directed(), options(**{form: True})).options.order == "graph"


# --- validation ---------------------------------------------------------------------------------
def test_validation_accepts_peers() -> None:
    graph = directed().to(np)
    ranks = networkx_ranks(graph)
    for normalized in (True, False):
        chosen = options(normalized=normalized, max_iterations=3)
        assert PRIMITIVE.validate(graph, chosen, None, {"ranks": ranks}).verdict == "pass"


def test_validation_rejects_other_ranks() -> None:
    graph = directed().to(np)
    ranks = networkx_ranks(graph)
    swapped, leaking, nothing = ranks.copy(), 0.999 * ranks, ranks.copy()
    best, worst = int(ranks.argmax()), int(ranks.argmin())
    swapped[[best, worst]] = swapped[[worst, best]]
    nothing[0] = np.nan
    for wrong in (swapped, leaking, nothing, ranks[:-1]):
        found = PRIMITIVE.validate(graph, options(), None, {"ranks": wrong})
        assert found.verdict == "fail"
        assert found.message
