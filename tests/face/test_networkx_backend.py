"""The NetworkX backend: NetworkX's own tests, and its answers on graphs of all kinds."""

from __future__ import annotations

import copy
import itertools
import json
import math
import os
import pickle
import random
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import gunrock_cli
from gunrock_cli.errors import InputError
from gunrock_cli.face import networkx_backend
from gunrock_cli.face.networkx_backend import convert_from_nx

HERE = Path(__file__).parent
THEIRS = [
    "link_analysis.tests.test_pagerank",
    "link_analysis.tests.test_hits",
    "centrality.tests.test_betweenness_centrality",
    "components.tests.test_connected",
    "components.tests.test_weakly_connected",
    "components.tests.test_strongly_connected",
    "components.tests.test_biconnected",
    "tests.test_bridges",
    "tests.test_dag::TestDAG",
    "shortest_paths.tests.test_unweighted",
    "shortest_paths.tests.test_weighted",
    "shortest_paths.tests.test_generic",
    "traversal.tests.test_bfs",
    "tests.test_distance_measures",
    "tests.test_efficiency",
    "tests.test_wiener",
    "centrality.tests.test_closeness_centrality",
    "centrality.tests.test_harmonic_centrality",
    "tree.tests.test_recognition",
    "tests.test_matching",
    "tests.test_mis",
    "tree.tests.test_mst",
    "community.tests.test_louvain",
    "community.tests.test_label_propagation",
    "tests.test_cluster",
    "tests.test_core",
]
OTHERS = (
    "not Iterator and not random_spanning_tree and not use_bounds"  # slow, and not of functions here
    " and not TestWeightedDistance"  # decimal weights, which lengths of paths have in single precision
    " and not condensation_mapping"  # numbers strong components in the order of NetworkX's search
    " and not topological_sort6"  # changes the graph while it is sorted
)
installed = pytest.mark.skipif(
    not entry_points(group="networkx.backends", name="gunrock"),
    reason="the package was installed before it had a NetworkX backend: pip install -e .",
)


@installed
def test_networkxs_own_tests_pass(tmp_path: Path) -> None:
    """Other calls fall back to NetworkX; every function of the backend answers some calls itself."""
    calls = tmp_path / "calls.json"
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "networkx_calls",
            "-k",
            OTHERS,
            "--pyargs",
            *(f"networkx.algorithms.{name}" for name in THEIRS),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")]),
            "NETWORKX_TEST_BACKEND": "gunrock",
            "NETWORKX_FALLBACK_TO_NX": "1",
            "GUNROCK_TEST_CALLS": str(calls),
        },
    )
    assert done.returncode == 0, done.stdout[-3000:]
    answered = json.loads(calls.read_text())
    functions = {name for name in networkx_backend.__all__ if not name.startswith("convert_")}
    assert functions - set(answered) <= {
        "barycenter",  # of trees there
        "topological_generations",
        "descendants_at_distance",
        "is_weakly_connected",
        "leiden_communities",  # which NetworkX does not have itself
        "number_weakly_connected_components",
    }
    assert sum(answered.values()) > 100


def is_lightest(graph: Any, found: list[Any], weight: str | None) -> bool:
    """True if edges are as many as in a lightest forest, join as much, and weigh as little."""
    forest = nx.Graph(found)
    theirs = nx.minimum_spanning_tree(graph, weight=weight or "none")
    weights = [graph[u][v].get(weight, 1) for u, v in found]
    joined = all(nx.has_path(forest, u, v) for u, v in theirs.edges())
    return (
        len(found) == theirs.number_of_edges()
        and joined
        and weights == sorted(weights)
        and sum(weights) == theirs.size(weight)
    )


