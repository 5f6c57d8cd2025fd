"""Communities compared with NetworkX, igraph and known optima, on both backends."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from real_graphs import decode

from gunrock_cli.bench.protocol.runner import Measured, Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import qualities
from gunrock_cli.primitives.louvain import PRIMITIVE, SHARES
from gunrock_cli.primitives.qualities import WIDE_BITS, Scale, modularity

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
Edges = list[tuple[int, int]]
DEFAULTS = PRIMITIVE.asked({})


def graph_of(n: int, edges: Edges, weights: Any = None, **how: Any) -> Graph:
    ends = np.array(edges, np.int64).reshape(-1, 2)
    values = None if weights is None else np.asarray(weights)
    return build_graph(n, ends[:, 0], ends[:, 1], values, xp=np, **how)


def run(
    graph: Graph,
    backend: str = "cpu",
    threads: int = 3,
    loop: str = "device",
    trace: bool = True,
    **changed: Any,
) -> Measured:
    chosen = choose_backend(backend, threads)
    return measure(
        PRIMITIVE,
        graph.to(chosen.xp),
        changed,
        [],
        chosen,
        Protocol(runs=1, warmup=0, loop=loop, trace=trace),
    )


def as_networkx(graph: Graph) -> Any:
    own = nx.Graph()
    own.add_nodes_from(range(graph.n))
    csr = graph.csr
    values = np.ones(graph.m) if csr.values is None else csr.values.astype(float)
    for u, v, weight in zip(
        csr.sources().tolist(), csr.column_indices.tolist(), values.tolist(), strict=True
    ):
        if u <= v:  # the sum of parallel edges
            before = own[u][v]["weight"] if own.has_edge(u, v) else 0.0
            own.add_edge(u, v, weight=before + weight)
    return own


def check(graph: Graph, backend: str = "cpu", **how: Any) -> Measured:
    """Run and validate, and compute the modularity once more by NetworkX."""
    measured = run(graph, backend, **how)
    record = measured.record
    assert record.status == "ok", record.error
    assert record.validation["verdict"] == "pass"
    labels = measured.outputs["communities"]
    assert record.metrics["communities"] == (int(labels.max()) + 1 if graph.n else 0)
    assert record.metrics["levels"] == len(measured.outputs["levels"])
    if graph.m and (graph.csr.values is None or graph.csr.values.any()):
        parts = [set(np.flatnonzero(labels == c).tolist()) for c in range(int(labels.max()) + 1)]
        expected = nx.community.modularity(
            as_networkx(graph), parts, resolution=record.options["resolution"]
        )
        assert record.metrics["modularity"] == pytest.approx(expected, rel=1e-6, abs=1e-6)
    return measured


def ring_of_cliques(count: int, size: int) -> Graph:
    edges = [
        (c * size + a, c * size + b)
        for c in range(count)
        for a, b in itertools.combinations(range(size), 2)
    ]
    edges += [(c * size, (c + 1) % count * size + 1) for c in range(count)]
    return graph_of(count * size, edges)


CORNERS: dict[str, tuple[int, Edges, dict[str, Any]]] = {
    "one vertex": (1, [], {}),
    "no edges": (5, [], {}),
    "one edge": (2, [(0, 1)], {}),
    "one loop": (1, [(0, 0)], {"keep_self_loops": True}),
    "self loops": (4, [(0, 0), (0, 1), (2, 2), (2, 3), (1, 2)], {"keep_self_loops": True}),
    "duplicates": (5, [(2, 3), (2, 3), (0, 1), (1, 2), (3, 4)], {"keep_duplicates": True}),
    "loops and duplicates": (
        4,
        [(0, 0), (0, 0), (0, 1), (0, 1), (2, 3), (1, 2)],
        {"keep_self_loops": True, "keep_duplicates": True},
    ),
    "disconnected": (7, [(0, 1), (1, 2), (3, 4), (4, 5)], {}),
    "star": (3000, [(0, v) for v in range(1, 3000)], {}),
    "star around the last": (3000, [(2999, v) for v in range(2999)], {}),
    "path": (2000, [(v, v + 1) for v in range(1999)], {}),
    "clique": (60, list(itertools.combinations(range(60), 2)), {}),
    "bipartite": (80, [(a, 40 + b) for a in range(40) for b in range(0, 40, 3)], {}),
    "pairs": (2000, [(2 * v, 2 * v + 1) for v in range(1000)], {}),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", ["device", "host"])
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, loop: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    check(graph_of(n, edges, **how), backend, loop=loop)


def test_no_vertices() -> None:
    measured = check(graph_of(0, []))
    assert measured.record.metrics == {
        "modularity": 0.0,
        "levels": 0,
        "communities": 0,
        "largest_community": 0,
    }


def test_communities_that_are_certain() -> None:
    """Pairs, a clique, and a star (leaves gain only from the middle)."""
    pairs = run(graph_of(6, [(0, 1), (2, 3), (4, 5)])).outputs["communities"]
    assert pairs.tolist() == [0, 0, 1, 1, 2, 2]
    for graph in (graph_of(*CORNERS["clique"][:2]), graph_of(*CORNERS["star"][:2])):
        assert run(graph).record.metrics["communities"] == 1


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_ring_of_cliques(backend: str) -> None:
    """If there are few cliques, they are the best communities (Fortunato and Barthelemy, 2007)."""
    graph = ring_of_cliques(9, 6)
    labels = check(graph, backend).outputs["communities"]
    assert labels.tolist() == np.repeat(np.arange(9), 6).tolist()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", ["device", "host"])
def test_communities_of_most_edges_are_contracted_by_all(loop: str, backend: str) -> None:
    """Their rows take more room than a block's share."""
    pairs = list(itertools.combinations(range(90), 2))
    edges = [*pairs, *((90 + a, 90 + b) for a, b in pairs), (0, 90)]
    measured = check(graph_of(180, edges), backend, loop=loop)
    phases = [row["phase"] for row in measured.record.trace]
    after = phases.index("combine")
    assert phases[after : after + 4] == ["combine", "sum giants", "place giants", "begin"]
    assert measured.outputs["communities"].tolist() == [0] * 90 + [1] * 90


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("length", [100_000])
def test_a_long_path_and_a_large_star(length: int, backend: str) -> None:
    path = run(graph_of(length, [(v, v + 1) for v in range(length - 1)]), backend).record
    assert path.status == "ok", path.error
    assert path.metrics["modularity"] > 0.98
    star = run(graph_of(length, [(0, v) for v in range(1, length)]), backend).record
    assert star.metrics["communities"] == 1


