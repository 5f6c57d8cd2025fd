"""Cores and trusses as NetworkX's graphs: NetworkX's own answer with all attributes, or its exception."""

from __future__ import annotations

import random
from typing import Any

import networkx as nx
import pytest
from face.test_networkx_backend import installed

from gunrock_cli.face import networkx_backend as ours
from gunrock_cli.face.networkx_backend import convert_from_nx

LEVELS: list[Any] = [0, 1, 2, 3, 3.5, 4, 10**12, float("nan")]


def drawn(seed: int) -> Any:
    """With attributes of the graph, its nodes and its edges, and nodes without edges."""
    draw = random.Random(seed)
    graph = nx.Graph(name=f"graph {seed}")
    graph.add_nodes_from(draw.sample([*"abcdef", *range(9), (1, 2)], seed % 16), color="red")
    nodes = list(graph)
    for _ in range(draw.randrange(4 * len(nodes) + 1)):
        u, v = draw.choice(nodes), draw.choice(nodes)
        if u != v:
            graph.add_edge(u, v, weight=draw.randrange(9), kind="x")
    return graph


def same(one: Any, other: Any) -> bool:
    return bool(nx.utils.graphs_equal(one, other)) and list(one) == list(other)


@pytest.mark.parametrize("name", ["k_core", "k_truss"])
def test_as_networkx_finds_it(name: str) -> None:
    parts = 0
    for seed in range(40):
        graph = drawn(seed)
        for k in [*LEVELS, *([None] if name == "k_core" and len(graph) else [])]:
            expected = getattr(nx, name)(graph, k)
            found = getattr(ours, name)(convert_from_nx(graph, name=name), k)
            assert same(found, expected), (seed, k)
            parts += 0 < expected.number_of_edges() < graph.number_of_edges()
    assert parts > 20


@pytest.mark.parametrize("name", ["k_core", "k_truss"])
def test_what_is_refused(name: str) -> None:
    loop = nx.Graph([(0, 0), (0, 1)])
    for graph in (nx.DiGraph([(0, 1)]), nx.MultiGraph([(0, 1)]), loop):
        with pytest.raises(NotImplementedError):
            getattr(ours, name)(convert_from_nx(graph, name=name), 1)
    with pytest.raises(NotImplementedError, match="'two' is no number"):
        getattr(ours, name)(convert_from_nx(nx.path_graph(3), name=name), "two")
    with pytest.raises(NotImplementedError, match="NetworkX's own graphs"):
        getattr(ours, name)(convert_from_nx(nx.path_graph(3)), 1)
    with pytest.raises(NotImplementedError, match="core_number"):
        ours.k_core(convert_from_nx(nx.path_graph(3), name="k_core"), 1, {0: 1, 1: 1, 2: 1})
    with pytest.raises(ValueError, match="empty"):
        ours.k_core(convert_from_nx(nx.Graph(), name="k_core"))


@installed
def test_networkx_does_not_keep_the_whole_graph() -> None:
    """It would take it for one with weights."""
    graph = nx.Graph([(0, 1), (1, 2), (0, 2), (2, 3)])
    nx.set_edge_attributes(graph, 5, "weight")
    for _ in range(2):
        assert set(nx.k_truss(graph, 3, backend="gunrock")) == {0, 1, 2}
        assert nx.k_core(graph, backend="gunrock").edges == {(0, 1), (0, 2), (1, 2)}
        with pytest.raises(NotImplementedError):
            nx.k_core(graph, core_number={}, backend="gunrock")
        lengths = nx.single_source_dijkstra_path_length(graph, 0, backend="gunrock")
        assert lengths == {0: 0, 1: 5, 2: 5, 3: 10}
