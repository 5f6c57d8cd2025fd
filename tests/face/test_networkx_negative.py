"""Bellman-Ford's functions beside NetworkX's own where weights are negative: the same lengths to the last
bit, paths as long as they say, or the same exception."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import networkx as nx
import pytest

from gunrock_cli.face import networkx_backend as ours
from gunrock_cli.face.networkx_backend import convert_from_nx

KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
BY = "bellman-ford"
Call = Callable[[Any, Any, Any, Any], Any]
LENGTHS: dict[str, Call] = {
    "all pairs": lambda own, G, *_: own.all_pairs_bellman_ford_path_length(G),
    "all pairs, by method": lambda own, G, *_: own.shortest_path_length(G, None, None, "weight", BY),
    "from one": lambda own, G, u, _: own.single_source_bellman_ford_path_length(G, u),
    "from one, by method": lambda own, G, u, _: own.shortest_path_length(G, u, None, "weight", BY),
    "to one, by method": lambda own, G, u, _: own.shortest_path_length(G, None, u, "weight", BY),
    "between": lambda own, G, u, v: own.bellman_ford_path_length(G, u, v),
    "between, by method": lambda own, G, u, v: own.shortest_path_length(G, u, v, "weight", BY),
}
PATHS: dict[str, Call] = {
    "all pairs": lambda own, G, *_: own.all_pairs_bellman_ford_path(G),
    "all pairs, by method": lambda own, G, *_: own.shortest_path(G, None, None, "weight", BY),
    "from one": lambda own, G, u, _: own.single_source_bellman_ford_path(G, u),
    "from one, by method": lambda own, G, u, _: own.shortest_path(G, u, None, "weight", BY),
    "from one, with lengths": lambda own, G, u, _: own.single_source_bellman_ford(G, u),
    "to one, by method": lambda own, G, u, _: own.shortest_path(G, None, u, "weight", BY),
    "between": lambda own, G, u, v: own.bellman_ford_path(G, u, v),
    "between, with length": lambda own, G, u, v: own.single_source_bellman_ford(G, u, v),
    "between, by method": lambda own, G, u, v: own.shortest_path(G, u, v, "weight", BY),
}


def drawn(kind: type, seed: int) -> Any:
    """Few or many edges, of which few or many are negative; whole weights, halves or tenths; for some
    seeds weights that a potential makes negative, so that there is no negative cycle."""
    draw = random.Random(seed)
    n, scale = draw.randrange(1, 14), draw.choice([1, 1, 0.5, 0.1])
    graph = kind()
    graph.add_nodes_from([*"abc", *range(n)][: n + 1])
    nodes = list(graph)
    height = {node: draw.randrange(20) for node in nodes}
    for _ in range(draw.randrange(4 * len(nodes))):
        u, v = draw.choice(nodes), draw.choice(nodes)
        weight = draw.randrange(9)
        if graph.is_directed() and seed % 3:
            weight += height[v] - height[u]
        elif draw.random() < 0.1:
            weight = -weight
        graph.add_edge(u, v, weight=weight * scale)
    return graph


GRAPHS = [drawn(kind, seed) for kind in KINDS for seed in range(24)]


def outcome(call: Call, *arguments: Any) -> Any:
    """The value, generators as dictionaries, or the type of the exception."""
    try:
        found = call(*arguments)
        return dict(found) if isinstance(found, Iterator) else found
    except nx.NetworkXException as error:
        return type(error)


def ends_of(graph: Any) -> Iterator[tuple[Any, Any]]:
    nodes = list(graph)
    yield from itertools.product(nodes[:3], [*nodes[:1], *nodes[-2:], "no such node"])
    yield "no such node", nodes[0]


def outcomes(call: Call) -> Iterator[tuple[Any, Any, Any]]:
    for graph in GRAPHS:
        own = convert_from_nx(graph, {"weight": 1})
        if own.graph.csr.values is None or own.graph.csr.values.min(initial=0) >= 0:
            continue
        for u, v in ends_of(graph):
            yield graph, outcome(call, ours, own, u, v), outcome(call, nx, graph, u, v)


@pytest.mark.parametrize("name", LENGTHS)
def test_lengths_are_networkxs(name: str) -> None:
    kinds = set()
    for graph, found, expected in outcomes(LENGTHS[name]):
        assert found == expected, graph.edges(data=True)
        kinds.add(found if isinstance(found, type) else "lengths")
        whole = not any(isinstance(w, float) for _, _, w in graph.edges(data="weight"))
        if whole and isinstance(found, dict) and "all pairs" not in name:
            assert all(type(length) is int for length in found.values())
    assert {"lengths", nx.NetworkXUnbounded} <= kinds
    assert nx.NodeNotFound in kinds or "all pairs" in name
    assert nx.NetworkXNoPath in kinds or "between" not in name


def as_lengths(graph: Any, answer: Any) -> Any:
    """An answer in which each path is replaced by its ends and its length, summed as it leads."""
    if isinstance(answer, dict):
        return {key: as_lengths(graph, value) for key, value in answer.items()}
    if isinstance(answer, tuple):
        return tuple(as_lengths(graph, each) for each in answer)
    if not isinstance(answer, list):
        return answer
    steps = [graph[u][v] for u, v in itertools.pairwise(answer)]
    several = graph.is_multigraph()
    weights = (
        min(each["weight"] for each in step.values()) if several else step["weight"] for step in steps
    )
    return answer[0], answer[-1], round(sum(weights), 9)


@pytest.mark.parametrize("name", PATHS)
def test_paths_are_as_short_as_networkxs(name: str) -> None:
    for graph, found, expected in outcomes(PATHS[name]):
        assert as_lengths(graph, found) == as_lengths(graph, expected), graph.edges(data=True)


def weighted(kind: type, *edges: tuple[Any, Any, Any]) -> Any:
    graph = kind()
    graph.add_weighted_edges_from(edges)
    return convert_from_nx(graph, {"weight": 1})


def test_a_negative_cycle_counts_where_the_source_reaches_it() -> None:
    cycle = [(2, 3, 1), (3, 4, -2), (4, 2, 0)]
    reached, apart = (
        weighted(nx.DiGraph, (0, 1, -5), *middle, *cycle) for middle in ([(1, 2, 9)], [(2, 1, 9)])
    )
    assert ours.single_source_bellman_ford(apart, 0) == ({1: -5, 0: 0}, {0: [0], 1: [0, 1]})
    for graph, source in ((reached, 0), (apart, 3)):
        with pytest.raises(nx.NetworkXUnbounded, match=r"^Negative cycle detected\.$"):
            ours.single_source_bellman_ford_path_length(graph, source)
        assert ours.bellman_ford_path_length(graph, source, source) == 0  # as NetworkX says
    assert ours.bellman_ford_path(reached, 0, 0) == [0]


def test_an_edge_below_zero_is_a_cycle_where_it_has_no_direction() -> None:
    graph = weighted(nx.Graph, (0, 1, 3), (2, 3, -1))
    assert ours.single_source_bellman_ford_path_length(graph, 1) == {1: 0, 0: 3}
    with pytest.raises(nx.NetworkXUnbounded):
        ours.single_source_bellman_ford_path_length(graph, 2)


def test_one_vertex_with_a_loop() -> None:
    graph = weighted(nx.DiGraph, (0, 0, -1))
    with pytest.raises(nx.NetworkXUnbounded):
        ours.single_source_bellman_ford(graph, 0)


def test_a_long_path_with_its_cycle_at_the_end() -> None:
    n = 3000
    path = [(v, v + 1, -1 - v % 3) for v in range(n)]
    lengths = ours.single_source_bellman_ford_path_length(weighted(nx.DiGraph, *path), 0)
    assert lengths == dict(enumerate(itertools.accumulate((w for *_, w in path), initial=0)))
    with pytest.raises(nx.NetworkXUnbounded):
        ours.bellman_ford_path(weighted(nx.DiGraph, *path, (n, n - 2, 2)), 0, 1)


def test_a_cycle_that_only_rounding_makes_negative_ends() -> None:
    """0.1 + 8 - 8 is less than 0.1, and stays what it is: both vertices then lead to each other."""
    edges = (9, 0, 0.1), (0, 1, 8.0), (1, 0, -8.0), *((v, v + 1, 1.0) for v in range(2, 8))
    with pytest.raises(nx.NetworkXUnbounded):
        ours.single_source_bellman_ford_path(weighted(nx.DiGraph, *edges), 9)
    theirs = nx.DiGraph()
    theirs.add_weighted_edges_from(edges)
    with pytest.raises(nx.NetworkXUnbounded):
        nx.single_source_bellman_ford_path(theirs, 9)


def test_what_is_left_to_networkx() -> None:
    negative = weighted(nx.DiGraph, (0, 1, -1), (1, 2, 3))
    fractions = weighted(nx.DiGraph, (0, 1, Fraction(-1, 3)))
    for call in (
        lambda: ours.all_pairs_bellman_ford_path(fractions),
        lambda: ours.all_pairs_bellman_ford_path_length(fractions),
        lambda: ours.bellman_ford_path_length(fractions, 0, 1),
        lambda: ours.bellman_ford_path(negative, 0, 1, weight=min),
        lambda: ours.single_source_bellman_ford(negative, 0, weight=None),
        lambda: ours.single_source_dijkstra_path_length(negative, 0),
        lambda: ours.shortest_path(negative, 0, 2, "weight"),
        lambda: ours.shortest_path_length(negative, 0, weight="weight"),
    ):
        with pytest.raises(NotImplementedError, match=r"^gunrock"):
            call()