def test_small_graphs_that_others_have_solved() -> None:
    """The karate club's optimum is 0.4198; other graphs are compared with NetworkX's Louvain of several
    seeds."""
    karate = nx.karate_club_graph()
    unweighted = graph_of(34, list(karate.edges))
    assert check(unweighted).record.metrics["modularity"] > 0.405
    for own in (
        nx.les_miserables_graph(),
        nx.florentine_families_graph(),
        nx.davis_southern_women_graph(),
    ):
        names = {name: v for v, name in enumerate(own)}
        edges = [(names[a], names[b]) for a, b in own.edges]
        weights = [data.get("weight", 1) for _, _, data in own.edges(data=True)]
        found = check(graph_of(len(names), edges, np.array(weights, np.int32))).record
        theirs = [
            nx.community.modularity(own, nx.community.louvain_communities(own, seed=seed))
            for seed in range(3)
        ]
        assert found.metrics["modularity"] > min(theirs) - 0.02


def test_not_far_from_igraph() -> None:
    igraph = pytest.importorskip("igraph")
    for spec in (
        GraphSpec("rmat", params={"scale": 11}),
        GraphSpec("grid2d", params={"width": 60, "height": 50}),
    ):
        graph = load_graph(spec, np)
        keep = graph.csr.sources() < graph.csr.column_indices
        ends = np.column_stack([graph.csr.sources()[keep], graph.csr.column_indices[keep]])
        theirs = igraph.Graph(graph.n, ends).community_multilevel().modularity
        assert check(graph).record.metrics["modularity"] > theirs - 0.01