@pytest.mark.parametrize("seed", range(3))
def test_classics_are_what_networkx_asks_of_them(seed: int) -> None:
    graph = random_graph(nx.Graph, seed)
    plain, weighted = convert_from_nx(graph), convert_from_nx(graph, {"weight": 1})
    ours = networkx_backend
    assert nx.is_maximal_matching(graph, ours.maximal_matching(plain))
    members = set(ours.maximal_independent_set(plain))
    without_loops = nx.Graph((u, v) for u, v in graph.edges() if u != v)
    assert not any(u in members and v in members for u, v in without_loops.edges())
    assert all(members & set(without_loops[node]) for node in set(graph) - members)
    for of, name in ((weighted, "weight"), (weighted, None), (plain, None)):
        assert is_lightest(graph, list(ours.minimum_spanning_edges(of, weight=name, data=False)), name)
        found = ours.louvain_communities(of, weight=name)
        assert nx.community.is_partition(graph, found)
        apart = [{node} for node in graph]
        assert nx.community.modularity(graph, found, name) > nx.community.modularity(graph, apart, name)
    component = max(nx.connected_components(graph), key=len)
    start = next(iter(component))
    assert ours.node_connected_component(plain, start) == component
    assert ours.descendants(plain, start) == component - {start}


def test_sets_are_drawn_anew_and_by_python_s_seed() -> None:
    graph = convert_from_nx(nx.cycle_graph(60))
    random.seed(5)
    first, second = (networkx_backend.maximal_independent_set(graph) for _ in range(2))
    random.seed(5)
    assert networkx_backend.maximal_independent_set(graph) == first != second
    assert len(graph._prepared) == 0  # none is kept that no one will ask for


def test_communities_are_the_same_for_any_seed() -> None:
    graph = convert_from_nx(nx.karate_club_graph())
    expected = networkx_backend.louvain_communities(graph)
    connected = networkx_backend.leiden_communities(graph, seed=3)
    assert connected == networkx_backend.leiden_communities(graph)
    assert sorted(v for part in connected for v in part) == sorted(graph.nodes)
    assert len(expected) > 1
    for seed in (3, 4, random.Random(5), random.Random(6)):
        assert networkx_backend.louvain_communities(graph, seed=seed) == expected


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", [nx.Graph, nx.MultiGraph])
def test_every_label_is_one_of_the_most_frequent(kind: type, seed: int) -> None:
    """As NetworkX asks, which counts a neighbor once."""
    graph = random_graph(kind, seed)
    found = list(networkx_backend.asyn_lpa_communities(convert_from_nx(graph), seed=seed))
    labels = {node: number for number, part in enumerate(found) for node in part}
    assert labels.keys() == set(graph)
    for node in graph:
        seen = [labels[other] for other in graph[node]]
        assert not seen or seen.count(labels[node]) == max(map(seen.count, seen))


def test_classics_of_nothing() -> None:
    none, apart = convert_from_nx(nx.Graph()), convert_from_nx(nx.empty_graph(3))
    assert networkx_backend.maximal_matching(none) == networkx_backend.maximal_matching(apart) == set()
    assert list(networkx_backend.minimum_spanning_edges(none, data=False)) == []
    assert list(networkx_backend.minimum_spanning_edges(apart, data=False)) == []
    assert networkx_backend.louvain_communities(none) == networkx_backend.leiden_communities(none) == []
    assert networkx_backend.louvain_communities(apart) == [{0}, {1}, {2}]
    assert list(networkx_backend.asyn_lpa_communities(apart)) == [{0}, {1}, {2}]
    assert list(networkx_backend.asyn_lpa_communities(none)) == []
    assert list(networkx_backend.biconnected_components(none)) == []
    assert list(networkx_backend.bridges(apart)) == list(networkx_backend.articulation_points(none)) == []
    directed = convert_from_nx(nx.DiGraph())
    assert list(networkx_backend.topological_generations(directed)) == []
    assert nx.utils.graphs_equal(networkx_backend.condensation(directed), nx.condensation(nx.DiGraph()))
    assert networkx_backend.maximal_independent_set(apart) == [0, 1, 2]
    assert networkx_backend.descendants(apart, 1) == set()


