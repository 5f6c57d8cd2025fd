"""Personalized PageRank compared with NetworkX and an independent power iteration."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pagerank_helper import BACKENDS, CORNERS, LOOPS, graph_of, small_graphs
from ppr_helper import METHODS, PUSH, TIGHT, check, networkx_ranks, options, run, words

from gunrock_cli.bench.protocol.runner import Protocol
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import GunrockError, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph, to_numpy
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.ppr import PRIMITIVE
from gunrock_cli.primitives.ppr.options import seeds_of
from gunrock_cli.primitives.references import power_iteration


def test_is_found_by_its_file() -> None:
    assert get_primitive("ppr") is PRIMITIVE


def seeds_in(graph: Graph) -> list[int]:
    """The first vertex, the last, and one between, which may coincide."""
    return [0, graph.n - 1, graph.n // 2]


@pytest.mark.sampled(2)
# --- corner cases -------------------------------------------------------------------------------
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("name", [name for name in CORNERS if name != "empty"])
def test_corner_cases(name: str, loop: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    graph = graph_of(n, edges, backend, **how)
    check(graph, seeds_in(graph), loop, backend, threads=3)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("changed", METHODS, ids=str)
def test_middle_sized_graphs(changed: dict[str, Any], backend: str) -> None:
    xp = choose_backend(backend).xp
    for spec in (
        GraphSpec("rmat", params={"scale": 10}, undirected=False),
        GraphSpec("grid2d", params={"width": 60, "height": 35}),
    ):
        run(load_graph(spec, xp), 7, backend=backend, threads=3, **changed)


@pytest.mark.gpu
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize(
    "changed", [*METHODS, {"precision": "float64"}, {"batch": 32, "precision": "float64"}], ids=str
)
def test_on_the_gpu(changed: dict[str, Any], loop: str) -> None:
    xp = choose_backend("cuda").xp
    for spec in (
        GraphSpec("rmat", params={"scale": 16}, undirected=False),  # long lists
        GraphSpec("grid2d", params={"width": 300, "height": 200}),
    ):
        run(load_graph(spec, xp), 1, Protocol(runs=3, warmup=0, loop=loop), backend="cuda", **changed)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs(), st.data(), st.sampled_from(LOOPS), st.sampled_from([1, 3]))
def test_random_graphs(graph: Graph, data: st.DataObject, loop: str, threads: int) -> None:
    seeds = data.draw(st.lists(st.integers(0, graph.n - 1), min_size=1, max_size=6))
    check(graph, seeds, loop, threads=threads)


@settings(max_examples=30, deadline=None)
@given(
    small_graphs(),
    st.sampled_from(METHODS),
    st.sampled_from([0.0, 0.3, 0.99]),
    st.sampled_from([0.0, 1e-3, 1e-6]),
    st.integers(0, 9),
)
def test_random_options(
    graph: Graph, changed: dict[str, Any], damping: float, tolerance: float, iterations: int
) -> None:
    """For any options the answer is the one that they ask for, and the ranks sum to 1."""
    push = changed.get("method") == "push"
    ends = (
        {"epsilon": max(tolerance, 1e-9)}
        if push
        else {"tolerance": tolerance, "max_iterations": iterations}
    )
    found = run(graph, graph.n - 1, damping=damping, **ends, **changed)
    if not push:
        assert found.outputs["ranks"].sum(axis=0) == pytest.approx(1, abs=1e-5)


# --- vertices by degree -------------------------------------------------------------------------
BY_DEGREE: list[dict[str, Any]] = [{}, {"batch": 3}]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", [name for name in CORNERS if name != "empty"])
@pytest.mark.parametrize("changed", BY_DEGREE, ids=str)
def test_corner_cases_by_degree(changed: dict[str, Any], name: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    graph = graph_of(n, edges, backend, **how)
    one, two = (
        run(
            graph,
            backend=backend,
            threads=3,
            seeds=words(seeds_in(graph)),
            order=order,
            tolerance=1e-9,
            **changed,
        ).outputs["ranks"]
        for order in ("degree", "graph")
    )
    np.testing.assert_allclose(one, two, atol=1e-6)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs(), st.data(), st.sampled_from(LOOPS))
def test_random_graphs_by_degree(graph: Graph, data: st.DataObject, loop: str) -> None:
    seeds = data.draw(st.lists(st.integers(0, graph.n - 1), min_size=1, max_size=6))
    protocol = Protocol(runs=2, warmup=0, loop=loop)
    for changed in ({}, {"batch": len(seeds)}):
        one, two = (
            run(
                graph, protocol=protocol, seeds=words(seeds), order=order, tolerance=1e-9, **changed
            ).outputs["ranks"]
            for order in ("degree", "graph")
        )
        np.testing.assert_allclose(one, two, atol=1e-6)


@pytest.mark.gpu
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize(
    "changed", [*BY_DEGREE, {"precision": "float64"}, {"batch": 32, "precision": "float64"}], ids=str
)
@pytest.mark.parametrize("undirected", [True, False])
def test_by_degree_on_the_gpu(undirected: bool, changed: dict[str, Any], loop: str) -> None:
    """Use more vertices than a block keeps to itself, with long lists."""
    graph = load_graph(
        GraphSpec("rmat", params={"scale": 16}, undirected=undirected), choose_backend("cuda").xp
    )
    one, two = (
        run(
            graph,
            1,
            Protocol(runs=3, warmup=0, loop=loop, check="both"),
            backend="cuda",
            order=order,
            **changed,
        ).outputs["ranks"]
        for order in ("degree", "graph")
    )
    np.testing.assert_allclose(one, two, atol=1e-6)


def test_by_degree_is_a_phase_of_its_own_and_for_gathering() -> None:
    record = run(directed(), 3, order="degree").record
    assert 0 < record.metrics["renumber_ms"] <= record.phases_ms["renumber"]
    assert run(directed(), 3).record.options["order"] == "graph"
    with pytest.raises(UsageError, match="--order degree is for gathering; leave out --method push"):
        run(directed(), 3, order="degree", method="push")


# --- options ------------------------------------------------------------------------------------
def directed() -> Graph:
    return load_graph(GraphSpec("rmat", params={"scale": 8}, undirected=False))


@pytest.mark.parametrize("damping", [0.0, 0.5, 0.99])
def test_damping(damping: float) -> None:
    graph = directed()
    found = run(graph, 3, damping=damping, **{**TIGHT, "max_iterations": 5000}).outputs["ranks"]
    assert np.abs(found - networkx_ranks(graph, [3], damping)).sum() < 1e-9


@pytest.mark.parametrize("changed", [{}, {"batch": 2}], ids=str)
def test_max_iterations(changed: dict[str, Any]) -> None:
    for iterations in (0, 1, 2, 3, 7):
        record = run(directed(), 1, tolerance=0.0, max_iterations=iterations, **changed).record
        assert record.iterations == record.metrics["iterations"] == iterations
        assert ("iteration_ms" in record.metrics) == (iterations > 0)


def test_a_batch_goes_on_until_the_last_seed_has_settled() -> None:
    """Vertex 0 has no out-edge and settles at once; the cycle does not."""
    graph = graph_of(50, [(v, v + 1) for v in range(1, 49)] + [(49, 1)], undirected=False)
    iterations = [
        run(graph, seeds=seeds, batch=1 + seeds.count(",")).record.iterations
        for seeds in ("0", "1", "0,1")
    ]
    assert iterations[0] == 1 < iterations[1] == iterations[2]


def test_a_source_is_the_set_of_one_seed() -> None:
    graph = directed()
    named = run(graph, 0, seeds="5").outputs["ranks"]
    np.testing.assert_array_equal(run(graph, 5).outputs["ranks"], named)
    assert run(graph, 5).record.sources == [5]
    assert run(graph, 5, seeds="7,9").record.sources == []


def test_seeds_count_once_in_a_set_and_each_in_a_batch() -> None:
    graph = directed()
    np.testing.assert_array_equal(
        run(graph, seeds="4,9,4").outputs["ranks"], run(graph, seeds="9,4").outputs["ranks"]
    )
    measured = run(graph, seeds="4,9,4", batch=3)
    ranks = measured.outputs["ranks"]
    np.testing.assert_array_equal(ranks[:, 0], ranks[:, 2])
    assert measured.column_names == ("seed 4 (0)", "seed 9 (1)", "seed 4 (2)")


def test_seeds_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "seeds.txt"
    file.write_text("3 5\n8,13\n")
    assert PRIMITIVE.plan(directed(), options(seeds=f"@{file}")).options.seeds == "3,5,8,13"


def test_seeds_that_are_drawn_are_recorded_and_have_edges() -> None:
    graph = directed()
    chosen = PRIMITIVE.plan(graph, options(batch=32)).options
    seeds = seeds_of(chosen, None)
    assert len(set(seeds)) == 32
    assert (graph.csr.degrees()[seeds] > 0).all()
    assert PRIMITIVE.shows.column_names(chosen) == tuple(f"seed {seed}" for seed in seeds)
    assert PRIMITIVE.plan(graph, options(batch=32)).options == chosen


GIVE = "give a vertex, several with commas between them, @ and a file that lists them"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"seeds": "1,256"}, "--seeds 256: rmat-s8-e48 has the vertices 0 to 255"),
        ({"seeds": "-1"}, "--seeds -1: rmat-s8-e48 has the vertices 0 to 255"),
        ({"seeds": "1.5"}, f"--seeds 1.5: {GIVE}"),
        ({"seeds": "9" * 5000}, f"--seeds {'9' * 60}: {GIVE}"),
        ({"seeds": ","}, f"--seeds ,: {GIVE}"),
        ({"seeds": "@/nowhere"}, "/nowhere: no such file"),
        ({"seeds": "1,2", "batch": 3}, "--batch 3: --seeds has 2"),
        ({"batch": 2, "method": "push"}, "--method push takes one set of seeds: leave out --batch"),
    ],
    ids=str,
)
def test_refusals(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(GunrockError) as caught:
        PRIMITIVE.plan(directed(), options(**changed))
    assert str(caught.value) == message


def test_a_graph_without_vertices_has_no_seeds() -> None:
    with pytest.raises(UsageError, match="no vertices, so no seeds"):
        PRIMITIVE.plan(graph_of(0, []), options(batch=1))


# --- push ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_push_looks_at_what_it_reaches_only(backend: str) -> None:
    """On a long path a bound of 1e-3 ends the walk near its seed, whatever the path's length."""
    graph = graph_of(20_000, [(v, v + 1) for v in range(19_999)], backend)
    record = run(
        graph, 10_000, Protocol(runs=1, warmup=0, count=True), backend=backend, epsilon=1e-3, **PUSH
    ).record
    assert record.vertices_visited is not None
    assert record.edges_inspected is not None
    assert 3 < record.vertices_visited < 100
    assert record.edges_inspected < 2 / (1e-3 * (1 - 0.85))  # the bound of Andersen and others