@st.composite
def small_graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(1, 24))
    vertex = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex), max_size=60))
    weight = draw(st.sampled_from([None, st.integers(0, 9), st.integers(0, 2**31 - 1)]))
    weights = (
        None
        if weight is None
        else np.array(draw(st.lists(weight, min_size=len(edges), max_size=len(edges))), np.int32)
    )
    return graph_of(
        n, edges, weights, keep_self_loops=draw(st.booleans()), keep_duplicates=draw(st.booleans())
    )


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    small_graphs(), st.sampled_from([1.0, 0.0, 0.5, 1.3, 7.0, 1e-6]), st.sampled_from(["device", "host"])
)
def test_random_graphs(graph: Graph, resolution: float, loop: str) -> None:
    check(graph, loop=loop, resolution=resolution, few_moves=100, threshold=0.0, refine=graph.m % 4)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_same_communities_every_time(backend: str) -> None:
    """Communities are equal in every run, with any number of threads, in both loops, on both backends."""
    graph = load_graph(GraphSpec("rmat", params={"scale": 9}), np)
    for own in (
        graph,
        with_weights(graph, "random:1:64"),
        with_weights(graph, "random:0.1:3", "float32"),
    ):
        first = run(own).outputs["levels"]
        for threads, loop in ((1, "device"), (2, "host"), (5, "device"), (5, "device")):
            assert np.array_equal(run(own, backend, threads, loop).outputs["levels"], first)


@pytest.mark.parametrize("backend", BACKENDS)
def test_another_seed_finds_others_as_good(backend: str) -> None:
    graph = load_graph(GraphSpec("rgg", params={"scale": 11}), np)
    first = check(graph, backend)
    for seed in (1, 2**32 - 1):
        found = check(graph, backend, order_seed=seed)
        again = run(graph, backend, threads=1, loop="host", order_seed=seed)
        assert np.array_equal(found.outputs["levels"], again.outputs["levels"])
        assert not np.array_equal(found.outputs["communities"], first.outputs["communities"])
        best = first.record.metrics["modularity"]
        assert found.record.metrics["modularity"] == pytest.approx(best, abs=0.01)


def potts(graph: Graph, labels: Any, resolution: float) -> float:
    """CPM's quality by its definition: an edge counts once, as does a loop."""
    own = as_networkx(graph)
    within = sum(weight for u, v, weight in own.edges(data="weight") if labels[u] == labels[v])
    return within - resolution * sum(size * (size - 1) / 2 for size in np.bincount(labels).tolist())


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs(), st.sampled_from([1.0, 0.0, 0.5, 0.07]), st.sampled_from(["int", "float"]))
def test_the_constant_potts_model(graph: Graph, resolution: float, kind: str) -> None:
    if kind == "float" and graph.csr.values is not None:
        values = graph.csr.values.astype(np.float32) * np.float32(2**-31)
        graph = replace(graph, csr=replace(graph.csr, values=values))
    measured = run(graph, quality="cpm", resolution=resolution, threshold=0.0, refine=graph.m % 3)
    record = measured.record
    assert record.validation["verdict"] == "pass", record.validation
    labels, reported = measured.outputs["communities"], measured.outputs["qualities"]
    expected = potts(graph, labels, record.options["resolution"])
    assert record.metrics["cpm"] == pytest.approx(expected, rel=1e-6, abs=1e-6)
    assert reported[0] == pytest.approx(potts(graph, np.arange(graph.n), 1.0), rel=1e-6, abs=1e-6)
    assert (np.diff(reported) > 0).all()


@pytest.mark.parametrize("backend", BACKENDS)
def test_cpm_finds_cliques_however_many_there_are(backend: str) -> None:
    """Modularity would join neighbors in a long ring (Traag, Van Dooren and Nesterov, 2011)."""
    graph = ring_of_cliques(300, 5)
    weighted = with_weights(graph, "random:0.5:0.75", "float32")
    assert check(graph, backend).record.metrics["communities"] < 300
    for own, resolution in ((graph, 0.5), (weighted, 0.25)):
        labels = run(own, backend, quality="cpm", resolution=resolution).outputs["communities"]
        assert sorted(labels[::5].tolist()) == list(range(300))
        assert (labels.reshape(300, 5) == labels[::5, None]).all()