def random_graph(kind: type, seed: int) -> Any:
    """A graph with names of several types, loops, nodes without edges, and some weights."""
    draw = np.random.default_rng(seed)
    graph = kind()
    names: list[Any] = [*range(12), *"abcdef", (1, 2), 3.5, frozenset({1})]
    graph.add_nodes_from(names)
    nodes = list(graph)
    for _ in range(40):
        u, v = (nodes[i] for i in draw.integers(0, len(nodes) - 3, 2))
        graph.add_edge(u, v, weight=int(draw.integers(0, 9)))
    return graph


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_answers_are_networkxs(kind: type, seed: int) -> None:
    graph = random_graph(kind, seed)
    plain, weighted = convert_from_nx(graph), convert_from_nx(graph, {"weight": 1})
    ours = networkx_backend
    for source in list(graph)[::6]:
        assert ours.single_source_shortest_path_length(
            plain, source
        ) == nx.single_source_shortest_path_length(graph, source)
        assert ours.single_source_shortest_path_length(
            plain, source, 2
        ) == nx.single_source_shortest_path_length(graph, source, 2)
        assert ours.single_source_dijkstra_path_length(
            weighted, source
        ) == nx.single_source_dijkstra_path_length(graph, source)
        assert ours.descendants_at_distance(plain, source, 2) == nx.descendants_at_distance(
            graph, source, 2
        )
    for normalized in (True, False):
        assert ours.betweenness_centrality(plain, normalized=normalized) == pytest.approx(
            nx.betweenness_centrality(graph, normalized=normalized), rel=1e-5, abs=1e-9
        )
    if graph.is_directed():
        found, theirs = (
            set(map(frozenset, part.strongly_connected_components(of)))
            for part, of in ((ours, plain), (nx, graph))
        )
        assert found == theirs
        check_condensation(graph, plain)
    else:
        check_cuts(graph, plain)
    name = "weakly_connected_components" if graph.is_directed() else "connected_components"
    assert list(getattr(ours, name)(plain)) == list(getattr(nx, name)(graph))
    if not graph.is_multigraph():
        assert ours.pagerank(plain) == pytest.approx(nx.pagerank(graph, weight=None), rel=1e-6)
        for begins in ({list(graph)[2]: 3}, dict.fromkeys(list(graph)[:5], 0.5)):
            how = {"personalization": begins, "tol": 1e-9, "max_iter": 500}
            assert ours.pagerank(plain, **how) == pytest.approx(
                nx.pagerank(graph, weight=None, **how), rel=1e-6, abs=1e-7
            )


def check_cuts(graph: Any, own: Any) -> None:
    """Check cut vertices, bridges and biconnected components."""
    ours = networkx_backend
    assert set(ours.articulation_points(own)) == set(nx.articulation_points(graph))
    found, theirs = (
        set(map(frozenset, part.biconnected_components(of))) for part, of in ((ours, own), (nx, graph))
    )
    assert found == theirs
    if graph.is_multigraph():
        with pytest.raises(NotImplementedError, match=r"^gunrock"):
            ours.bridges(own)
        return
    found, theirs = (set(map(frozenset, part.bridges(of))) for part, of in ((ours, own), (nx, graph)))
    assert found == theirs
    for root in list(graph)[::5]:
        found, theirs = (
            set(map(frozenset, part.bridges(of, root))) for part, of in ((ours, own), (nx, graph))
        )
        assert found == theirs
    with pytest.raises(nx.NodeNotFound):
        ours.bridges(own, "no such node")


def check_condensation(graph: Any, own: Any) -> None:
    """Check the condensation by NetworkX's of components in the same order, and its generations."""
    ours = networkx_backend
    found, theirs = (
        ours.condensation(own),
        nx.condensation(graph, ours.strongly_connected_components(own)),
    )
    assert nx.utils.graphs_equal(found, theirs)
    assert found.graph == theirs.graph
    again = convert_from_nx(theirs)
    generations = list(map(sorted, ours.topological_generations(again)))
    assert generations == list(map(sorted, nx.topological_generations(theirs)))
    assert [k for some in generations for k in some] == list(ours.topological_sort(again))
    assert nx.is_directed_acyclic_graph(graph) == is_sorted(own)


