"""Connected components compared with NetworkX, in both variants, on both backends."""

from __future__ import annotations

import importlib
import itertools
from types import SimpleNamespace
from typing import Any, cast

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gunrock_cli.bench.protocol.runner import Measured, Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.operators.advance import ADVANCE_MODES
from gunrock_cli.primitives.cc import PRIMITIVE, variants
from gunrock_cli.primitives.cc.choose import HOOK_JUMP_EDGES, makes_paths
from gunrock_cli.primitives.cc.options import CcChosen
from gunrock_cli.primitives.cc.variants import Afforest
from gunrock_cli.primitives.references import smallest_vertices

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
Edges = list[tuple[int, int]]
Way = dict[str, str]
FROM_HUB: Way = {"linking": "id", "sampling": "hub"}
WAYS: list[Way] = [
    {"variant": "hook-jump"},
    *(
        {"linking": linking, "sampling": sampling}
        for linking in ("id", "random")
        for sampling in ("on", "off")
    ),
    FROM_HUB,
]
WAY = pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(way.values()))
SAMPLED: Way = {"linking": "id", "sampling": "on"}
CHOOSE: Any = importlib.import_module("gunrock_cli.primitives.cc.choose")
"""The module; the package has the function of that name."""


def graph_of(n: int, edges: Edges, **how: Any) -> Graph:
    ends = np.array(edges, np.int64).reshape(-1, 2)
    return build_graph(n, ends[:, 0], ends[:, 1], None, xp=np, **how)


def run(graph: Graph, way: Way, backend: str = "cpu", threads: int = 3, **protocol: Any) -> Measured:
    chosen = choose_backend(backend, threads)
    way = SAMPLED if way == FROM_HUB and not graph.undirected else way
    options = {option.key: option.default for option in PRIMITIVE.options} | way
    return measure(
        PRIMITIVE,
        graph.to(chosen.xp),
        options,
        [],
        chosen,
        Protocol(**{"runs": 1, "warmup": 0, **protocol}),
    )


def afforest(graph: Graph, way: Way) -> Afforest:
    return Afforest(graph, CcChosen.resolved(PRIMITIVE.asked({}), **way))


def expected(graph: Graph) -> np.ndarray[Any, Any]:
    own = nx.Graph()
    own.add_nodes_from(range(graph.n))
    csr = graph.csr
    own.add_edges_from(
        zip(
            np.repeat(np.arange(graph.n), csr.degrees()).tolist(),
            csr.column_indices.tolist(),
            strict=True,
        )
    )
    labels = np.empty(graph.n, np.int32)
    for part in nx.connected_components(own):
        labels[list(part)] = min(part)
    return labels


def check(graph: Graph, way: Way, backend: str = "cpu", **how: Any) -> Measured:
    measured = run(graph, way, backend, **how)
    assert np.array_equal(measured.outputs["components"], expected(graph))
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    return measured


CORNERS: dict[str, tuple[int, Edges, dict[str, Any]]] = {
    "one vertex": (1, [], {}),
    "no edges": (5, [], {}),
    "self loops": (3, [(0, 0), (0, 1), (2, 2)], {"keep_self_loops": True}),
    "duplicates": (4, [(2, 3), (2, 3), (0, 1)], {"keep_duplicates": True}),
    "disconnected": (7, [(0, 1), (1, 2), (3, 4), (4, 5)], {}),
    "star": (4000, [(0, v) for v in range(1, 4000)], {}),
    "star around the last": (4000, [(3999, v) for v in range(3999)], {}),
    "star and clique": (
        200,
        [*((0, v) for v in range(1, 100)), *itertools.combinations(range(99, 180), 2)],
        {},
    ),
    "star, and pairs beyond": (
        900,
        [
            *((400, v) for v in range(300)),
            *((v, v + 1) for v in range(500, 800, 2)),
            *((v, v + 300) for v in range(250)),
        ],
        {},
    ),
    "two stars": (6000, [(v % 2 + 5998, v) for v in range(5998)], {}),
    "path": (3000, [(v, v + 1) for v in range(2999)], {}),
    "path of random order": (
        3000,
        [(int(a), int(b)) for a, b in itertools.pairwise(np.random.default_rng(1).permutation(3000))],
        {},
    ),
    "clique": (60, list(itertools.combinations(range(60), 2)), {}),
    "bipartite": (80, [(a, 40 + b) for a in range(40) for b in range(0, 40, 3)], {}),
    "pairs": (2000, [(2 * v, 2 * v + 1) for v in range(1000)], {}),
    "far pairs": (2000, [(v, 1999 - v) for v in range(1000)], {}),
    "directed, in-edges only": (5, [(4, 0), (3, 0), (1, 2)], {"undirected": False}),
    "directed star outwards": (3000, [(2999, v) for v in range(2999)], {"undirected": False}),
    "directed star inwards": (3000, [(v, 2999) for v in range(2999)], {"undirected": False}),
    "directed zigzag": (
        1001,
        [(v, v + 1) if v % 2 else (v + 1, v) for v in range(1000)],
        {"undirected": False},
    ),
}


