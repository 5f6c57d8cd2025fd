"""Shortest paths compared with SciPy's Dijkstra and with an independent fixpoint."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from modes import MODES, ON_A_CORE

from gunrock_cli.bench.protocol.runner import Measured, Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.on_gpu import as_on_gpu
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.operators.advance import ADVANCE_MODES
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.sssp import PRIMITIVE, widths
from gunrock_cli.primitives.sssp.options import SsspChosen
from gunrock_cli.primitives.sssp.reference import check_optimality, check_tree
from gunrock_cli.primitives.sssp.widths import auto_bound, auto_delta, weight_per_degree

Edges = Sequence[tuple[int, int, float]]
DEFAULTS = {option.key: option.default for option in PRIMITIVE.options}
REDUNDANCY = ("queue-id", "bitmap", "none")
CHOOSE: Any = importlib.import_module("gunrock_cli.primitives.sssp.choose")
"""The module; the package has the function of that name."""
BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]


def options(**changed: Any) -> dict[str, Any]:
    return {**DEFAULTS, **changed}


def chosen(graph: Graph, alone: bool = True, **changed: Any) -> SsspChosen:
    """The options of a run, resolved."""
    plan = PRIMITIVE.plan if alone else PRIMITIVE.plan_in_parts
    found: SsspChosen = plan(graph, PRIMITIVE.asked(changed)).options
    return found


def graph_of(n: int, edges: Edges, dtype: Any = np.int32, backend: str = "cpu", **how: Any) -> Graph:
    table = np.array([(u, v) for u, v, _ in edges], np.int64).reshape(-1, 2)
    weights = np.array([w for _, _, w in edges], dtype)
    return build_graph(n, table[:, 0], table[:, 1], weights, xp=choose_backend(backend).xp, **how)


def run(
    graph: Graph,
    source: int = 0,
    protocol: Protocol | None = None,
    threads: int = 2,
    backend: str = "cpu",
    **changed: Any,
) -> Measured:
    in_step = {"run_ahead": "off"} if backend == "cpu" else {}  # if a test does not say
    measured = measure(
        PRIMITIVE,
        graph,
        options(**in_step | changed),
        [source],
        choose_backend(backend, threads),
        protocol or Protocol(runs=1, warmup=0),
    )
    if measured.failure is not None:
        raise measured.failure
    return measured


def check(graph: Graph, source: int = 0, **how: Any) -> dict[str, np.ndarray[Any, Any]]:
    measured = run(graph, source, **how)
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    expected = fixpoint(graph.to(np), source)
    found = measured.outputs["distances"]
    np.testing.assert_array_equal(np.where(found < 0, np.inf, found), expected)
    return measured.outputs


def fixpoint(graph: Graph, source: int) -> np.ndarray[Any, Any]:
    """Bellman-Ford over all edges, in the arithmetic of the weights: the result of any order."""
    csr = graph.csr
    assert csr.values is not None
    rows = np.repeat(np.arange(graph.n), csr.degrees())
    wide = np.float32 if csr.values.dtype == np.float32 else np.float64
    distances = np.full(graph.n, np.inf, wide)
    distances[source] = 0
    while True:
        before = distances.copy()
        np.minimum.at(distances, csr.column_indices, before[rows] + csr.values.astype(wide))
        if (before == distances).all():
            return distances


def test_is_found_by_its_file() -> None:
    assert get_primitive("sssp") is PRIMITIVE
    assert PRIMITIVE.needs.weights


# --- corner cases -------------------------------------------------------------------------------
def clique(n: int) -> Edges:
    return [(u, v, (7 * u + 13 * v) % 30 + 1) for u, v in itertools.combinations(range(n), 2)]


CORNERS: dict[str, tuple[int, Edges, dict[str, Any]]] = {
    "one vertex": (1, [], {}),
    "no edges": (5, [], {}),
    "self loops": (3, [(0, 0, 3), (0, 1, 2), (1, 1, 0), (1, 2, 2)], {"keep_self_loops": True}),
    "duplicate edges": (3, [(0, 1, 9), (0, 1, 4), (1, 2, 5), (1, 2, 5)], {"keep_duplicates": True}),
    "disconnected": (6, [(0, 1, 3), (1, 2, 4), (3, 4, 1), (4, 5, 1)], {}),
    "star": (500, [(0, v, v % 64 + 1) for v in range(1, 500)], {}),
    "wide star": (20_000, [(0, v, v % 64 + 1) for v in range(1, 20_000)], {}),
    "path": (300, [(v, v + 1, v % 9) for v in range(299)], {}),
    "clique": (40, clique(40), {}),
    "bipartite": (40, [(u, 20 + v, (3 * u + 5 * v) % 64 + 1) for u in range(20) for v in range(20)], {}),
    "source without edges": (4, [(1, 2, 1), (2, 3, 1)], {}),
    "directed, away from the source": (4, [(1, 0, 1), (2, 1, 1)], {"undirected": False}),
    "directed sinks": (9000, [(0, v, 1) for v in range(1, 9000)], {"undirected": False}),
    "zero weights": (6, [(u, v, 0) for u, v in itertools.combinations(range(6), 2)], {}),
    "long way is short": (5, [(0, 4, 60), (0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 4, 1)], {}),
    "far apart": (4, [(0, 1, 1), (1, 2, 10**6), (2, 3, 1)], {}),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    for dtype in (np.int32, np.float32):
        graph = graph_of(n, edges, dtype, backend, **how)
        for changed in (
            {},
            {"priority_queue": False},
            {"delta": 1, "redundancy": "bitmap"},
            {"mark_pred": True},
            {"direction": "optimized"},
            {"run_ahead": "auto"},
            {"run_ahead": "on"},
            {"run_ahead": "on", "delta": 1},
        ):
            for source in {0, n - 1}:
                check(graph, source, backend=backend, **changed)


@pytest.mark.parametrize("mode", MODES)
def test_a_list_longer_than_the_stage(mode: str) -> None:
    """Items that find the stage full go to the near queue or to the far pile directly."""
    n = 30_000
    graph = graph_of(n, [(0, v, 1 if v % 3 else 50) for v in range(1, n)])
    outputs = check(graph, protocol=Protocol(runs=1, warmup=0, advance_mode=mode), delta=10)
    assert outputs["distances"].sum() == sum(1 if v % 3 else 50 for v in range(1, n))


@pytest.mark.slow
def test_path_of_100000() -> None:
    n = 100_000
    graph = load_graph(GraphSpec("path", params={"nodes": n}, weights="random:1:64"))
    measured = run(graph, mark_pred=True)
    assert measured.record.validation["verdict"] == "pass"
    assert measured.outputs["predecessors"][1:].tolist() == list(range(n - 1))


# --- every combination --------------------------------------------------------------------------
def mid_graphs() -> list[Graph]:
    return [
        load_graph(GraphSpec("rmat", params={"scale": 9}, weights="random:1:64")),
        load_graph(GraphSpec("grid2d", params={"width": 40, "height": 25}, weights="random:0:3")),
    ]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("loop", ["device", "host"])
@pytest.mark.parametrize("mode", MODES)
def test_modes_and_loops(mode: str, loop: str) -> None:
    protocol = Protocol(runs=2, warmup=0, advance_mode=mode, loop=loop)
    for graph in mid_graphs():
        check(graph, int(graph.csr.degrees().argmax()), protocol=protocol, threads=3, mark_pred=True)


SLICES: list[dict[str, Any]] = [
    {"priority_queue": False},
    {"delta": "auto"},
    {"delta": 1},
    {"delta": 20},
    {"delta": 10**9},
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("slices", SLICES, ids=str)
@pytest.mark.parametrize("redundancy", REDUNDANCY)
@pytest.mark.parametrize("mark_pred", [True, False])
def test_options(slices: dict[str, Any], redundancy: str, mark_pred: bool) -> None:
    for graph in mid_graphs():
        outputs = check(graph, 0, threads=3, redundancy=redundancy, mark_pred=mark_pred, **slices)
        assert ("predecessors" in outputs) == mark_pred


HALVES = pytest.mark.parametrize("half", [0, pytest.param(1, marks=pytest.mark.long)])
"""Half of the ways have every pair of values, and all modes together every triple of the others."""


@pytest.mark.sampled(8)
@HALVES
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("redundancy", REDUNDANCY)
def test_everything_with_everything(mode: str, redundancy: str, half: int) -> None:
    check_every_way(mode, redundancy, "int32", half)


@pytest.mark.parametrize(
    "mode",
    ["AUTO", *(pytest.param(mode, marks=pytest.mark.long) for mode in ON_A_CORE if mode != "AUTO")],
)
@HALVES
@pytest.mark.parametrize("redundancy", REDUNDANCY)
def test_everything_with_floats(mode: str, redundancy: str, half: int) -> None:
    check_every_way(mode, redundancy, "float32", half)


def check_every_way(mode: str, redundancy: str, weight_type: str, half: int) -> None:
    graph = load_graph(
        GraphSpec("rmat", params={"scale": 9}, weights="random:0:9", weight_type=weight_type)
    )
    place = ADVANCE_MODES.index(mode) + REDUNDANCY.index(redundancy)
    for priority_queue, mark_pred, loop in itertools.product(
        (True, False), (True, False), ("device", "host")
    ):
        if (place + priority_queue + mark_pred + (loop == "host")) % 2 != half:
            continue
        protocol = Protocol(runs=1, warmup=0, advance_mode=mode, loop=loop)
        check(
            graph,
            3,
            protocol=protocol,
            threads=3,
            priority_queue=priority_queue,
            mark_pred=mark_pred,
            redundancy=redundancy,
        )


# --- the filter in a separate step
# -----------------------------------------------------------------------
UNFUSED: list[dict[str, Any]] = [
    {"mark_pred": True},
    {"redundancy": "bitmap", "delta": 1},
    {"redundancy": "none"},
    {"priority_queue": False},
]


def in_slices(changed: dict[str, Any], delta: float) -> dict[str, Any]:
    """Options with slices of that width, if there are any."""
    return {**changed, "delta": delta} if changed.get("priority_queue", True) else changed


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("changed", UNFUSED, ids=str)
def test_a_filter_after_the_advance(changed: dict[str, Any], backend: str) -> None:
    for n, edges, how in CORNERS.values():
        for loop in ("device", "host"):
            check(
                graph_of(n, edges, backend=backend, **how),
                backend=backend,
                fusion="off",
                protocol=Protocol(runs=1, warmup=0, loop=loop),
                **changed,
            )
    heavy = load_graph(
        GraphSpec("rmat", params={"scale": 10}, weights="random:0:99"), choose_backend(backend).xp
    )
    for delta in (1, 30, 10**6):
        check(heavy, 3, backend=backend, threads=3, fusion="off", **in_slices(changed, delta))


def test_a_filter_is_a_row_of_the_trace() -> None:
    graph = graph_of(4, [(0, 1, 1), (0, 2, 1), (1, 3, 1), (2, 3, 1)])
    rows = run(
        graph, protocol=Protocol(runs=1, warmup=0, trace=True), fusion="off", delta=10, threads=1
    ).record.trace
    shown = [(row["phase"], row["frontier_vertices"]) for row in rows]
    assert shown[:7] == [
        ("begin", 0),
        ("relax", 1),
        ("filter", 2),
        ("relax", 2),
        ("filter", 1),
        ("relax", 1),
        ("filter", 0),
    ]
    assert {phase for phase, _ in shown[7:]} <= {"relax", "split"}


def test_a_filter_of_its_own_does_not_run_ahead() -> None:
    graph = graph_of(2, [(0, 1, 1)])
    assert chosen(graph, fusion="off").run_ahead == "off"
    with pytest.raises(UsageError, match=r"--run-ahead on needs .* --fusion on"):
        chosen(graph, fusion="off", run_ahead="on")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(n=st.integers(1, 30), data=st.data(), delta=st.integers(1, 40), changed=st.sampled_from(UNFUSED))
def test_random_graphs_filtered_after(
    n: int, data: st.DataObject, delta: int, changed: dict[str, Any]
) -> None:
    vertex = st.integers(0, n - 1)
    edges = data.draw(st.lists(st.tuples(vertex, vertex, st.integers(0, 20)), max_size=90))
    check(graph_of(n, edges), data.draw(vertex), fusion="off", **in_slices(changed, delta))


@pytest.mark.gpu
@pytest.mark.parametrize(
    ("mode", "loop", "redundancy"),
    [
        *((mode, "device", "queue-id") for mode in ADVANCE_MODES),
        ("AUTO", "host", "queue-id"),
        ("AUTO", "device", "bitmap"),
        ("AUTO", "device", "none"),
    ],
)
def test_on_the_gpu(mode: str, loop: str, redundancy: str) -> None:
    backend = choose_backend("cuda")
    protocol = Protocol(runs=3, warmup=0, advance_mode=mode, loop=loop)
    for spec in (
        GraphSpec("rmat", params={"scale": 14}, weights="random:1:64"),
        GraphSpec("grid2d", params={"width": 300, "height": 200}, weights="random:0:20"),
    ):
        graph = load_graph(spec, backend.xp)
        for changed in ({}, {"mark_pred": True}, {"delta": 2}):
            check(graph, 1, protocol=protocol, backend="cuda", redundancy=redundancy, **changed)


@st.composite
def small_graphs(draw: st.DrawFn) -> tuple[Graph, int]:
    n = draw(st.integers(1, 12))
    vertex = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex, st.integers(0, 6)), max_size=40))
    dtype = draw(st.sampled_from([np.int32, np.float32]))
    scale = 1 if dtype == np.int32 else draw(st.sampled_from([0.1, 1.0, 1e30, 1e-37]))
    graph = graph_of(
        n,
        [(u, v, w * scale) for u, v, w in edges],
        dtype,
        undirected=draw(st.booleans()),
        keep_self_loops=draw(st.booleans()),
        keep_duplicates=draw(st.booleans()),
    )
    return graph, draw(vertex)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    small_graphs(),
    st.sampled_from([{"priority_queue": False}, *({"delta": x} for x in ("auto", "1", "3", "1e-20"))]),
    st.sampled_from(["device", "host"]),
)
def test_random_graphs(drawn: tuple[Graph, int], slices: dict[str, Any], loop: str) -> None:
    graph, source = drawn
    check(graph, source, protocol=Protocol(runs=1, warmup=0, loop=loop), mark_pred=True, **slices)


# --- vertices that a bound leaves over look back --------------------------------------------------------
BOUNDS: list[Any] = ["auto", 1, 6, 40, 10**9]


def hubs(backend: str = "cpu", **how: Any) -> Graph:
    spec = GraphSpec("rmat", params={"scale": 10, "edge_factor": 24}, **{"weights": "random:1:64", **how})
    return load_graph(spec, choose_backend(backend).xp)


def phases(graph: Graph, source: int = 0, **changed: Any) -> list[str]:
    trace = run(graph, source, Protocol(runs=1, warmup=0, trace=True), **changed).record.trace
    return [row["phase"] for row in trace if row["phase"] not in ("begin", "relax", "split")]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("weights", ["random:1:64", "random:0:3", "random:0:99999"])
@pytest.mark.parametrize("weight_type", ["int32", "float32"])
def test_bounds(weights: str, weight_type: str, backend: str) -> None:
    graph = hubs(backend, weights=weights, weight_type=weight_type)
    source = int(graph.csr.degrees().argmax())
    for bound in BOUNDS:
        check(graph, source, backend=backend, threads=3, direction="optimized", bound=bound)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("undirected", [True, False])
@pytest.mark.parametrize(
    "changed", [{"mark_pred": True}, {"redundancy": "bitmap"}, {"redundancy": "none"}], ids=str
)
def test_bounds_with_other_options(changed: dict[str, Any], undirected: bool, backend: str) -> None:
    graph = hubs(backend, undirected=undirected)
    for bound, loop in itertools.product((5, 20), ("device", "host")):
        check(
            graph,
            3,
            backend=backend,
            direction="optimized",
            bound=bound,
            protocol=Protocol(runs=1, warmup=0, loop=loop),
            **changed,
        )


def test_most_vertices_are_settled_below_the_bound_and_the_rest_looks_back() -> None:
    graph = hubs()
    source = int(graph.csr.degrees().argmax())
    shown = phases(graph, source, bound=8)
    assert shown == ["below"] * (len(shown) - 2) + ["count", "turn"]


def test_a_bound_is_from_the_first_hub() -> None:
    """The source may have no hub within the bound: few edges are left to push."""
    graph = load_graph(GraphSpec("rmat", params={"scale": 13, "edge_factor": 24}, weights="random:1:64"))
    degrees = graph.csr.degrees()
    hub = int(degrees.argmax())
    source = int(np.flatnonzero((degrees > 0) & (run(graph, hub).outputs["distances"] > 20))[0])
    trace = run(graph, source, Protocol(runs=1, warmup=0, trace=True), bound=5).record.trace
    shown = [row["phase"] for row in trace]
    assert shown.index("hub") + 1 == shown.index("raise") < shown.index("below")
    assert shown.count("turn") == 1
    pushed = sum(row["frontier_edges"] for row in trace if row["phase"] == "relax")
    assert 0 < pushed < graph.m / 2
    check(graph, source)


def test_a_bound_that_leaves_most_over_is_raised_as_long_as_that_settles_more() -> None:
    graph = hubs()
    source = int(graph.csr.degrees().argmax())
    assert phases(graph, source, direction="optimized", bound=5).count("turn") == 2
    # Two thirds that cannot be reached look like vertices that are left over.
    apart = graph_of(
        120, [(40 * part + u, 40 * part + v, w) for part in range(3) for u, v, w in clique(40)]
    )
    assert phases(apart, direction="optimized", bound=8).count("turn") <= 4
    check(apart, direction="optimized", bound=8)


def test_where_weights_are_nearly_equal_the_bound_is_a_few_steps_away() -> None:
    """A bound of as many steps as suit weights of 1 to 64 would be beyond most of the graph."""

    def followed(graph: Graph, bound: Any) -> int:
        trace = run(
            graph,
            int(graph.csr.degrees().argmax()),
            Protocol(runs=1, warmup=0, trace=True),
            direction="optimized",
            bound=bound,
        ).record.trace
        return sum(row["frontier_edges"] for row in trace if row["phase"] == "below")

    for spread in (1, 2, 4, 8):
        graph = hubs(weights=f"random:1:{spread}")
        assert followed(graph, "auto") < 0.8 * followed(graph, 5), spread


@pytest.mark.parametrize(
    ("weights", "on_cpu", "on_gpu"),
    [
        ("1:1", 2, 2),
        ("1:2", 2, 2),
        ("1:4", 2, 3),
        ("1:8", 3, 3),
        ("1:16", 3, 4),
        ("1:64", 4, 5),
        ("10:20", 20, 20),
    ],
)
def test_the_automatic_bound_is_the_farther_the_more_weights_are_spread(
    weights: str, on_cpu: int, on_gpu: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = load_graph(
        GraphSpec("rmat", params={"scale": 12, "edge_factor": 64}, weights=f"random:{weights}")
    )
    assert auto_bound(graph) == on_cpu
    monkeypatch.setattr(widths, "BOUND_ON_CPU", widths.BOUND)
    assert auto_bound(graph) == on_gpu


def test_the_automatic_bound_with_weights_of_zero_is_by_their_mean() -> None:
    graph = hubs(weights="random:0:9")
    assert auto_bound(graph) == pytest.approx(widths.BOUND_ON_CPU * weight_per_degree(graph))
    check(graph, direction="optimized")


def test_a_bound_below_all_distances_leaves_the_rest_to_near_and_far() -> None:
    graph = graph_of(50, [(v, v + 1, 7) for v in range(49)])
    assert phases(graph, direction="optimized", bound=3) == ["below", "count", "turn"]
    check(graph, direction="optimized", bound=3)


def test_directions_are_chosen_by_the_graph() -> None:
    def direction(graph: Graph, **changed: Any) -> str:
        return chosen(graph, **changed).direction

    assert direction(hubs()) == "optimized"
    assert direction(hubs(), mark_pred=True) == "optimized"
    assert direction(hubs(undirected=False)) == "push"  # it has in-edges only if asked for
    assert direction(hubs(), fusion="off") == direction(hubs(), priority_queue=False) == "push"
    mesh = load_graph(GraphSpec("grid2d", params={"width": 30, "height": 20}, weights="random:1:9"))
    assert (
        direction(mesh) == direction(mesh, run_ahead="off") == direction(mesh, run_ahead="on") == "push"
    )
    assert direction(mesh, direction="optimized") == "optimized"  # and no block runs ahead


def test_a_bound_needs_what_it_says() -> None:
    graph = graph_of(3, [(0, 1, 1), (1, 2, 1)])
    for changed in ({"priority_queue": False}, {"fusion": "off"}, {"run_ahead": "on"}):
        with pytest.raises(UsageError, match="--direction optimized needs"):
            run(graph, direction="optimized", **changed)
    with pytest.raises(UsageError, match=r"--bound 3\.0 needs --direction optimized"):
        run(graph, direction="push", bound=3)


def test_a_bound_without_effect_is_not_recorded() -> None:
    for changed in ({"direction": "push"}, {"run_ahead": "on"}):
        assert chosen(hubs(), **changed).bound is None
    bound = chosen(hubs()).bound
    assert bound is not None
    assert bound > 0


def test_integer_distances_beyond_the_bound_never_overflow_silently() -> None:
    most = 2**31 - 1
    graph = graph_of(4, [(0, 1, most - 1), (1, 2, 1), (2, 3, most)], undirected=False)
    with pytest.raises(InputError, match=r"vertex 2 is beyond the range of int32.*float32"):
        run(graph, direction="optimized", bound=3)
    with pytest.raises(InputError, match=r"vertex 2 is beyond the range of int32.*float32"):
        run(graph, direction="optimized", bound=most - 1)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    small_graphs(),
    st.sampled_from(["auto", "1", "3", "1e-20"]),
    st.booleans(),
    st.sampled_from(["device", "host"]),
)
def test_random_graphs_with_bounds(
    drawn: tuple[Graph, int], bound: str, mark_pred: bool, loop: str
) -> None:
    graph, source = drawn
    check(
        graph,
        source,
        protocol=Protocol(runs=1, warmup=0, loop=loop),
        bound=bound,
        direction="optimized",
        mark_pred=mark_pred,
    )


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs(), st.sampled_from(["auto", "1", "3", "1e-20"]), st.sampled_from(["device", "host"]))
def test_random_graphs_running_ahead(drawn: tuple[Graph, int], delta: str, loop: str) -> None:
    graph, source = drawn
    check(
        graph,
        source,
        protocol=Protocol(runs=1, warmup=0, loop=loop),
        delta=delta,
        run_ahead="on",
        threads=3,
    )


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", ["device", "host"])
@pytest.mark.parametrize("delta", ["1", "40", "1e9"])
def test_running_ahead(delta: str, loop: str, backend: str) -> None:
    """Frontiers may outgrow a block, and graphs may be no meshes."""
    xp = choose_backend(backend).xp
    for spec in (
        GraphSpec("rmat", params={"scale": 11}, weights="random:1:64"),
        GraphSpec("grid2d", params={"width": 130, "height": 90}, weights="random:0:20"),
    ):
        for _ in range(3):
            check(
                load_graph(spec, xp),
                1,
                protocol=Protocol(runs=1, warmup=0, loop=loop),
                backend=backend,
                delta=delta,
                run_ahead="on",
                threads=3,
            )


def test_running_ahead_needs_what_it_says() -> None:
    graph = graph_of(3, [(0, 1, 1), (1, 2, 1)])
    assert chosen(graph).run_ahead == "auto"  # as it chooses
    assert chosen(graph, alone=False).run_ahead == "on"
    assert chosen(graph, mark_pred=True).run_ahead == "off"
    hubs = load_graph(GraphSpec("star", params={"nodes": 1000}, weights="unit"))
    assert chosen(hubs).run_ahead == "off"
    for changed in ({"mark_pred": True}, {"priority_queue": False}, {"redundancy": "bitmap"}):
        with pytest.raises(UsageError, match="--run-ahead"):
            run(graph, run_ahead="on", **changed)


# --- numbers at their limits --------------------------------------------------------------------
def test_the_longest_distance_that_fits() -> None:
    half = 2**30
    graph = graph_of(3, [(0, 1, half), (1, 2, half - 2)], undirected=False)
    assert check(graph)["distances"].tolist() == [0, half, 2**31 - 2]


@pytest.mark.parametrize(("priority_queue", "run_ahead"), [(True, "off"), (False, "off"), (True, "on")])
def test_integer_distances_never_overflow_silently(priority_queue: bool, run_ahead: str) -> None:
    most = 2**31 - 1
    graph = graph_of(4, [(0, 1, most - 1), (1, 2, 1), (2, 3, most)], undirected=False)
    with pytest.raises(InputError, match=r"vertex 2 is beyond the range of int32.*float32"):
        run(graph, priority_queue=priority_queue, run_ahead=run_ahead)
    shortcut = graph_of(4, [(0, 1, most - 1), (1, 2, 1), (0, 2, 5), (2, 3, 5)], undirected=False)
    found = check(shortcut, run_ahead=run_ahead)["distances"]
    assert found.tolist() == [0, most - 1, 5, 10]


def test_float_distances_never_overflow_silently() -> None:
    graph = graph_of(3, [(0, 1, 3e38), (1, 2, 3e38)], np.float32, undirected=False)
    with pytest.raises(InputError, match="vertex 2 is beyond the range of float32"):
        run(graph)


def test_delta_below_the_rounding_of_distances() -> None:
    graph = graph_of(4, [(0, 1, 1e9), (1, 2, 0.001), (2, 3, 1e9)], np.float32)
    check(graph, delta="1e-6", mark_pred=True)
    check(graph, delta="1e-6", run_ahead="on")


def test_weights_that_vanish_in_rounding_still_make_a_tree() -> None:
    """1e9 + 1 is 1e9 in float32: the clique's vertices are all equally far."""
    edges = [(0, 1, 1e9), *((u, v, 1.0) for u, v in itertools.permutations(range(1, 12), 2))]
    check(graph_of(12, edges, np.float32), mark_pred=True)