def is_sorted(own: Any) -> bool:
    """False if NetworkX's exception says that there is a cycle."""
    try:
        return len(list(networkx_backend.topological_sort(own))) == len(own)
    except nx.NetworkXUnfeasible:
        return False


def weighed(kind: type, seed: int) -> Any:
    """A graph with weights, some of them 0, and nodes that none leads out of."""
    draw = np.random.default_rng(seed)
    graph = kind(nx.gnp_random_graph(30, 0.1, seed=seed, directed=kind is nx.DiGraph))
    if graph.is_directed():
        graph.remove_edges_from([edge for edge in graph.edges if edge[0] % 7 == 3])
    for u, _, data in graph.edges(data=True):
        data["w"] = float(draw.choice([0, 0.5, 1, 3, 64])) if u % 5 else 0.0
    return graph


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("weight", ["w", None])
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_ranks_are_networkxs_whatever_the_walk(kind: type, weight: str | None, seed: int) -> None:
    graph = weighed(kind, seed)
    ours = convert_from_nx(graph, {"w": 1})
    some = {v: v % 4 for v in graph if v % 3}
    for how in (
        {},
        {"personalization": some},
        {"personalization": {5: 1, "no such node": 7}},
        {"dangling": {1: 2, 8: 0.5}},
        {"nstart": some, "tol": 1e-3},  # which ends before the start is forgotten
        {"nstart": {2: 1}, "personalization": some, "dangling": dict.fromkeys(graph, 1)},
        {"alpha": 0.5, "personalization": {5: 1}, "max_iter": 300, "tol": 1e-12},
    ):
        expected = nx.pagerank(graph, weight=weight, **how)
        assert networkx_backend.pagerank(ours, weight=weight, **how) == pytest.approx(
            expected, rel=1e-12, abs=1e-15
        )
    with pytest.raises(ZeroDivisionError):
        networkx_backend.pagerank(ours, personalization={3: 0, "no such node": 1})


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph])
def test_betweenness_by_weight_is_networkxs(kind: type, seed: int) -> None:
    graph = weighed(kind, seed)
    draw = np.random.default_rng(seed)
    for *_, data in graph.edges(data=True):
        data["w"] = int(draw.integers(1, 4)) if seed % 2 else float(draw.integers(1, 6)) / 4
    ours = convert_from_nx(graph, {"w": 1})
    for how in (
        {},
        {"normalized": False},
        {"endpoints": True},
        {"k": 7, "seed": 3},
        {"k": 7, "seed": 3, "endpoints": True, "normalized": False},
    ):
        for weight in ("w", None):
            expected = nx.betweenness_centrality(graph, weight=weight, **how)
            found = networkx_backend.betweenness_centrality(ours, weight=weight, **how)
            assert found == pytest.approx(expected, rel=1e-5, abs=1e-9)


