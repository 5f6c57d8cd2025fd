"""Every function of paths, distances and samples beside NetworkX's own, on graphs of all kinds: the same
values, or the same exception."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx
import numpy as np
import pytest

from gunrock_cli.face import networkx_backend as ours
from gunrock_cli.face.networkx_backend import convert_from_nx

KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
NAMES: list[Any] = [*"abcdef", *range(4), (1, 2), 3.5, frozenset({1}), "", -7, True]
Call = Callable[[Any, Any, Any], Any]


def drawn(kind: type, seed: int) -> Any:
    """From empty to sixteen nodes, with names of several types, loops, weights that may be 0, and
    everything between no edges and a strongly connected graph."""
    draw = random.Random(seed)
    graph = kind()
    nodes = draw.sample(NAMES, (0, 1, 2, 3)[seed] if seed < 4 else draw.randrange(4, 15))
    graph.add_nodes_from(nodes)
    if not nodes:
        return graph
    if draw.random() < 0.5:  # connected
        nx.add_cycle(graph, nodes, weight=draw.randrange(1, 9))
    for _ in range(draw.randrange(3 * len(nodes))):
        graph.add_edge(draw.choice(nodes), draw.choice(nodes), weight=draw.randrange(9))
    return graph


def trees() -> Iterator[Any]:
    for seed in range(4):
        draw = random.Random(seed)
        graph = nx.Graph((v, draw.randrange(v)) for v in range(1, 9))
        yield nx.relabel_nodes(graph, dict(enumerate("abcdefghi")))


GRAPHS = [*(drawn(kind, seed) for kind in KINDS for seed in range(10)), *trees()]


def outcome(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """The value, generators as dictionaries, or the type of the exception."""
    try:
        found = function(*arguments, **named)
        return dict(found) if isinstance(found, Iterator) else found
    except Exception as error:
        return type(error)


VALUES: dict[str, list[dict[str, Any]]] = {
    "all_pairs_bellman_ford_path_length": [{}],
    "all_pairs_dijkstra_path_length": [{}, {"cutoff": 5}],
    "all_pairs_shortest_path_length": [{}, {"cutoff": 1}, {"cutoff": 1.5}],
    "average_clustering": [{}, {"count_zeros": False}],
    "average_shortest_path_length": [{}, {"weight": "weight"}, {"method": "unweighted"}],
    "closeness_centrality": [{}, {"distance": "weight"}, {"wf_improved": False}],
    "clustering": [{}],
    "core_number": [{}],
    "diameter": [{}, {"weight": "weight"}],
    "eccentricity": [{}, {"weight": "weight"}],
    "global_efficiency": [{}],
    "has_bridges": [{}],
    "harmonic_centrality": [{}, {"distance": "weight"}],
    "is_biconnected": [{}],
    "is_directed_acyclic_graph": [{}],
    "is_forest": [{}],
    "is_strongly_connected": [{}],
    "is_tree": [{}],
    "number_strongly_connected_components": [{}],
    "periphery": [{}, {"weight": "weight"}],
    "radius": [{}, {"weight": "weight"}],
    "shortest_path_length": [{}, {"weight": "weight"}],
    "transitivity": [{}],
    "triangles": [{}],
    "wiener_index": [{}, {"weight": "weight"}],
}
COUNTS = ("average_clustering", "clustering", "core_number", "transitivity", "triangles")
"""Of undirected graphs without parallel edges; core numbers also without loops."""
REFUSED = {"barycenter": [{}, {"weight": "weight"}], "center": [{}, {"weight": "weight"}]}
"""Those that NetworkX finds in another way for trees."""


def is_answered(name: str, graph: Any) -> bool:
    if name in ("has_bridges", "is_forest", "is_tree"):
        return not graph.is_multigraph()
    if name in COUNTS:
        loops = name == "core_number" and nx.number_of_selfloops(graph) > 0
        return not (graph.is_directed() or graph.is_multigraph() or loops)
    return name not in REFUSED or (len(graph) > 0 and graph.number_of_edges() > 2 * len(graph))


@pytest.mark.parametrize("name", [*VALUES, *REFUSED])
def test_of_the_whole_graph(name: str) -> None:
    """Equal to the last bit, as weights are whole."""
    answered = 0
    for graph in GRAPHS:
        own = convert_from_nx(graph, {"weight": 1})
        for how in (VALUES | REFUSED)[name]:
            found, expected = (
                outcome(function, of, **how)
                for function, of in ((getattr(ours, name), own), (getattr(nx, name), graph))
            )
            if found is NotImplementedError:
                assert not is_answered(name, graph)
                continue
            assert found == expected, (graph.edges(data=True), how)
            answered += not isinstance(found, type)
    assert answered > 5


@pytest.mark.parametrize("name", ["clustering", "triangles"])
def test_counts_of_some_nodes(name: str) -> None:
    """Of one node, of some, and none of nodes that are not there."""
    for graph in GRAPHS:
        if graph.is_directed() or graph.is_multigraph() or not len(graph):
            continue
        own, nodes = convert_from_nx(graph, {}), list(graph)
        for some in (nodes[0], nodes[-1], nodes[:2], set(nodes), []):
            assert getattr(ours, name)(own, some) == getattr(nx, name)(graph, some)
        for some in ("no such node", [nodes[0], "no such node"]):
            with pytest.raises(NotImplementedError):
                getattr(ours, name)(own, some)


FROM_ONE: dict[str, list[dict[str, Any]]] = {
    "ancestors": [{}],
    "descendants": [{}],
    "closeness_centrality": [{}, {"distance": "weight"}],
    "eccentricity": [{}, {"weight": "weight"}],
    "harmonic_centrality": [{}, {"distance": "weight"}],
    "single_source_bellman_ford_path_length": [{}],
    "single_source_dijkstra_path_length": [{}, {"cutoff": 4}, {"cutoff": 4.5}],
    "single_source_shortest_path_length": [{}, {"cutoff": 0}, {"cutoff": 1.5}, {"cutoff": -1}],
    "single_target_shortest_path_length": [{}, {"cutoff": 2}],
}


@pytest.mark.parametrize("name", FROM_ONE)
def test_from_one_node(name: str) -> None:
    for graph in GRAPHS:
        own = convert_from_nx(graph, {"weight": 1})
        for node in (*list(graph)[:3], *(() if name == "harmonic_centrality" else ("no such node",))):
            for how in FROM_ONE[name]:
                found, expected = (
                    outcome(function, of, node, **how)
                    for function, of in ((getattr(ours, name), own), (getattr(nx, name), graph))
                )
                if found is NotImplementedError:
                    assert node == "no such node"
                    continue
                assert found == expected, (graph.edges(data=True), node, how)


BETWEEN = [
    ("bellman_ford_path_length", {}),
    ("dijkstra_path_length", {}),
    ("efficiency", {}),
    ("has_path", {}),
    ("shortest_path_length", {}),
    ("shortest_path_length", {"weight": "weight", "method": "bellman-ford"}),
]


@pytest.mark.parametrize(("name", "how"), BETWEEN, ids=str)
def test_between_two_nodes(name: str, how: dict[str, Any]) -> None:
    for graph in GRAPHS:
        own, nodes = convert_from_nx(graph, {"weight": 1}), list(graph)
        for source, target in itertools.product(nodes[:3], nodes[-3:]):
            found, expected = (
                outcome(function, of, source, target, **how)
                for function, of in ((getattr(ours, name), own), (getattr(nx, name), graph))
            )
            assert found == expected, (graph.edges(data=True), source, target)


def length_of(graph: Any, path: list[Any], weight: str | None) -> Any:
    """Of a walk along edges that there are, by the lightest of parallel ones."""

    def lightest(u: Any, v: Any) -> Any:
        data = graph[u][v]
        some = data.values() if graph.is_multigraph() else (data,)
        return 1 if weight is None else min(each.get(weight, 1) for each in some)

    return sum(lightest(u, v) for u, v in itertools.pairwise(path))


def lengths_of(graph: Any, answer: Any, weight: str | None, starts: list[Any] | None = None) -> Any:
    """An answer in which each path is replaced by its ends and its length, or by its end and its length
    if it may begin at any of ``starts``."""
    if isinstance(answer, dict):
        return {key: lengths_of(graph, value, weight, starts) for key, value in answer.items()}
    if isinstance(answer, tuple):
        return tuple(lengths_of(graph, value, weight, starts) for value in answer)
    if isinstance(answer, list):
        begin = answer[0] if starts is None else answer[0] in starts
        return begin, answer[-1], length_of(graph, answer, weight)
    return answer


PATHS: list[tuple[str, Call, str | None]] = [
    ("all_pairs_bellman_ford_path", lambda f, G, _: f(G), "weight"),
    ("all_pairs_dijkstra", lambda f, G, _: f(G, cutoff=6), "weight"),
    ("all_pairs_dijkstra_path", lambda f, G, _: f(G), "weight"),
    ("all_pairs_shortest_path", lambda f, G, _: f(G, cutoff=2), None),
    ("bellman_ford_path", lambda f, G, v: f(G, v[0], v[-1]), "weight"),
    ("bidirectional_dijkstra", lambda f, G, v: f(G, v[0], v[-1]), "weight"),
    ("bidirectional_shortest_path", lambda f, G, v: f(G, v[0], v[-1]), None),
    ("dijkstra_path", lambda f, G, v: f(G, v[0], v[-1]), "weight"),
    ("multi_source_dijkstra", lambda f, G, v: f(G, v[:3]), "weight"),
    ("multi_source_dijkstra", lambda f, G, v: f(G, set(v[:2]), v[-1]), "weight"),
    ("multi_source_dijkstra", lambda f, G, v: f(G, v[:2], cutoff=4), "weight"),
    ("multi_source_dijkstra", lambda f, G, v: f(G, []), "weight"),
    ("multi_source_dijkstra_path", lambda f, G, v: f(G, v[1:4]), "weight"),
    ("multi_source_dijkstra_path_length", lambda f, G, v: f(G, [v[0], *v[-2:]]), "weight"),
    ("multi_source_dijkstra_path_length", lambda f, G, v: f(G, ["no such node"]), "weight"),
    ("shortest_path", lambda f, G, _: f(G), None),
    ("shortest_path", lambda f, G, _: f(G, weight="weight"), "weight"),
    ("shortest_path", lambda f, G, v: f(G, target=v[-1]), None),
    ("shortest_path", lambda f, G, v: f(G, target=v[-1], weight="weight"), "weight"),
    ("shortest_path", lambda f, G, v: f(G, v[0], v[1], "weight", "bellman-ford"), "weight"),
    ("shortest_path_length", lambda f, G, v: f(G, target=v[-1], weight="weight"), "weight"),
    ("single_source_bellman_ford", lambda f, G, v: f(G, v[0]), "weight"),
    ("single_source_bellman_ford", lambda f, G, v: f(G, v[0], v[-1]), "weight"),
    ("single_source_bellman_ford_path", lambda f, G, v: f(G, v[0]), "weight"),
    ("single_source_dijkstra", lambda f, G, v: f(G, v[0]), "weight"),
    ("single_source_dijkstra", lambda f, G, v: f(G, v[0], cutoff=3), "weight"),
    ("single_source_dijkstra", lambda f, G, v: f(G, v[0], v[-1]), "weight"),
    ("single_source_dijkstra", lambda f, G, v: f(G, v[0], v[-1], cutoff=3), "weight"),
    ("single_source_dijkstra", lambda f, G, v: f(G, v[0], "no such node"), "weight"),
    ("single_source_dijkstra_path", lambda f, G, v: f(G, v[0], 3), "weight"),
    ("single_source_shortest_path", lambda f, G, v: f(G, v[0], 2), None),
    ("single_target_shortest_path", lambda f, G, v: f(G, v[-1]), None),
]


@pytest.mark.parametrize(("name", "call", "weight"), PATHS)
def test_paths_lead_along_edges_and_are_as_short(name: str, call: Call, weight: str | None) -> None:
    for graph in GRAPHS:
        if not len(graph):
            continue
        own, nodes = convert_from_nx(graph, {"weight": 1}), list(graph)
        starts = nodes[:4] if "multi_source" in name else None
        found, expected = (
            lengths_of(graph, outcome(call, function, of, nodes), weight, starts)
            for function, of in ((getattr(ours, name), own), (getattr(nx, name), graph))
        )
        assert found == expected, graph.edges(data=True)


@pytest.mark.parametrize("scale", [0.5, 0.1])
def test_weights_that_are_no_whole_numbers(scale: float) -> None:
    """Multiples of a half are exact; tenths are so in single precision."""
    for kind, seed in itertools.product(KINDS, range(4, 7)):
        graph = drawn(kind, seed)
        for *_, data in graph.edges(data=True):
            data["weight"] *= scale
        own, nodes = convert_from_nx(graph, {"weight": 1}), list(graph)
        for call in (
            lambda module, G: module.multi_source_dijkstra_path_length(G, nodes[:3]),  # noqa: B023
            lambda module, G: module.single_source_dijkstra(G, nodes[0])[0],  # noqa: B023
            lambda module, G: module.shortest_path_length(G, target=nodes[-1], weight="weight"),  # noqa: B023
            lambda module, G: module.closeness_centrality(G, distance="weight"),
            lambda module, G: module.harmonic_centrality(G, distance="weight"),
            lambda module, G: outcome(module.eccentricity, G, weight="weight"),
        ):
            found, expected = outcome(call, ours, own), call(nx, graph)
            if found is NotImplementedError:
                assert scale == 0.1  # measures are exact or refused
                continue
            assert found == (expected if scale == 0.5 else pytest.approx(expected, rel=1e-6))


def test_some_nodes_of_eccentricity_and_harmonic_centrality() -> None:
    for graph in GRAPHS:
        own, nodes = convert_from_nx(graph, {"weight": 1}), list(graph)
        some, others = nodes[:2], nodes[1:5]
        assert outcome(ours.eccentricity, own, some) == outcome(nx.eccentricity, graph, some)
        for how in ({"nbunch": some}, {"sources": others}, {"nbunch": others, "sources": some}):
            found, expected = ours.harmonic_centrality(own, **how), nx.harmonic_centrality(graph, **how)
            assert found == expected
        with pytest.raises(NotImplementedError, match="gunrock: nodes of the graph"):
            ours.eccentricity(own, ["no such node"])


@pytest.mark.skipif(nx.__version__ < "3.6", reason="NetworkX scaled samples in another way")
@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("endpoints", [True, False])
def test_samples_of_betweenness_are_those_that_networkx_draws(normalized: bool, endpoints: bool) -> None:
    how = {"normalized": normalized, "endpoints": endpoints}
    for number, graph in enumerate(GRAPHS):
        own, n = convert_from_nx(graph, {"weight": 1}), len(graph)
        for k in {None, 2, n // 2, n}:
            if k is not None and not 1 < k <= n:
                continue
            found = ours.betweenness_centrality(own, k, seed=number, **how)
            expected = nx.betweenness_centrality(graph, k, seed=number, **how)
            assert found == pytest.approx(expected, rel=1e-5, abs=1e-9)


def test_a_global_seed_is_used_up_as_by_networkx() -> None:
    graph = nx.gnp_random_graph(20, 0.2, seed=1)
    random.seed(5)
    expected = nx.betweenness_centrality(graph, 6), random.random()
    random.seed(5)
    found = ours.betweenness_centrality(convert_from_nx(graph), 6, seed=random._inst), random.random()
    assert found[0] == pytest.approx(expected[0], rel=1e-5)
    assert found[1] == expected[1]
    numpys, again = (nx.betweenness_centrality(graph, 6, seed=np.random.RandomState(3)) for _ in range(2))
    assert numpys == again
    found_again = ours.betweenness_centrality(convert_from_nx(graph), 6, seed=np.random.RandomState(3))
    assert found_again == pytest.approx(numpys, rel=1e-5)


def test_what_is_refused_is_refused_before_an_answer_begins() -> None:
    graph = nx.path_graph(4)
    far = nx.Graph([(0, 1, {"weight": 2**30}), (1, 2, {"weight": 2**30}), (2, 3, {"weight": 1})])
    below = nx.Graph([(0, 1, {"weight": -1})])
    whole, wide, negative = (convert_from_nx(each, {"weight": 1}) for each in (graph, far, below))
    for call in (
        lambda: ours.all_pairs_dijkstra_path_length(wide),
        lambda: ours.all_pairs_dijkstra_path(negative),
        lambda: ours.all_pairs_dijkstra(whole, weight=min),
        lambda: ours.single_source_dijkstra(negative, 0),
        lambda: ours.multi_source_dijkstra(whole, [0], weight=None),
        lambda: ours.single_source_dijkstra_path_length(whole, 0, -1),
        lambda: ours.diameter(whole, usebounds=True),
        lambda: ours.radius(whole, e={0: 1}),
        lambda: ours.center(whole),
        lambda: ours.average_shortest_path_length(whole, method="floyd-warshall"),
        lambda: ours.is_tree(convert_from_nx(nx.MultiGraph([(0, 1), (0, 1)]))),
    ):
        with pytest.raises(NotImplementedError, match=r"^gunrock"):
            call()
    assert ours.wiener_index(convert_from_nx(nx.Graph([(0, 1), (2, 3)]))) == math.inf