DANGLING: list[tuple[Graph, list[int]]] = [
    (graph_of(32, [(0, 1), (1, 0)]), [0, *range(2, 32)]),  # most seeds have no edge
    (graph_of(32, [(0, 1), (1, 0)]), [0, 1, *range(2, 32)]),
    (graph_of(40, [(0, 1), (1, 0), *((1, v) for v in range(2, 40))]), [0]),  # most of a walk ends
    (graph_of(6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]), [0]),
    (graph_of(3, []), [0, 2]),
]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("case", range(len(DANGLING)))
@pytest.mark.parametrize("epsilon", [0.05, 2e-3, 1e-6])
def test_no_vertex_keeps_more_than_epsilon_where_walks_end(
    case: int, epsilon: float, loop: str, backend: str
) -> None:
    """No rank falls short of the limit by more than the residuals, passed on, would give."""
    graph, seeds = DANGLING[case]
    found = run(
        graph.to(choose_backend(backend).xp),
        protocol=Protocol(runs=1, warmup=0, loop=loop),
        backend=backend,
        seeds=words(seeds),
        epsilon=epsilon,
        **PUSH,
    ).outputs["ranks"]
    found, restart = to_numpy(found), np.zeros(graph.n)
    restart[seeds] = 1 / len(seeds)
    fresh, _ = next(power_iteration(graph, 0.85, restart, found))
    unsettled = (fresh - found) / (1 - 0.85)
    assert (unsettled <= epsilon * np.maximum(graph.csr.degrees(), 1) + 1e-12).all()
    assert (unsettled >= -1e-12).all()