def length_of(graph: Any, path: list[Any], weight: str | None) -> int:
    """The length of a walk along existing edges, by the lightest of parallel ones."""
    each = (
        graph.get_edge_data
        if not graph.is_multigraph()
        else (lambda u, v: min(graph[u][v].values(), key=lambda data: data.get(weight, 1)))
    )
    return sum(each(u, v).get(weight, 1) for u, v in itertools.pairwise(path))


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_paths_are_as_short_as_networkxs(kind: type) -> None:
    graph = random_graph(kind, 1)  # some edges weigh nothing
    ours, source = networkx_backend, list(graph)[3]
    for attribute, found, lengths in (
        (None, ours.single_source_shortest_path, nx.single_source_shortest_path_length),
        ("weight", ours.single_source_dijkstra_path, nx.single_source_dijkstra_path_length),
    ):
        own = convert_from_nx(graph, {attribute: 1} if attribute else None)
        for cutoff in (None, 2):
            paths, expected = found(own, source, cutoff), lengths(graph, source, cutoff)
            assert {end: length_of(graph, path, attribute) for end, path in paths.items()} == expected
            assert all((path[0], path[-1]) == (source, end) for end, path in paths.items())
            assert [expected[end] for end in paths] == sorted(expected.values())
        every = nx.shortest_path_length(graph, source, weight=attribute)
        assert ours.shortest_path_length(own, source, weight=attribute) == every
        assert ours.shortest_path(own, source, weight=attribute).keys() == every.keys()
        end = list(every)[-1]
        assert ours.shortest_path_length(own, source, end, attribute) == every[end]
        assert length_of(graph, ours.shortest_path(own, source, end, attribute), attribute) == every[end]
        alone = list(graph)[-1]
        for function in (ours.shortest_path, ours.shortest_path_length):
            with pytest.raises(nx.NetworkXNoPath, match="No path between"):
                function(own, source, alone, attribute)
            for ends in ((source, "nowhere"), ("nowhere", source)):
                with pytest.raises(nx.NodeNotFound):
                    function(own, *ends, attribute)
            with pytest.raises(NotImplementedError, match=r"^gunrock"):
                function(own, source, end, min)
            with pytest.raises(ValueError, match="method not supported"):
                function(own, source, end, attribute, "floyd")


WEIGHTS: list[list[Any]] = [
    [16777217.0, 16777216.0, 16777218.0],  # whole, beyond what a float32 distinguishes
    [2.0**40 + 1, 2.0**40, 2.0**40 + 2],
    [1.0, 1 + 2**-40, 1 + 2**-39],
    [0.1, 0.1 + 1e-12, 0.3],
    [2**53 + 1, 2**53, 0.5],
    [2**70 + 1, 2**70, 2**70 + 2],
    [1e30, 1e-37, 1.0],
    [Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**20), 1],
    [Decimal("0.1"), Decimal("0.2"), 1],
    [True, 2, 3],
]


@pytest.mark.parametrize("weights", WEIGHTS, ids=str)
def test_a_forest_is_the_lightest_by_the_weights_as_they_are(weights: list[Any]) -> None:
    for order in itertools.permutations(weights):
        graph = nx.Graph()
        graph.add_weighted_edges_from(
            [
                *((*ends, w) for ends, w in zip(((0, 1), (1, 2), (2, 0)), order, strict=True)),
                (2, 3, order[0]),
            ]
        )
        found = list(
            networkx_backend.minimum_spanning_edges(convert_from_nx(graph, {"weight": 1}), data=False)
        )
        expected = nx.minimum_spanning_edges(graph, data=False)
        assert {frozenset(edge) for edge in found} == {frozenset(edge) for edge in expected}
        own = [graph[u][v]["weight"] for u, v in found]
        assert own == sorted(own)


def test_weights_of_which_a_gpu_may_make_0_are_left_to_networkx() -> None:
    graph = nx.path_graph(3)
    graph[0][1]["weight"] = 1e-300
    with pytest.raises(NotImplementedError, match=r"^gunrock: .* must be 0 or at least 1\.2e-38"):
        convert_from_nx(graph, {"weight": 1})


