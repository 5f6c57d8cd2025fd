"""Vertex colorings, by a loop of falling priority or round by round, on both backends."""

from __future__ import annotations

import itertools
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from planned import planned
from primitives.graphs_for_sets import CORNERS, Numbers, graph_of, random_number, small_graphs
from runs_helper import BACKENDS, LOOPS, run_on

from gunrock_cli.bench.protocol.runner import Measured
from gunrock_cli.errors import GunrockError, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.operators.launch_shapes import SETTLE_ALONE
from gunrock_cli.operators.lists import lanes_of_lists
from gunrock_cli.primitives.color import LONGEST_CLASSED, LONGEST_POLLED, LONGEST_RANKED, PRIMITIVE

Way = dict[str, Any]
WAYS: list[Way] = [
    {"waiting": "in-order"},
    {"waiting": "polled"},
    {"method": "independent-sets"},
    {"waiting": "by-class"},
    {"waiting": "by-number"},
]
WAY = pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(way.values()))


def run(graph: Graph, way: Way, backend: str = "cpu", threads: int = 3, **protocol: Any) -> Measured:
    return run_on(PRIMITIVE, graph, way, backend, threads, **protocol)


def fits(graph: Graph, way: Way) -> bool:
    """True if the graph can be colored in that way."""
    limits = {"polled": LONGEST_POLLED, "by-class": LONGEST_CLASSED, "by-number": LONGEST_RANKED}
    limit = limits.get(way.get("waiting", ""))
    return limit is None or graph.csr.degrees().max(initial=0) <= limit


def neighbours(graph: Graph) -> list[Numbers]:
    rows, columns = graph.csr.row_offsets, graph.csr.column_indices
    lists = (columns[rows[v] : rows[v + 1]] for v in range(graph.n))
    return [found[found != v] for v, found in enumerate(lists)]


def greedy(graph: Graph, seed: int) -> Numbers:
    """The coloring of a loop over the vertices, the largest degree first."""
    random = random_number(np.arange(graph.n), seed).astype(np.int64)
    return in_order(graph, np.lexsort((-random, -graph.csr.degrees().astype(np.int64))))


def by_class(graph: Graph, seed: int) -> Numbers:
    """The coloring of a loop in an order of classes."""
    return in_order(graph, np.lexsort((np.arange(graph.n), class_of(graph, seed))))


def by_number(graph: Graph, seed: int) -> Numbers:
    """The coloring of a loop by falling random numbers."""
    x = (np.arange(graph.n) * 0x9E3779B1 + seed * 0x85EBCA6B % 2**32) % 2**32
    return in_order(graph, np.argsort(-((x ^ x >> 15) * 0xC2B2AE35 % 2**32)))


def in_order(graph: Graph, order: Numbers) -> Numbers:
    around = neighbours(graph)
    colors = np.full(graph.n, -1)
    for v in order:
        taken = set(colors[around[v]].tolist())
        colors[v] = next(color for color in range(graph.n) if color not in taken)
    return colors


def class_of(graph: Graph, seed: int) -> Numbers:
    """The class of each vertex in by-class: degrees have several classes each, chosen by a random
    number."""
    degrees = graph.csr.degrees().astype(np.int64)
    count = np.bincount(degrees, minlength=64)
    parts = np.where(count > 0, 1 + count * 63 // graph.n, 0)
    first = parts[::-1].cumsum()[::-1] - parts
    turned = 2**32 - 1 - random_number(np.arange(graph.n), seed).astype(np.int64)
    return first[degrees] + (turned * parts[degrees] >> 32)


def by_rounds(graph: Graph, seed: int) -> Numbers:
    """Two colors per round: for local maxima, and for local minima, of those without a color."""
    random = random_number(np.arange(graph.n), seed).astype(np.int64)
    sources, targets = graph.csr.sources(), graph.csr.column_indices
    colors, first = np.full(graph.n, -1), 0
    while (bare := colors < 0).any():
        among = bare[sources] & bare[targets]
        sources, targets = sources[among], targets[among]
        below, above = np.zeros((2, graph.n), bool)
        below[sources[random[sources] < random[targets]]] = True
        above[sources[random[sources] > random[targets]]] = True
        colors[bare & ~above] = first + 1
        colors[bare & ~below] = first
        first += 2
    return colors


def check(graph: Graph, way: Way, backend: str = "cpu", **how: Any) -> Measured:
    measured = run(graph, way, backend, **how)
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    named = {"independent-sets": by_rounds, "by-class": by_class, "by-number": by_number}
    reference = named.get(way.get("method", measured.record.options["waiting"]), greedy)
    np.testing.assert_array_equal(
        measured.outputs["colors"], reference(graph, way.get("priority_seed", 0))
    )
    return measured


@pytest.mark.parametrize("backend", BACKENDS)
@WAY
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, way: Way, backend: str) -> None:
    n, edges, how = CORNERS[name]
    graph = graph_of(n, edges, **how)
    if fits(graph, way):
        check(graph, way, backend)