def test_a_push_that_leaves_more_than_epsilon_is_found_wrong() -> None:
    graph, seeds = DANGLING[0]
    found = run(graph, seeds=words(seeds), epsilon=4e-3, **PUSH).outputs
    for epsilon, verdict in ((4e-3, "pass"), (2e-3, "fail")):
        how = PRIMITIVE.plan(graph, options(seeds=words(seeds), epsilon=epsilon, **PUSH)).options
        assert PRIMITIVE.validate(graph, how, None, found).verdict == verdict


def test_a_smaller_epsilon_leaves_less_unsettled() -> None:
    left = [
        run(directed(), 1, epsilon=epsilon, **PUSH).record.metrics["unsettled"]
        for epsilon in (1e-3, 1e-5, 1e-7)
    ]
    assert left[0] > left[1] > left[2]


# --- determinism and trace ----------------------------------------------------------------------
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("changed", [{}, {"batch": 3}], ids=str)
def test_same_bits_every_run(changed: dict[str, Any], backend: str) -> None:
    """The number of iterations is fixed; no rank is on dangling vertices."""
    edges = [*((0, v) for v in range(1, 3000)), *((v - 1, v) for v in range(1, 3000))]
    graph = graph_of(3000, edges, backend)
    first, second = (
        run(graph, 1, backend=backend, threads=3, tolerance=0.0, max_iterations=40, **changed).outputs[
            "ranks"
        ]
        for _ in range(2)
    )
    np.testing.assert_array_equal(first, second)