def test_whole_weights_are_exact_as_floats_too() -> None:
    graph = nx.path_graph(4)
    for u, v, weight in ((0, 1, 16777217.0), (1, 2, 3.0), (2, 3, 5.0)):
        graph[u][v]["weight"] = weight
    own = convert_from_nx(graph, {"weight": 1})
    found = networkx_backend.single_source_dijkstra_path_length(own, 0)
    assert found == nx.single_source_dijkstra_path_length(graph, 0)
    assert all(isinstance(length, float) for length in found.values())
    graph[0][1]["weight"] = 2.0**33 + 1  # no sum of these is exact
    with pytest.raises(NotImplementedError, match="gunrock: whole weights"):
        networkx_backend.single_source_dijkstra_path_length(convert_from_nx(graph, {"weight": 1}), 0)
    for u, v in graph.edges():
        graph[u][v]["weight"] *= 0 if u == 0 else 2.0**40  # these are
    assert networkx_backend.single_source_dijkstra_path_length(
        convert_from_nx(graph, {"weight": 1}), 1
    ) == nx.single_source_dijkstra_path_length(graph, 1)


@pytest.mark.parametrize(
    ("weight", "cutoff"),
    [
        (0.5, 1.0),
        (0.5, 1 - 2**-50),
        (0.5, 1 + 2**-50),
        (0.5, math.nextafter(0.5, 0)),
        (0.1, 0.35),
        (16777217.0, 16777216.5),
        (3, 5.5),
        (2.0**30, 2.0**31),
        (0.1, 0.1),
        (0.1, 0.2),
        (0.1, 0.1 + 0.1 + 0.1),
        (0.1, 0.3),
        (1e-37, 0),
    ],
)
def test_cutoffs_are_compared_as_doubles(weight: float, cutoff: float) -> None:
    """Cutoffs are compared as by NetworkX, or refused."""
    graph = nx.path_graph(5)
    nx.set_edge_attributes(graph, weight, "weight")
    own, ours = convert_from_nx(graph, {"weight": 1}), networkx_backend
    for function, theirs in (
        (ours.single_source_dijkstra_path_length, nx.single_source_dijkstra_path_length),
        (ours.single_source_dijkstra_path, nx.single_source_dijkstra_path),
    ):
        if weight in (0.1, 1e-37) and cutoff != 0.35:
            with pytest.raises(NotImplementedError, match=r"^gunrock's lengths are in single precision"):
                function(own, 0, cutoff)
        else:
            assert list(function(own, 0, cutoff)) == list(theirs(graph, 0, cutoff))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("value", ["5", b"5", np.str_("5"), None, 1j, [1], math.nan, "nan", np.ma.masked])
@pytest.mark.parametrize("beside", [1, 2.5, Fraction(1, 2), 2**70])
def test_what_is_no_number_is_no_weight(value: Any, beside: Any) -> None:
    for values in ((value, beside), (beside, value), (value, value)):
        for kind in (nx.Graph, nx.MultiDiGraph):
            graph = kind()
            graph.add_edge(0, 1, weight=values[0])
            graph.add_edge(1, 2, weight=values[1])
            with pytest.raises(NotImplementedError, match="gunrock: weights must be"):
                convert_from_nx(graph, {"weight": 1})
            with pytest.raises(InputError, match="weights must be"):
                gunrock_cli.sssp(graph, 0, backend="cpu")


def test_arguments_that_are_text_are_no_numbers() -> None:
    graph = convert_from_nx(nx.karate_club_graph())
    for call in (
        lambda: networkx_backend.pagerank(graph, personalization={0: "1", 1: "1"}),
        lambda: networkx_backend.louvain_communities(graph, resolution="1"),
        lambda: networkx_backend.louvain_communities(graph, threshold="1e-7"),
    ):
        with pytest.raises(NotImplementedError, match="is no number"):
            call()


def test_hubs_and_authorities_are_networkxs() -> None:
    even = nx.DiGraph([(0, 2), (2, 1), (2, 0)])  # authorities are all equal at first
    for graph in (
        nx.karate_club_graph(),
        nx.gn_graph(30, seed=2).reverse(),
        even,
        nx.gnp_random_graph(40, 0.2, seed=3, directed=True),
    ):
        draw = np.random.default_rng(1)
        for weights in (None, [1, 2, 5], [0, 0.5, 3.25]):
            for _, _, data in graph.edges(data=True):
                data.clear()
                if weights:
                    data["weight"] = draw.choice(weights).item()
            found = networkx_backend.hits(convert_from_nx(graph, {"weight": 1}), max_iter=1000)
            for ours, theirs in zip(found, nx.hits(graph, max_iter=1000), strict=True):
                assert ours == pytest.approx(theirs, abs=1e-6)