def test_numbers_of_colors_that_are_known() -> None:
    def colors(name: str, way: Way) -> int:
        n, edges, how = CORNERS[name]
        return int(run(graph_of(n, edges, **how), way).record.metrics["colors"])

    for way in ({}, WAYS[2]):
        assert colors("clique", way) == 150
        assert colors("no edges", way) == 1
    assert colors("star", {}) == colors("complete bipartite", {}) == 2
    assert colors("odd ring", {}) == 3


def test_empty_graph() -> None:
    for way in WAYS:
        record = run(graph_of(0, []), way).record
        assert (record.validation["verdict"], record.metrics) == ("pass", {"colors": 0, "color_sum": 0})


@pytest.mark.parametrize("way", [{}, WAYS[0]], ids=["auto", "in-order"])
@pytest.mark.parametrize("shape", ["path", "star"])
def test_a_hundred_thousand(shape: str, way: Way) -> None:
    """A path in the order of its vertices would be one chain of all of them."""
    ends = np.arange(100_000)
    graph = graph_of(100_001, np.column_stack((ends if shape == "path" else 0 * ends, ends + 1)))
    record = run(graph, way).record
    assert record.validation["verdict"] == "pass"
    assert record.iterations < 60
    assert record.metrics["colors"] == (2 if shape == "star" else 3)


@settings(max_examples=90, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs(), st.sampled_from(WAYS), st.integers(0, 2**32 - 1), st.sampled_from(LOOPS))
def test_random_graphs(graph: Graph, way: Way, seed: int, loop: str) -> None:
    if not fits(graph, way):
        return
    colors = check(graph, {**way, "priority_seed": seed}, loop=loop).outputs["colors"]
    own = nx.Graph(zip(graph.csr.sources().tolist(), graph.csr.column_indices.tolist(), strict=True))
    assert all(colors[a] != colors[b] for a, b in own.edges if a != b)


LARGER = [
    GraphSpec("rmat", params={"scale": 11}),
    GraphSpec("grid2d", params={"width": 90, "height": 70}),
    GraphSpec("rgg", params={"scale": 11}),
    GraphSpec("road", params={"scale": 11}),
]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@WAY
def test_larger_graphs(way: Way, loop: str, backend: str) -> None:
    for spec in LARGER:
        graph = load_graph(spec, np)
        if fits(graph, way):
            check(graph, way, backend, loop=loop)


@pytest.mark.parametrize("backend", BACKENDS)
def test_more_vertices_than_threads(backend: str) -> None:
    """Each warp of a GPU has several hundred: more wait than a warp asks about at once."""
    side = 150 if backend == "cpu" else 1600
    graph = load_graph(GraphSpec("grid2d", params={"width": side, "height": side}), np)
    polled = run(graph, {"waiting": "polled"}, backend)
    assert polled.record.validation["verdict"] == "pass"
    np.testing.assert_array_equal(
        polled.outputs["colors"], run(graph, {"waiting": "in-order"}, backend).outputs["colors"]
    )


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_more_neighbours_of_greater_number_than_are_noted(loop: str, backend: str) -> None:
    """Use cliques that take as many colors as possible, and rings: more wait than a core has room for."""
    pairs = list(itertools.combinations(range(16), 2))
    cliques = [(16 * k + a, 16 * k + b) for k in range(12) for a, b in pairs]
    wheels = [(192 + 6 * k, 192 + 6 * k + a) for k in range(20) for a in range(1, 6)]
    ring = [(400 + v, 400 + (v + 1) % 301) for v in range(301)]
    shuffled = np.random.default_rng(1).permutation(701)
    for edges in (cliques, cliques + wheels + ring, shuffled[cliques + wheels + ring], shuffled[ring]):
        graph = graph_of(701, edges)
        for threads in (1, 3, 20):
            check(graph, {"waiting": "by-number"}, backend, threads=threads, loop=loop)