def test_a_long_chain_of_zero_weights() -> None:
    n = 2000
    graph = graph_of(n, [(v, v + 1, 0) for v in range(n - 1)])
    outputs = check(graph, n // 2, mark_pred=True, threads=3)
    assert not outputs["distances"].any()
    assert (outputs["predecessors"] == -1).sum() == 1


# --- options ------------------------------------------------------------------------------------
def test_refuses_negative_weights_and_names_the_edge() -> None:
    graph = graph_of(5, [(0, 1, 3), (3, 4, -2)], undirected=False, name="bad")
    with pytest.raises(InputError, match=r"bad: the edge from 3 to 4 .* weight -2: "):
        run(graph)


@pytest.mark.parametrize("weight", [np.nan, np.inf])
def test_refuses_weights_that_are_no_numbers(weight: float) -> None:
    graph = graph_of(3, [(0, 1, 1.5), (1, 2, weight)], np.float32, undirected=False)
    with pytest.raises(InputError, match=r"the edge from 1 to 2 .*must be finite"):
        run(graph)


def test_refuses_a_graph_without_weights() -> None:
    graph = load_graph(GraphSpec("path", params={"nodes": 4}))
    with pytest.raises(UsageError, match="no weights; use --weights"):
        run(graph)


@pytest.mark.parametrize("weight", [1, 0.5])
@pytest.mark.parametrize(
    "given",
    [
        {"delta": 1e308},
        {"delta_factor": 1e308},
        {"delta": 5e-324},
        {"delta_factor": 5e-324},
        {"direction": "optimized", "bound": 1e308},
    ],
)
def test_widths_beyond_the_weights_range_are_its_ends(given: dict[str, Any], weight: float) -> None:
    edges = [(0, 1, weight), (1, 2, weight)]
    graph = graph_of(3, edges, np.int32 if weight == 1 else np.float32)  # type: ignore[arg-type]
    found = chosen(graph, **{"priority_queue": True, "run_ahead": "off", **given})
    limits = np.finfo(np.float32)
    least, most = (1, 2**31 - 2) if weight == 1 else (float(limits.tiny), float(limits.max))
    key = "bound" if "bound" in given else "delta"
    assert getattr(found, key) == (least if 5e-324 in given.values() else most)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"priority_queue": False, "delta": 5}, "--delta 5.0 needs --priority-queue"),
        ({"priority_queue": False, "delta_factor": 2.0}, "--delta-factor 2.0 needs --priority-queue"),
        ({"delta": 5, "delta_factor": 2.0}, "--delta-factor 2.0 multiplies the automatic delta"),
    ],
)
def test_a_width_without_effect_is_refused(changed: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=f"^{told}"):
        run(graph_of(2, [(0, 1, 1)]), **changed)