def test_what_networkx_has_and_we_have_not_is_not_implemented() -> None:
    graph = random_graph(nx.Graph, 0)
    weighted, plain = convert_from_nx(graph, {"weight": 1}), convert_from_nx(graph)
    for call in (
        lambda: networkx_backend.pagerank(plain, personalization={0: 3, 1: -1}),
        lambda: networkx_backend.pagerank(plain, nstart={"no such node": 1}),
        lambda: networkx_backend.pagerank(plain, dangling={}),
        lambda: networkx_backend.pagerank(
            convert_from_nx(nx.Graph([(0, 1, {"w": -1})]), {"w": 1}), weight="w"
        ),
        lambda: networkx_backend.hits(convert_from_nx(nx.MultiGraph([(0, 1)]))),
        lambda: networkx_backend.hits(convert_from_nx(nx.Graph([(0, 1, {"w": -1})]), {"w": 1})),
        lambda: networkx_backend.hits(convert_from_nx(nx.Graph([(0, 1, {"w": 0})]), {"w": 1})),
        lambda: networkx_backend.hits(plain, max_iter=1),
        lambda: networkx_backend.hits(plain, normalized=False),
        lambda: networkx_backend.pagerank(convert_from_nx(nx.MultiGraph([(0, 1)]))),
        lambda: networkx_backend.betweenness_centrality(plain, k=1),
        lambda: networkx_backend.betweenness_centrality(weighted, weight="weight"),  # some are 0
        lambda: networkx_backend.betweenness_centrality(
            convert_from_nx(nx.Graph([(0, 1, {"w": 0.1})]), {"w": 1}), weight="w"
        ),
        lambda: networkx_backend.betweenness_centrality(plain, weight=lambda *_: 1),
        lambda: networkx_backend.single_source_dijkstra_path_length(plain, 0, weight=lambda *_: 1),
        lambda: networkx_backend.maximal_independent_set(plain, [0]),
        lambda: networkx_backend.maximal_independent_set(plain, seed=random.Random(1)),
        lambda: networkx_backend.maximal_independent_set(convert_from_nx(nx.Graph())),
        lambda: networkx_backend.minimum_spanning_edges(plain),
        lambda: networkx_backend.minimum_spanning_edges(plain, "boruvkas", data=False),
        lambda: networkx_backend.minimum_spanning_edges(
            convert_from_nx(nx.MultiGraph([(0, 1)])), data=False
        ),
        lambda: networkx_backend.louvain_communities(plain, max_level=0),
        lambda: networkx_backend.louvain_communities(plain, resolution=-1),
        lambda: networkx_backend.louvain_communities(convert_from_nx(nx.DiGraph([(0, 1)]))),
        lambda: networkx_backend.single_source_dijkstra_path_length(
            convert_from_nx(nx.Graph([(0, 1, {"w": -1})]), {"w": 1}), 0
        ),
        lambda: convert_from_nx(nx.Graph([(0, 1, {"w": "x"})]), {"w": 1}),
        lambda: convert_from_nx(graph, preserve_edge_attrs=True),
        lambda: convert_from_nx(graph, {"weight": 1, "length": 1}),
        lambda: convert_from_nx(nx.Graph([(0, 1, {"w": float("nan")})]), {"w": 1}),
    ):
        with pytest.raises(NotImplementedError, match=r"^gunrock"):
            call()