@pytest.mark.parametrize("backend", BACKENDS)
def test_gains_in_64_and_in_128_bits_choose_alike(monkeypatch: pytest.MonkeyPatch, backend: str) -> None:
    graph = with_weights(load_graph(GraphSpec("rmat", params={"scale": 9}), np), "random:0:64")
    assert not Scale.of(graph, 1.0).wide
    cpm = {"quality": "cpm", "resolution": 0.5}
    narrow, narrow_cpm = check(graph, backend).outputs, run(graph, backend, **cpm).outputs
    monkeypatch.setattr(qualities, "NARROW_BITS", 0)
    wide, wide_cpm = check(graph, backend).outputs, run(graph, backend, **cpm).outputs
    assert np.array_equal(narrow["levels"], wide["levels"])
    np.testing.assert_array_equal(narrow["modularities"], wide["modularities"])
    assert np.array_equal(narrow_cpm["levels"], wide_cpm["levels"])
    np.testing.assert_array_equal(narrow_cpm["qualities"], wide_cpm["qualities"])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("factor", [2**14, 2**24])
def test_weights_whose_sums_overflow_32_and_64_bits(factor: int, backend: str) -> None:
    """Gains are products of weights, which take this many bits: the communities stay."""
    graph = with_weights(load_graph(GraphSpec("rmat", params={"scale": 9}), np), "random:1:64")
    large = replace(graph, csr=replace(graph.csr, values=graph.csr.values * np.int32(factor)))
    bits = Scale.of(large, 1.0).bits
    assert bits > (64 if factor == 2**14 else 84)
    levels = check(graph, backend).outputs["levels"]
    assert np.array_equal(check(large, backend).outputs["levels"], levels)


def test_weights_beyond_what_can_be_exact_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = with_weights(load_graph(GraphSpec("rmat", params={"scale": 9}), np), "random:1:64")
    most = Scale.of(graph, 1.0).bits
    monkeypatch.setattr(qualities, "WIDE_BITS", most)
    run(graph)
    with pytest.raises(InputError, match="too much for exact gains"):
        run(graph, resolution=0.7)


def test_the_heaviest_weights_have_room() -> None:
    """2^32 entries of 2^31 - 1 fit with a whole resolution, 2^22 of them with any."""
    for entries, shift in ((2**32, 0), (2**22, 20)):
        assert Scale("modularity", 0, (2**31 - 1) * entries, 0, 1.0, 1, shift).bits <= WIDE_BITS


def test_float_weights() -> None:
    graph = load_graph(GraphSpec("rmat", params={"scale": 9}), np)
    check(with_weights(graph, "random:0.001:1", "float32"))
    whole = with_weights(graph, "random:1:64")
    floats = with_weights(graph, "random:1:64")
    values = whole.csr.values.astype(np.float32)
    floats = replace(floats, csr=replace(floats.csr, values=values))
    assert np.array_equal(run(whole).outputs["levels"], run(floats).outputs["levels"])
    tiny = replace(floats, csr=replace(floats.csr, values=values * np.float32(2.0**-100)))
    assert np.array_equal(run(tiny).outputs["levels"], run(floats).outputs["levels"])


def test_resolution_decides_how_many_communities_there_are() -> None:
    graph = load_graph(GraphSpec("grid2d", params={"width": 40, "height": 40}), np)
    counts = [
        check(graph, resolution=resolution).record.metrics["communities"]
        for resolution in (0.0, 0.1, 1.0, 10.0, 1000.0)
    ]
    assert counts[0] == 1
    assert counts[-1] == graph.n
    assert counts == sorted(counts)


def test_levels() -> None:
    graph = load_graph(GraphSpec("grid2d", params={"width": 40, "height": 40}), np)
    whole = check(graph).outputs["levels"]
    assert len(whole) > 3
    for most in (1, 2, 3):
        measured = check(graph, max_levels=most)
        assert np.array_equal(measured.outputs["levels"], whole[:most])
    assert check(graph, threshold=1.0).record.metrics["levels"] == 1


