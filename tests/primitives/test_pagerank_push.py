"""PageRank's push form, with all vertices in the frontier and with those that have news."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from arches import ARCHES, compiled
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from modes import MODES
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

from gunrock_cli.bench.protocol.runner import Measured, Protocol
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import BackendError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.operators.gather_all import Lists
from gunrock_cli.primitives.code import kernel_unit
from gunrock_cli.primitives.pagerank import PRIMITIVE
from gunrock_cli.primitives.run_options import RunOptions
from gunrock_cli.toolchain.nvrtc import nvrtc

FORMS: dict[str, dict[str, Any]] = {"push": {"push": True}, "filter": {"filter_converged": True}}
HUBS = GraphSpec("rmat", params={"scale": 9})
MESH = GraphSpec("grid2d", params={"width": 40, "height": 30})


def numpy_ranks(graph: Graph, iterations: int, damping: float = 0.85) -> np.ndarray[Any, Any]:
    """Ranks after this many iterations in float64, edge by edge."""
    csr = graph.to(np).csr
    degrees = np.asarray(csr.degrees())
    sources = np.repeat(np.arange(graph.n), degrees)
    ranks = np.full(graph.n, 1 / max(graph.n, 1))
    for _ in range(iterations):
        sums = np.zeros(graph.n)
        np.add.at(sums, csr.column_indices, ranks[sources] / degrees[sources])
        lost = ranks[degrees == 0].sum()
        ranks = (1 - damping + damping * lost) / graph.n + damping * sums
    return ranks


def iterations_of(measured: Measured) -> int:
    found = measured.record.iterations
    assert found == measured.record.metrics["iterations"]
    return int(found or 0)


@pytest.mark.sampled(3)
# --- corner cases: both forms, both loops, all modes ---------------------------------------------
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, form: str, loop: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    check(graph_of(n, edges, backend, **how), loop, backend, threads=3, **FORMS[form])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "name",
    [
        "star",
        "into one",
        "out of one",
        "two hubs among short rows",
        "clique",
        "self loops",
        "duplicate edges",
        "no edges",
        "empty",
    ],
)
def test_every_advance_mode(name: str, mode: str, form: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    check(graph_of(n, edges, backend, **how), "device", backend, threads=3, mode=mode, **FORMS[form])


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs(), st.sampled_from(LOOPS), st.sampled_from([1, 3]), st.sampled_from(sorted(FORMS)))
def test_random_graphs(graph: Graph, loop: str, threads: int, form: str) -> None:
    check(graph, loop, threads=threads, **FORMS[form])


@settings(max_examples=60, deadline=None)
@given(
    small_graphs(),
    st.sampled_from([0.0, 0.3, 0.99]),
    st.sampled_from([0.0, 1e-3, 1e-6]),
    st.integers(0, 9),
    st.sampled_from(sorted(FORMS)),
)
def test_random_options(
    graph: Graph, damping: float, tolerance: float, iterations: int, form: str
) -> None:
    found = run(
        graph,
        damping=damping,
        tolerance=tolerance,
        max_iterations=iterations,
        precision="float64",
        **FORMS[form],
    )
    expected = numpy_ranks(graph, iterations_of(found), damping)
    assert distance(found.outputs["ranks"], expected) <= min(5e-7, tolerance / 2) + 1e-12


# --- accuracy -----------------------------------------------------------------------------------
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("spec", [HUBS, MESH], ids=["hubs", "mesh"])
def test_within_1e6_of_the_power_iteration(
    spec: GraphSpec, precision: str, form: str, backend: str
) -> None:
    """The tolerance is the default, and the number of iterations equals the pull form's."""
    graph = load_graph(spec, choose_backend(backend).xp)
    found = run(graph, backend=backend, precision=precision, **FORMS[form])
    pulled = run(graph, backend=backend, precision=precision)
    assert iterations_of(found) == iterations_of(pulled)
    assert distance(found.outputs["ranks"], numpy_ranks(graph, iterations_of(found))) < 1e-6
    assert found.outputs["ranks"].dtype == precision


@pytest.mark.parametrize("form", FORMS)
def test_many_small_shares_do_not_drift(form: str) -> None:
    """100,000 equal shares go into one vertex: added one by one in float32 they would be off by 1e-4."""
    n = 100_000
    graph = graph_of(n, [(v, 0) for v in range(1, n)], undirected=False)
    found = run(graph, tolerance=0.0, max_iterations=30, **FORMS[form]).outputs["ranks"]
    assert distance(found, numpy_ranks(graph, 30)) < 1e-6