def test_errors_are_networkxs() -> None:
    graph, none = convert_from_nx(nx.path_graph(3)), convert_from_nx(nx.Graph())
    for function in (
        networkx_backend.single_source_shortest_path_length,
        networkx_backend.single_source_dijkstra_path_length,
    ):
        with pytest.raises(nx.NodeNotFound):
            function(graph, 17)
    with pytest.raises(nx.NetworkXError):
        networkx_backend.descendants(graph, 17)
    with pytest.raises(KeyError):
        networkx_backend.node_connected_component(graph, 17)
    with pytest.raises(nx.NetworkXPointlessConcept):
        networkx_backend.is_connected(none)
    for name in ("connected_components", "number_connected_components", "is_connected"):
        for of, kind in ((convert_from_nx(nx.DiGraph([(0, 1)])), ""), (graph, "weakly_")):
            function = getattr(networkx_backend, name.replace("connected", kind + "connected"))
            with pytest.raises(nx.NetworkXNotImplemented, match="directed type"):
                function(of)
    with pytest.raises(nx.PowerIterationFailedConvergence):
        networkx_backend.pagerank(graph, max_iter=1)
    assert networkx_backend.pagerank(none) == networkx_backend.betweenness_centrality(none) == {}
    assert list(networkx_backend.connected_components(none)) == []


@installed
@pytest.mark.filterwarnings("ignore:Note. conversions to backend graphs are saved")
def test_networkx_finds_it() -> None:
    graph = nx.karate_club_graph()
    assert nx.is_connected(graph, backend="gunrock")
    assert nx.pagerank(graph, weight=None, backend="gunrock") == pytest.approx(
        nx.pagerank(graph, weight=None), rel=1e-6
    )


@installed
@pytest.mark.filterwarnings("ignore:Note. conversions to backend graphs are saved")
def test_a_graph_that_networkx_has_kept_answers_what_is_asked_next() -> None:
    """A weight by a function is refused, and no graph is kept for it; weights from earlier calls do not
    disturb a function that asks for none."""
    graph = nx.Graph([(0, 1, {"weight": 5}), (1, 2, {"weight": 5}), (0, 2, {"weight": 100})])
    with pytest.raises(NotImplementedError):
        nx.single_source_dijkstra_path_length(
            graph, 0, weight=lambda u, v, data: data["weight"], backend="gunrock"
        )
    assert nx.single_source_dijkstra_path_length(graph, 0, backend="gunrock") == {0: 0, 1: 5, 2: 10}
    assert nx.pagerank(graph, weight=None, backend="gunrock") == pytest.approx(
        nx.pagerank(graph, weight=None), rel=1e-6
    )


@installed
@pytest.mark.filterwarnings("ignore:Note. conversions to backend graphs are saved")
def test_a_graph_that_networkx_has_kept_can_be_copied_and_pickled() -> None:
    graph = nx.Graph([(0, 1, {"weight": 5}), (1, 2, {"weight": 5}), (0, 2, {"weight": 100})])
    expected = nx.single_source_dijkstra_path_length(graph, 0)
    assert nx.single_source_dijkstra_path_length(graph, 0, backend="gunrock") == expected
    for again in (copy.deepcopy(graph), pickle.loads(pickle.dumps(graph))):
        assert again.__networkx_cache__["backends"]["gunrock"]
        assert nx.single_source_dijkstra_path_length(again, 0, backend="gunrock") == expected


@installed
@pytest.mark.skipif(not hasattr(nx.config, "backend_priority"), reason="NetworkX had no such setting")
@pytest.mark.filterwarnings("ignore:Note. conversions to backend graphs are saved")
def test_where_networkx_chooses_its_own_falls_in_for_what_is_refused() -> None:
    graph = nx.MultiGraph(nx.karate_club_graph())
    expected = nx.pagerank(graph), nx.greedy_color(graph)
    with pytest.raises(NotImplementedError) as named:
        nx.pagerank(graph, backend="gunrock")
    assert "gunrock's PageRank knows no parallel edges" in str(named.value.__cause__)
    with nx.config(backend_priority=["gunrock"]):
        assert (nx.pagerank(graph), nx.greedy_color(graph)) == expected