@pytest.mark.parametrize(
    "changed",
    [{}, {"priority_queue": False}, {"delta_factor": 2.0}, {"delta": 3, "direction": "push"}],
    ids=str,
)
def test_what_was_resolved_is_accepted(changed: dict[str, Any]) -> None:
    """A record's options run again, and resolve to themselves."""
    mesh = load_graph(GraphSpec("grid2d", params={"width": 30, "height": 20}, weights="random:1:9"))
    for graph in (hubs(), mesh):
        found = chosen(graph, **changed)
        assert PRIMITIVE.plan(graph, found).options == found


def test_delta_is_resolved_and_recorded() -> None:
    graph = load_graph(GraphSpec("grid2d", params={"width": 30, "height": 30}, weights="unit"))
    automatic = auto_delta(graph)
    record = run(graph, delta_factor=2.0).record
    assert record.options["delta"] == round(2 * automatic)
    assert run(graph, delta="7").record.options["delta"] == 7


def test_slices_are_wide_after_a_bound_only_where_edges_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a GPU with many edges, a wide slice relaxes edges twice. Fewer still are pushed so."""
    monkeypatch.setattr(widths, "has_no_hubs", lambda graph: False)
    monkeypatch.setattr(widths, "weight_per_degree", lambda graph: 1.0)
    for edges, bounded, expected in (
        (1 << 20, True, 64.0),
        (1 << 20, False, 64.0),
        (1 << 23, True, 64.0),
        (1 << 23, False, 8.0),
        (1 << 24, True, 8.0),
    ):
        graph = cast(Graph, SimpleNamespace(m=edges, n=9, xp="cupy"))
        assert auto_delta(graph, bounded=bounded) == expected


def test_a_gpu_sets_a_bound_if_most_vertices_are_near_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    """And if there are edges enough; cores do so wherever there are hubs."""
    monkeypatch.setattr(CHOOSE, "has_no_hubs", lambda graph: False)
    for edges, around, module, expected in (
        ((1 << 20) - 1, True, "cupy", "push"),
        (1 << 20, True, "cupy", "optimized"),
        (1 << 23, False, "cupy", "push"),
        (1 << 10, False, np, "optimized"),
    ):
        monkeypatch.setattr(CHOOSE, "is_around_hub", lambda graph, around=around: around)
        graph = cast(Graph, SimpleNamespace(n=10**5, m=edges, undirected=True, xp=module))
        assert CHOOSE._direction(graph, PRIMITIVE.asked({}), "off", True) == expected
        assert CHOOSE._all_at_once_pays(graph, "off") == (expected == "push" and edges < 1 << 23)


def test_a_gpu_takes_few_edges_all_at_once_unless_slices_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few = as_on_gpu(hubs())
    assert not chosen(few).priority_queue
    assert chosen(few).direction == "push"
    assert chosen(hubs()).priority_queue  # cores
    asking: list[dict[str, Any]] = [
        {"priority_queue": True},
        {"delta": 3},
        {"delta_factor": 2.0},
        {"run_ahead": "on"},
        {"direction": "optimized"},
        {"direction": "optimized", "bound": 7},
    ]
    for asked in asking:
        assert chosen(few, **asked).priority_queue, asked
    for resolved in (chosen(few), chosen(few, priority_queue=True)):
        assert PRIMITIVE.plan(few, resolved).options == resolved
    mesh = as_on_gpu(
        load_graph(GraphSpec("grid2d", params={"width": 30, "height": 20}, weights="random:1:9"))
    )
    seen = chosen(mesh)
    assert (seen.run_ahead, seen.priority_queue) == ("auto", True)  # in step, before it runs ahead
    path = as_on_gpu(graph_of(5, [(v, v + 1, 1) for v in range(4)], undirected=True))
    assert not chosen(path).priority_queue  # hardly any vertex can be reached in two ways
    assert PRIMITIVE.plan(mesh, seen).options == seen
    assert chosen(mesh, mark_pred=True).priority_queue
    apart = chosen(mesh, alone=False)
    assert (apart.run_ahead, apart.priority_queue) == ("on", True)
    monkeypatch.setattr(CHOOSE, "has_no_hubs", lambda graph: False)
    apart = chosen(mesh, alone=False)
    assert (apart.run_ahead, apart.priority_queue) == ("off", False)
    monkeypatch.setattr(CHOOSE, "PUSHED_EDGES", few.m)
    assert chosen(few).priority_queue


def test_empty_buckets_cost_one_step() -> None:
    gap = 10**6
    graph = graph_of(20, [(v, v + 1, gap) for v in range(19)])
    record = run(graph, delta=1, protocol=Protocol(runs=1, warmup=0, trace=True)).record
    phases = [row["phase"] for row in record.trace]
    assert phases.count("relax") == 20
    assert phases.count("split") <= 2 * 20 + 1
    assert record.metrics["farthest"] == 19 * gap


def test_work_counts_edges_of_reached_vertices() -> None:
    record = run(graph_of(5, [(0, 1, 2), (1, 2, 2), (3, 4, 1)])).record
    assert (record.vertices_visited, record.edges_visited) == (3, 4)


# --- validation ---------------------------------------------------------------------------------
def test_validation_accepts_peers() -> None:
    graph = graph_of(4, [(0, 1, 3), (1, 2, 4)])
    for distances in (
        np.array([0, 3, 7, np.inf]),
        np.array([0, 3, 7, -1]),
        np.array([0, 3, 7, np.inf], np.float32),
    ):
        found = PRIMITIVE.validate(graph, options(), 0, {"distances": distances})
        assert found.verdict == "pass"


@pytest.mark.parametrize(
    "wrong", [[0, 3, 6, -1], [0, 3, 8, -1], [0, 3, 7, 9], [0, 3, -1, -1], [1, 3, 7, -1]]
)
def test_validation_rejects_other_distances(wrong: list[int]) -> None:
    graph = graph_of(4, [(0, 1, 3), (1, 2, 4)])
    found = PRIMITIVE.validate(graph, options(), 0, {"distances": np.array(wrong, np.int32)})
    assert found.verdict == "fail"
    assert "distances differ" in found.message
    wide = np.array(wrong, np.float64)
    wide[wide < 0] = np.inf
    assert check_optimality(graph, 0, wide, True).verdict == "fail"


@pytest.mark.parametrize(
    "wrong",
    [[-1, 0, 3, 2, -1], [-1, 0, 0, 2, -1], [-1, 0, 1, 2, 0], [-1, -1, 1, 2, -1], [-1, 0, 1, 9, -1]],
)
def test_validation_rejects_other_predecessors(wrong: list[int]) -> None:
    graph = graph_of(5, [(0, 1, 3), (1, 2, 4), (2, 3, 0), (0, 2, 8)])
    distances = np.array([0, 3, 7, 7, np.inf])
    right = np.array([-1, 0, 1, 2, -1])
    assert check_tree(graph, 0, distances, right, True, "").verdict == "pass"
    assert check_tree(graph, 0, distances, np.array(wrong), True, "").verdict == "fail"


def test_validation_rejects_a_circle_of_zero_weights() -> None:
    graph = graph_of(3, [(0, 1, 3), (1, 2, 0), (0, 2, 3)])
    found = check_tree(graph, 0, np.array([0.0, 3, 3]), np.array([-1, 2, 1]), True, "")
    assert found.message.startswith("2 predecessors run in a circle")


@settings(max_examples=60, deadline=None)
@given(small_graphs())
def test_optimality_conditions_agree_with_the_fixpoint(drawn: tuple[Graph, int]) -> None:
    graph, source = drawn
    exact = graph.csr.values is not None and graph.csr.values.dtype == np.int32
    distances = fixpoint(graph, source).astype(np.float64)
    assert check_optimality(graph, source, distances, exact).verdict == "pass"
    if exact:
        for v in np.flatnonzero(np.isfinite(distances)):
            other = distances.copy()
            other[v] += 1
            assert check_optimality(graph, source, other, True).verdict == "fail"