@pytest.mark.parametrize("damping", [0.0, 0.5, 0.99])
@pytest.mark.parametrize("form", FORMS)
def test_damping(form: str, damping: float) -> None:
    graph = load_graph(HUBS)
    found = run(graph, damping=damping, **{**TIGHT, "max_iterations": 5000}, **FORMS[form])
    assert distance(found.outputs["ranks"], networkx_ranks(graph, damping)) < 1e-9


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("iterations", [0, 1, 2, 3, 4, 7])
def test_max_iterations(iterations: int, loop: str, form: str) -> None:
    found = run(
        load_graph(HUBS),
        Protocol(runs=2, warmup=1, loop=loop),
        tolerance=0.0,
        max_iterations=iterations,
        **FORMS[form],
    )
    assert iterations_of(found) == iterations
    assert ("iteration_ms" in found.record.metrics) == (iterations > 0)


# --- the frontier -------------------------------------------------------------------------------
def frontiers(measured: Measured, phase: str = "scatter") -> list[tuple[int, int]]:
    return [
        (row["frontier_vertices"], row["frontier_edges"])
        for row in measured.record.trace
        if row["phase"] == phase
    ]


@pytest.mark.parametrize("loop", LOOPS)
def test_trace_of_push_has_all_vertices(loop: str) -> None:
    graph = load_graph(HUBS)
    found = run(
        graph,
        Protocol(runs=2, warmup=0, loop=loop, trace=True),
        max_iterations=4,
        tolerance=0.0,
        push=True,
    )
    assert frontiers(found) == [(graph.n, graph.m)] * 5  # the last step looks, and stops
    assert [row["phase"] for row in found.record.trace[:3]] == ["begin", "scatter", "update"]


@pytest.mark.parametrize("loop", LOOPS)
def test_converged_vertices_leave_the_frontier(loop: str) -> None:
    """On a lattice the news travel from its border; the middle has converged at once."""
    graph = load_graph(MESH)
    found = run(
        graph,
        Protocol(runs=1, warmup=0, loop=loop, trace=True),
        filter_converged=True,
        precision="float64",
    )
    sizes = frontiers(found)
    assert frontiers(found, "update") == sizes[:-1]  # an iteration has one frontier
    assert sizes[0] == (graph.n, graph.m)
    assert 0 < sizes[1][0] < graph.n / 2
    assert 0 < sizes[1][1] < graph.m / 2


def test_vertices_come_back() -> None:
    """The middle of a lattice is done at once, until the news from the border arrive."""
    found = run(load_graph(MESH), Protocol(runs=1, warmup=0, trace=True), filter_converged=True, **TIGHT)
    vertices = [count for count, _ in frontiers(found)]
    assert max(vertices[2:]) > 2 * vertices[1]
    assert distance(found.outputs["ranks"], networkx_ranks(load_graph(MESH))) < 1e-10


def test_dangling_vertices_are_not_in_the_filtered_frontier() -> None:
    graph = graph_of(9, [(0, 1), (0, 2)], undirected=False)
    found = run(graph, Protocol(runs=1, warmup=0, trace=True), filter_converged=True)
    assert frontiers(found)[0] == (1, 2)


# --- the options --------------------------------------------------------------------------------
def test_filter_implies_push_and_has_no_floor() -> None:
    graph = load_graph(HUBS)
    record = run(graph, filter_converged=True).record
    assert record.options["push"] is True
    assert record.floor_ms is None
    assert run(graph, push=True).record.floor_ms


def test_same_configuration_as_pull_without_them() -> None:
    plan = PRIMITIVE.plan(load_graph(HUBS), options())
    assert plan.kernel_file.parts[-2:] == ("pagerank", "pull.cuh")
    assert plan.defines == {"GR_LISTS": Lists.UNEVEN, "GR_SHARED_CACHE": 0}


def nvrtc_reason() -> str | None:
    try:
        nvrtc()
    except BackendError as error:
        return str(error)
    return None


@pytest.mark.skipif(nvrtc_reason() is not None, reason=str(nvrtc_reason()))
@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize("form", FORMS)
def test_compiles_for(form: str, arch: int) -> None:
    """Other modes of the same advance: tests/operators/test_nvrtc.py."""
    double, mode = (0, "AUTO") if arch == 90 else (1, "TWC")
    unit = kernel_unit(
        PRIMITIVE,
        arch,
        {**FORMS[form], "precision": PRECISIONS[double]},
        RunOptions(advance_mode=mode),
        {"GR_EDGE64": double},
    )
    assert compiled(arch, unit).kernels