def test_no_room_is_kept_for_notes_of_larger_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = load_graph(LARGER[1], np)
    variant = planned(PRIMITIVE, graph, {"waiting": "by-number"})
    assert variant.defines == {"GR_SHARED_CACHE": 2}
    monkeypatch.setattr("gunrock_cli.primitives.color.MOST_RANKED", graph.n - 1)
    assert variant.defines == {}
    check(graph, {"waiting": "by-number"})


def test_larger_graphs_are_ranked_first() -> None:
    rows = run(load_graph(LARGER[1], np), {"waiting": "polled"}, trace=True).record.trace
    assert [row["phase"] for row in rows] == ["rank", "color"]


def test_no_room_is_kept_for_waits_of_larger_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = load_graph(LARGER[1], np)
    polled = planned(PRIMITIVE, graph, {"waiting": "polled"})
    assert polled.defines == {"GR_LANES": 1, "GR_FEW": 1, "GR_SHARED_CACHE": 1}
    assert polled.launch == SETTLE_ALONE
    monkeypatch.setattr("gunrock_cli.primitives.color.MOST_WAITING", graph.n - 1)
    assert polled.defines == {"GR_LANES": 1, "GR_FEW": 1}


@pytest.mark.parametrize("backend", BACKENDS)
def test_where_neighbours_are_few_vertices_wait_for_one_at_a_time(backend: str) -> None:
    """Degrees are those of road networks: no more than two, a hub among them, and circles of odd
    length."""
    ring = [(v, (v + 1) % 99) for v in range(99)]
    star, path = [(200, v) for v in range(201, 240)], [(v, v + 1) for v in range(300, 399)]
    graph = graph_of(400, ring + star + path)
    polled = planned(PRIMITIVE, graph, {"waiting": "polled"})
    assert polled.defines == {"GR_LANES": 1, "GR_FEW": 0, "GR_SHARED_CACHE": 1}
    for threads in (1, 3):
        check(graph, {"waiting": "polled"}, backend, threads=threads)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("size", [32, 33, 64])
def test_as_many_colors_as_a_set_holds(size: int, backend: str) -> None:
    """A clique takes a color for each bit of a word, or one more; many vertices have no neighbors."""
    graph = graph_of(1500, list(itertools.combinations(range(size), 2)))
    polled = planned(PRIMITIVE, graph, {"waiting": "polled"})
    assert polled.defines["GR_FEW"] == int(size == 32)
    for threads in (1, 3):
        measured = check(graph, {"waiting": "polled"}, backend, threads=threads)
        assert measured.record.metrics["colors"] == size


@pytest.mark.parametrize("backend", BACKENDS)
def test_vertices_of_one_priority_go_by_their_random_numbers(backend: str) -> None:
    """A word holds 25 random bits, which are equal for the ends of these edges."""
    bits = random_number(np.arange(1 << 16), 0) >> np.uint32(7)
    order = np.argsort(bits, kind="stable")
    alike = np.flatnonzero(np.diff(bits[order]) == 0)
    assert len(alike) > 20
    pairs = [(int(order[k]), int(order[k + 1])) for k in alike]
    graph = graph_of(1 << 16, pairs)
    check(graph, {"waiting": "polled"}, backend, threads=3)


def test_more_that_wait_than_blocks_hold_wait_in_global_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = graph_of(300, [(v, v + 1) for v in range(299)])
    polled = planned(PRIMITIVE, graph, {"waiting": "polled"})
    assert polled.defines["GR_SHARED_CACHE"] == 1
    monkeypatch.setattr("gunrock_cli.primitives.color.MOST_WAITING", graph.n - 1)
    assert "GR_SHARED_CACHE" not in polled.defines
    check(graph, {"waiting": "polled"})