@pytest.mark.parametrize("backend", BACKENDS)
@WAY
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, way: Way, backend: str) -> None:
    n, edges, how = CORNERS[name]
    check(graph_of(n, edges, **how), way, backend)


def test_empty_graph() -> None:
    for way in WAYS:
        assert run(graph_of(0, []), way).record.validation["verdict"] == "pass"


@WAY
def test_path_of_a_hundred_thousand(way: Way) -> None:
    check(graph_of(100_001, [(v, v + 1) for v in range(100_000)]), way)


@st.composite
def small_graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(1, 24))
    vertex = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex), max_size=40))
    return graph_of(
        n,
        edges,
        undirected=draw(st.booleans()),
        keep_self_loops=draw(st.booleans()),
        keep_duplicates=draw(st.booleans()),
    )


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs(), st.sampled_from(WAYS), st.sampled_from(["device", "host"]))
def test_random_graphs(graph: Graph, way: Way, loop: str) -> None:
    check(graph, way, loop=loop)


def sparse(n: int, m: int, seed: int, undirected: bool) -> Graph:
    """Random edges below the point where one component takes all: hundreds of components."""
    ends = np.random.default_rng(seed).integers(0, n, (m, 2))
    return graph_of(n, [(int(a), int(b)) for a, b in ends], undirected=undirected)


@pytest.mark.parametrize(
    ("backend", "mode"),
    [("cpu", "AUTO"), *(pytest.param("cuda", mode, marks=pytest.mark.gpu) for mode in ADVANCE_MODES)],
)
@pytest.mark.parametrize("loop", ["device", "host"])
def test_modes_and_loops(loop: str, backend: str, mode: str) -> None:
    """On a core no way has an advance to choose a mode of."""
    graphs = [
        sparse(3000, 1400, 1, True),
        sparse(3000, 2500, 2, False),
        load_graph(GraphSpec("rmat", params={"scale": 11}), np),
        load_graph(GraphSpec("grid2d", params={"width": 90, "height": 70}), np),
    ]
    for graph, way in itertools.product(graphs, WAYS):
        advances = backend == "cuda" and way.get("sampling") not in (None, "off")
        check(graph, way, backend, advance_mode=mode if advances else None, loop=loop)


@pytest.mark.sampled(2)
@WAY
def test_the_same_answer_every_time(way: Way) -> None:
    """The team also always agrees on the next step, or it would hang."""
    for graph in (sparse(20_000, 18_000, 3, True), sparse(60, 400, 4, True)):
        for threads in (1, 2, 3, 7):
            check(graph, way, threads=threads, runs=100)


def test_the_record_counts_components() -> None:
    record = run(graph_of(7, [(0, 1), (1, 2), (3, 4)]), SAMPLED).record
    assert record.metrics == {"components": 4, "largest_component": 3}
    assert record.mteps is None
    assert record.sources == []