def test_trace() -> None:
    protocol = Protocol(runs=1, warmup=0, trace=True)
    rows = run(directed(), 1, protocol, max_iterations=3).record.trace
    # the last step finds nothing left to do
    assert [row["phase"] for row in rows] == ["begin", *["iterate"] * 4]
    rows = run(directed(), 1, protocol, method="push", epsilon=1e-4).record.trace
    assert [row["phase"] for row in rows[:4]] == ["begin", "settle", "push", "settle"]
    assert rows[-1]["frontier_vertices"] == 0


# --- validation ---------------------------------------------------------------------------------
@pytest.mark.parametrize("changed", [{}, {"method": "push"}], ids=str)
def test_validation_accepts_converged_ranks(changed: dict[str, Any]) -> None:
    graph = directed()
    chosen = PRIMITIVE.plan(graph, options(seeds="3,4", **changed)).options
    ranks = networkx_ranks(graph, [3, 4])
    assert PRIMITIVE.validate(graph, chosen, None, {"ranks": ranks}).verdict == "pass"


@pytest.mark.parametrize("changed", METHODS, ids=str)
def test_validation_rejects_other_ranks(changed: dict[str, Any]) -> None:
    graph = directed()
    chosen = PRIMITIVE.plan(graph, options(seeds=words([3, 4, 5]), **changed)).options
    ranks = (
        np.column_stack([networkx_ranks(graph, [seed]) for seed in (3, 4, 5)])
        if "batch" in changed
        else networkx_ranks(graph, [3, 4, 5])
    )
    swapped, leaking, nothing, elsewhere = ranks.copy(), 0.999 * ranks, ranks.copy(), ranks[::-1]
    best, worst = (
        int(x)
        for x in (ranks.reshape(graph.n, -1)[:, -1].argmax(), ranks.reshape(graph.n, -1)[:, -1].argmin())
    )
    swapped[[best, worst]] = swapped[[worst, best]]
    nothing[0] = np.nan
    for wrong in (swapped, leaking, nothing, elsewhere, ranks[:-1], 0 * ranks):
        found = PRIMITIVE.validate(graph, chosen, None, {"ranks": wrong})
        assert found.verdict == "fail"
        assert found.message