@pytest.mark.parametrize("backend", BACKENDS)
def test_more_neighbours_and_colors_than_a_wait_notes(backend: str) -> None:
    """Use cliques of nine, joined in pairs: vertices wait for up to nine others, and see nine colors."""
    cliques = [(9 * k + a, 9 * k + b) for k in range(60) for a, b in itertools.combinations(range(9), 2)]
    between = [(9 * k, (9 * k + 9) % 540) for k in range(0, 60, 2)]
    graph = graph_of(540 + 60, cliques + between)  # some have no neighbors: the mean is below 8
    assert lanes_of_lists(graph) == 1
    for threads in (1, 3):
        measured = check(graph, {"waiting": "polled"}, backend, threads=threads)
        assert measured.record.metrics["colors"] == 9


def test_the_same_coloring_whatever_the_schedule() -> None:
    for spec, way in zip((*LARGER[:3], LARGER[2], LARGER[3]), WAYS, strict=True):
        graph = load_graph(spec, np)
        first = check(graph, way).outputs["colors"]
        for threads in (1, 2, 7):
            np.testing.assert_array_equal(
                run(graph, way, threads=threads, runs=10).outputs["colors"], first
            )


def test_the_record_and_the_trace() -> None:
    graph = graph_of(4, [(0, 1), (0, 2), (1, 2)])
    for way, read in zip(WAYS, (12, 12, 0, 12, 12), strict=True):
        record = run(graph, way).record
        assert record.metrics == {"colors": 3, "color_sum": 3}
        assert record.traffic == {"read": read, "written": 4 * 4, "passes": 1}
        assert record.mteps is None
    phases = [row["phase"] for row in run(graph, WAYS[0], trace=True).record.trace]
    assert phases == ["degrees", "buckets", "places", "sort", "color"]
    phases = [row["phase"] for row in run(graph, WAYS[3], trace=True).record.trace]
    assert phases == ["degrees", "classes", "places", "color"]


@pytest.mark.parametrize(
    ("colors", "words"),
    [
        ([0, 0, 0], "2 edges have ends of one color: 0 - 1: 0; 1 - 0: 0"),
        ([0, 1, -1], "from 0 on"),
        ([0, 1], "from 0 on"),
    ],
)
def test_validation_rejects(colors: list[int], words: str) -> None:
    found = PRIMITIVE.validate(graph_of(3, [(0, 1)]), {}, None, {"colors": np.array(colors)})
    assert found.verdict == "fail"
    assert words in found.message


def test_how_a_vertex_waits_is_chosen_by_the_lists() -> None:
    graphs = [load_graph(spec, np) for spec in LARGER]
    dense = graph_of(20, list(itertools.combinations(range(20), 2)))
    hub = load_graph(GraphSpec("mesh", params={"width": 60, "hubs": 1, "hub_degree": 40}), np)
    expected = ("in-order", "by-number", "polled", "by-number", "by-class", "polled")
    for graph, waiting in zip((*graphs, dense, hub), expected, strict=True):
        assert run(graph, {}).record.options["waiting"] == waiting
    assert run(graph_of(2, [(0, 1)]), WAYS[2]).record.options["waiting"] is None


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ({"waiting": "polled"}, "--waiting polled: a vertex has 70 edges, and 63 are the most"),
        ({"waiting": "by-class"}, "--waiting by-class: a vertex has 70 edges, and 63 are the most"),
        ({"waiting": "by-number"}, "--waiting by-number: a vertex has 70 edges, and 15 are the most"),
        ({"waiting": "in-order", "method": "independent-sets"}, "needs --method jones-plassmann"),
    ],
)
def test_ways_that_do_not_fit(way: Way, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        run(graph_of(71, [(0, v) for v in range(1, 71)]), way)


def test_directed_graphs_are_refused() -> None:
    with pytest.raises(GunrockError, match="undirected"):
        run(graph_of(2, [(0, 1)], undirected=False), {})