def test_the_trace_names_the_steps() -> None:
    graph = sparse(3000, 2500, 2, False)
    phases = [row["phase"] for row in run(graph, SAMPLED, trace=True).record.trace]
    assert phases[:3] == ["graft", "compress", "link"]
    assert phases[-1] == "compress"
    phases = [row["phase"] for row in run(graph, WAYS[0], trace=True).record.trace]
    assert set(phases) == {"hook", "jump"}
    chain = graph_of(10, [(0, 9), (1, 2), (2, 9)])  # on one core 2 is linked to 1, which is linked to 0
    rows = run(chain, WAYS[0], threads=1, trace=True).record.trace
    jumps = [row["frontier_vertices"] for row in rows if row["phase"] == "jump"]
    assert jumps == [10, 1, 0]  # all; the one that was not next to a root; no edges
    unsampled = {"linking": "random", "sampling": "off"}
    phases = [row["phase"] for row in run(graph, unsampled, trace=True).record.trace]
    assert phases == ["graft", "unite", "compress"]
    star = graph_of(100, [(0, v) for v in range(1, 100)])
    phases = [row["phase"] for row in run(star, unsampled, trace=True).record.trace]
    assert phases == ["graft", "rest", "finish", "compress"]


def test_the_longest_list_is_where_it_begins_if_half_of_the_edges_lead_there() -> None:
    def phases(n: int, edges: Edges, **how: Any) -> list[str]:
        measured = check(graph_of(n, edges), FROM_HUB, trace=True, **how)
        return [row["phase"] for row in measured.record.trace]

    star = [*((50, v) for v in range(50)), (1, 2), (3, 4)]
    inside = ["hub", "star", "join", "rest", "compress"]
    assert phases(51, star) == inside
    assert phases(54, [*star, (3, 51), (52, 53)]) == inside
    beyond = [(v, v + 1) for v in range(60, 290)]
    assert phases(300, [*star, *beyond])[:4] == ["hub", "star", "graft", "compress"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_neighbours_that_are_kept_are_those_that_would_be_looked_up(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Afforest, "keeps_others", property(lambda self: self.options.sampling != "off"))
    for name in ("path of random order", "pairs", "clique", "two stars", "directed zigzag"):
        n, edges, how = CORNERS[name]
        for way in (SAMPLED, FROM_HUB):
            check(graph_of(n, edges, **how), way, backend)
    check(sparse(20_000, 18_000, 3, True), SAMPLED, backend)


def test_neighbours_are_kept_where_lists_exceed_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = graph_of(100, [(0, v) for v in range(1, 100)])
    on_gpu = cast(Graph, OnGpu(graph))
    assert not afforest(on_gpu, SAMPLED).keeps_others
    monkeypatch.setattr(variants, "LARGE", graph.m)
    assert afforest(on_gpu, SAMPLED).keeps_others
    assert not afforest(on_gpu, FROM_HUB).keeps_others
    assert not afforest(graph, SAMPLED).keeps_others


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("linking", ["id", "random"])
def test_grafts_in_runs(linking: str, backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    way = {"linking": linking, "sampling": "on"}
    monkeypatch.setattr(Afforest, "grafts_in_runs", property(lambda self: self.options.sampling == "on"))
    for n, edges, how in CORNERS.values():
        check(graph_of(n, edges, **how), way, backend)
    for n, m in ((300, 200), (300, 2000), (20_000, 18_000)):
        check(sparse(n, m, n, True), way, backend)
        check(sparse(n, m, m, False), way, backend)
    for length in (10_000, 999, 1998):  # paths, each vertex of which leads to the one before it
        check(graph_of(9000, [(v, v + 1) for v in range(8999) if (v + 1) % length]), way, backend)


def test_meshes_are_grafted_in_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    path, star = (
        graph_of(100, edges)
        for edges in ([(v, v + 1) for v in range(99)], [(0, v) for v in range(1, 100)])
    )
    near = graph_of(100, [(v, u) for v in range(100) for u in range(v + 1, min(v + 9, 100))])
    monkeypatch.setattr(variants, "LARGE", near.m + 1)
    for graph, runs in ((path, True), (star, False), (near, True)):
        on_gpu = cast(Graph, OnGpu(graph))
        assert afforest(on_gpu, SAMPLED).grafts_in_runs == runs
        assert not afforest(on_gpu, FROM_HUB).grafts_in_runs
        assert not afforest(graph, SAMPLED).grafts_in_runs
    monkeypatch.setattr(variants, "LARGE", path.m)
    assert afforest(cast(Graph, OnGpu(path)), SAMPLED).grafts_in_runs
    assert not afforest(cast(Graph, OnGpu(path)), SAMPLED).keeps_others
    assert not afforest(cast(Graph, OnGpu(near)), SAMPLED).grafts_in_runs
    assert afforest(cast(Graph, OnGpu(near)), SAMPLED).keeps_others


def test_the_longest_list_is_for_undirected_graphs_linked_by_id() -> None:
    directed = graph_of(3, [(0, 1), (0, 2)], undirected=False)
    with pytest.raises(UsageError, match="--sampling hub needs"):
        PRIMITIVE.plan(directed, PRIMITIVE.asked({"sampling": "hub"}))
    with pytest.raises(UsageError, match="--sampling hub needs"):
        run(graph_of(3, [(0, 1)]), {"linking": "random", "sampling": "hub"})


def test_validation_rejects_other_components() -> None:
    graph = graph_of(5, [(0, 1), (3, 4)])
    for wrong in ([0, 0, 2, 2, 2], [0, 1, 2, 3, 3], [1, 1, 2, 3, 3]):
        found = PRIMITIVE.validate(graph, {}, None, {"components": np.array(wrong)})
        assert found.verdict == "fail"
        assert "components differ" in found.message


@pytest.mark.parametrize("way", [{"linking": "id"}, {"sampling": "off"}])
def test_hook_jump_has_no_say_in_links_and_samples(way: Way) -> None:
    with pytest.raises(UsageError, match="needs --variant afforest"):
        run(graph_of(2, [(0, 1)]), {"variant": "hook-jump", **way})


def test_no_option_is_recorded_as_auto() -> None:
    options = run(graph_of(3, [(0, 1)]), {"variant": "hook-jump"}).record.options
    assert (options["linking"], options["sampling"]) == (None, None)


def test_auto_is_chosen_from_the_degrees_and_the_backend() -> None:
    lattice = load_graph(GraphSpec("grid2d", params={"width": 30, "height": 20}), np)
    shuffled = np.random.default_rng(3).permutation(lattice.n)
    tails = np.repeat(np.arange(lattice.n), lattice.csr.degrees())
    ends = zip(shuffled[tails].tolist(), shuffled[lattice.csr.column_indices].tolist(), strict=True)
    mesh = graph_of(lattice.n, list(ends))
    hubs = load_graph(GraphSpec("rmat", params={"scale": 9}), np)
    for graph, paths, star in ((mesh, True, False), (hubs, False, True), (lattice, False, False)):
        assert makes_paths(graph) == paths
        options = run(graph, {}).record.options  # on the CPU
        sampled = ("id", "hub" if star else "on")
        assert (options["linking"], options["sampling"]) == sampled
        chosen = PRIMITIVE.plan(cast(Graph, OnGpu(graph)), PRIMITIVE.asked({})).options
        expected = ("random", "off") if paths else sampled
        assert (chosen.linking, chosen.sampling) == expected


def test_long_lists_make_paths_where_there_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = load_graph(GraphSpec("random", params={"nodes": 500, "edges": 3000}), np)
    assert graph.m > 8 * graph.n
    assert makes_paths(graph)
    monkeypatch.setattr(CHOOSE, "FEW_EDGES", graph.m - 1)
    assert not makes_paths(graph)


class OnGpu:
    """A graph whose arrays are, by name, of another module than NumPy."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.xp = SimpleNamespace(minimum=np.minimum, arange=np.arange)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._graph, name)


def test_more_edges_than_a_frontier_holds() -> None:
    class Huge:
        m = HOOK_JUMP_EDGES + 1

    with pytest.raises(UsageError, match="afforest"):
        PRIMITIVE.plan(Huge(), PRIMITIVE.asked({"variant": "hook-jump"}))  # type: ignore[arg-type]


def test_smallest_vertices() -> None:
    assert smallest_vertices(np.array([7, 7, 1, 7, 1])).tolist() == [0, 0, 2, 0, 2]