@pytest.mark.parametrize("backend", BACKENDS)
def test_refining_finds_more(backend: str) -> None:
    for graph in (
        load_graph(GraphSpec("rmat", params={"scale": 10}), np),
        load_graph(GraphSpec("grid2d", params={"width": 60, "height": 50}), np),
    ):
        found = [
            check(graph, backend, refine=times, loop=loop).record.metrics["modularity"]
            for times, loop in ((0, "device"), (1, "device"), (20, "device"), (20, "host"))
        ]
        assert found[0] < found[1] <= found[2]
        assert found[2] == found[3]
    assert check(ring_of_cliques(9, 6), backend, refine=3).record.metrics["communities"] == 9
    check(graph_of(5, []), backend, refine=2)


def best_of_lattices(side: int) -> float:
    """An upper bound for communities of a square lattice. One of total degree K, b of whose vertices'
    sides are the lattice's own, has at most K / 2 + b / 2 - sqrt(K) edges within (Harary and Harborth,
    1976: no region's perimeter is shorter than a square's); the modularity that remains is summed over
    communities, and is largest at K = W^(2/3)."""
    return 1 + 1 / (side - 1) - 3 / (4 * side * (side - 1)) ** (1 / 3)


@pytest.mark.parametrize("backend", BACKENDS)
def test_refining_comes_close_to_the_best_there_is(backend: str) -> None:
    """Moving single vertices between fixed communities would leave twice as large a gap."""
    side = 120
    graph = load_graph(GraphSpec("grid2d", params={"width": side, "height": side}), np)
    gaps = [
        best_of_lattices(side) - run(graph, backend, refine=times).record.metrics["modularity"]
        for times in (0, 1, 10)
    ]
    assert gaps[0] < 0.016
    assert gaps[1] < 0.008
    assert 0 < gaps[2] < 0.0045


@pytest.mark.parametrize("backend", BACKENDS)
def test_refining_finds_the_same_every_time(backend: str) -> None:
    lattice = load_graph(GraphSpec("grid2d", params={"width": 40, "height": 30}), np)
    for graph in (
        lattice,
        with_weights(lattice, "random:1:64"),
        load_graph(GraphSpec("rmat", params={"scale": 9}), np),
    ):
        first = check(graph, refine=3).outputs["levels"]
        for threads, loop in ((1, "device"), (2, "host"), (5, "device")):
            again = run(graph, backend, threads, loop, refine=3).outputs["levels"]
            assert np.array_equal(again, first)


def test_a_refining_pass_splits_communities_and_unites_them() -> None:
    """Its levels are parts of communities until few join; it has at most as many levels as any pass."""
    graph = load_graph(GraphSpec("grid2d", params={"width": 40, "height": 40}), np)
    measured = check(graph, refine=1)
    phases = [row["phase"] for row in measured.record.trace]
    own = phases[phases.index("refine") :]
    assert own.count("unite") == 1
    assert own.count("split") > 2
    assert len(measured.outputs["levels"]) >= own.count("split") - 1
    first = check(graph, max_levels=2).record.metrics["modularity"]
    few = check(graph, refine=3, max_levels=2)
    assert few.record.metrics["levels"] <= 2
    assert few.record.metrics["modularity"] > first


def test_one_iteration_is_a_rough_level() -> None:
    graph = load_graph(GraphSpec("rmat", params={"scale": 10}), np)
    rough = check(graph, max_iterations=1, max_levels=1, trace=True)
    phases = [row["phase"] for row in rough.record.trace]
    assert phases.count("decide") == SHARES
    better = check(graph, max_levels=1, few_moves=10_000)
    assert better.record.metrics["modularity"] > rough.record.metrics["modularity"]


def test_the_trace_names_the_steps() -> None:
    trace = run(ring_of_cliques(5, 4), trace=True).record.trace
    phases = [row["phase"] for row in trace]
    assert phases[:4] == ["weigh", "begin", "decide", "move"]
    after = phases.index("rooms")
    assert phases[after : after + 7] == ["rooms", "scan", "number", "place", "copy", "combine", "begin"]
    assert phases[-1] == "flatten"


@pytest.mark.parametrize(
    ("weights", "complaint"),
    [
        (np.array([1, -2], np.int32), "from 1 to 2 (vertices count from 0) has weight -2"),
        (np.array([1, np.nan], np.float32), "from 1 to 2 (vertices count from 0) has weight nan"),
        (np.array([1, np.inf], np.float32), "has weight inf"),
        (np.array([-1, np.inf], np.float32), "has weight inf: must be finite"),
    ],
)
def test_weights_that_are_none(weights: Any, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        run(graph_of(3, [(0, 1), (1, 2)], weights))
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_weight_at_all() -> None:
    measured = check(graph_of(3, [(0, 1), (1, 2)], np.zeros(2, np.int32)))
    assert measured.outputs["communities"].tolist() == [0, 1, 2]
    assert measured.record.metrics["modularity"] == 0.0


def test_directed_graphs_are_refused() -> None:
    with pytest.raises(UsageError, match="louvain is for undirected graphs"):
        run(graph_of(2, [(0, 1)], undirected=False))


def test_validation_finds_what_is_wrong() -> None:
    graph = ring_of_cliques(5, 4)
    right = dict(run(graph).outputs)

    def verdict(**changed: Any) -> str:
        found = PRIMITIVE.validate(graph, DEFAULTS, None, {**right, **changed})
        return found.message if found.verdict == "fail" else ""

    assert verdict() == ""
    labels, levels = right["communities"], right["levels"]
    assert "numbered" in verdict(communities=labels + 1)
    assert "numbered" in verdict(communities=labels[:-1])
    other = labels.copy()
    other[0] = (other[0] + 1) % 5
    assert "not those of the last level" in verdict(communities=other)
    reported = right["modularities"]
    assert "was reported" in verdict(modularities=reported * (1 + 1e-8))
    assert "was reported" in verdict(levels=np.array([*levels[:-1], other]), communities=other)
    split = np.arange(graph.n)
    assert "splits" in verdict(levels=np.array([*levels, split]), communities=split)
    twice = np.array([*levels, levels[-1]])
    assert "no higher" in verdict(levels=twice, modularities=np.array([*reported, reported[-1]]))
    assert PRIMITIVE.validate(graph, DEFAULTS, None, {"communities": labels}).verdict == "pass"


def test_modularity_by_hand() -> None:
    """Two triangles and a bridge: each half has 3 of 7 edges and half of the ends."""
    graph = graph_of(6, [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (2, 3)])
    labels = np.array([0, 0, 0, 1, 1, 1])
    assert modularity(graph, labels, 1.0) == pytest.approx(6 / 7 - 1 / 2)
    assert modularity(graph, labels, 2.0) == pytest.approx(6 / 7 - 1)


@pytest.mark.long
@pytest.mark.parametrize(("name", "least"), [("USA-road-NE", 0.99268), ("cnr-2000", 0.91135)])
def test_quality_on_real_graphs(name: str, least: float) -> None:
    """The bounds are nu-Louvain's modularities, less 0.001."""
    header, u, v, _ = decode(name)
    graph = build_graph(header["n"], np.asarray(u, np.int64), np.asarray(v, np.int64), None, xp=np)
    record = run(graph).record
    assert record.status == "ok", record.error
    assert record.metrics["modularity"] > least


@pytest.mark.long
def test_quality_on_a_large_lattice() -> None:
    graph = load_graph(GraphSpec("grid2d", params={"width": 1414, "height": 1414}), np)
    assert run(graph).record.metrics["modularity"] > 0.9784


@pytest.mark.long
def test_refining_a_large_lattice() -> None:
    """If edges weigh 1 to 64, one pass is enough for more than cuGraph found there (0.98688)."""
    graph = load_graph(GraphSpec("grid2d", params={"width": 1414, "height": 1414}), np)
    gap = best_of_lattices(1414) - run(graph, refine=3).record.metrics["modularity"]
    assert 0 < gap < 0.0018
    weighted = with_weights(graph, "random:1:64")
    assert run(weighted, refine=1).record.metrics["modularity"] > 0.9880


@pytest.mark.long
def test_refining_a_road_network() -> None:
    """The bound is for USA-road-NE (0.99728)."""
    header, u, v, _ = decode("USA-road-NE")
    graph = build_graph(header["n"], np.asarray(u, np.int64), np.asarray(v, np.int64), None, xp=np)
    assert run(graph, refine=3).record.metrics["modularity"] > 0.9945
    weighted = with_weights(graph, "random:1:64")
    assert run(weighted, refine=1).record.metrics["modularity"] > 0.9973
