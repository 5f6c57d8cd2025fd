"""The structure of generated graphs, according to NetworkX, SciPy or counting."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from graph_helper import assert_well_formed, edges, generated, matrix
from scipy.sparse import csgraph

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.sources.generate import complete_params, hosts

SIZES = (1, 2, 3, 10, 400)
TREES: dict[str, list[dict[str, Any]]] = {
    "tree": [{}, {"window": 1}, {"window": 7}],
    "kary": [{"arity": 1}, {"arity": 2}, {"arity": 7}],
    "caterpillar": [{"legs": 0}, {}, {"legs": 3, "leg_length": 4}],
    "hubtree": [{}, {"hubs": 0}, {"hubs": 1, "hub_degree": 1}, {"hubs": 5, "hub_degree": 30}],
}


def as_networkx(graph: Graph) -> nx.DiGraph:
    found = nx.DiGraph()
    found.add_nodes_from(range(graph.n))
    found.add_edges_from(edges(graph.csr))
    return found


def parents(graph: Graph) -> np.ndarray:
    """The only earlier neighbour of each vertex but the first."""
    pairs = [(u, v) for u, v in edges(graph.csr) if v < u]
    assert [u for u, _ in pairs] == [*range(1, graph.n)]
    return np.array([v for _, v in pairs])


@pytest.mark.parametrize(("name", "params"), [(name, each) for name in TREES for each in TREES[name]])
def test_trees(name: str, params: dict[str, Any]) -> None:
    for nodes in SIZES:
        graph = generated(name, nodes=nodes, **params)
        assert_well_formed(graph)
        assert nx.is_tree(as_networkx(graph).to_undirected())
        parents(graph)


@pytest.mark.parametrize("window", [1, 2, 50, None])
def test_a_tree_attaches_uniformly_within_its_window(window: int | None) -> None:
    nodes = 40_000
    back = np.arange(1, nodes) - parents(generated("tree", nodes=nodes, window=window))
    widest = np.minimum(np.arange(1, nodes), window or nodes)
    assert back.min() == 1
    assert (back <= widest).all()
    share = (back - 0.5) / widest
    assert abs(share.mean() - 0.5) < 0.01
    assert share.var() == pytest.approx((1 - (window or nodes) ** -2) / 12, abs=0.002)


@pytest.mark.parametrize("arity", [1, 2, 5])
def test_kary_is_networkx_s(arity: int) -> None:
    expected = nx.full_rary_tree(arity, 100).to_directed()
    assert nx.utils.edges_equal(
        as_networkx(generated("kary", nodes=100, arity=arity)).edges(), expected.edges(), directed=True
    )


def test_a_caterpillar_s_chain_is_what_is_left_without_its_legs() -> None:
    graph = as_networkx(generated("caterpillar", nodes=70, legs=2, leg_length=3)).to_undirected()
    for _ in range(3):
        graph.remove_nodes_from([v for v, degree in list(graph.degree()) if degree == 1])
    assert sorted(graph) == [*range(0, 70, 7)]
    assert nx.is_path(graph, sorted(graph))


def test_hubs_know_many_and_trees_are_behind_them() -> None:
    graph = generated("hubtree", nodes=5000, hubs=4, hub_degree=200)
    above = parents(graph)
    assert above[:3].tolist() == [0, 1, 2]
    assert np.bincount(above[3:], minlength=4)[:4].tolist() == [200] * 4
    assert above[3 + 800 :].min() >= 4
    assert np.bincount(above[3 + 800 :]).max() < 50


@pytest.mark.parametrize("degree", [0, 1, 2, 3, 4, 7, 8, 9, 15, 19])
def test_regular_graphs(degree: int) -> None:
    for nodes in {degree + 1, degree + 2, 20, 50, 500}:
        if nodes > degree and nodes * degree % 2 == 0:
            graph = generated("regular", nodes=nodes, degree=degree, seed=nodes)
            assert_well_formed(graph)
            assert set(graph.csr.degrees().tolist()) == {degree}


def test_regular_graphs_are_about_equally_likely() -> None:
    """The 15 perfect matchings of six vertices, and the 70 2-regular graphs on six."""
    for degree, count in ((1, 15), (2, 70)):
        found: dict[tuple[Any, ...], int] = {}
        for seed in range(40 * count):
            key = tuple(edges(generated("regular", nodes=6, degree=degree, seed=seed).csr))
            found[key] = found.get(key, 0) + 1
        assert len(found) == count
        assert max(found.values()) < 120


def test_a_mesh_without_holes_and_hubs_is_a_lattice() -> None:
    mesh, lattice = (generated(name, width=9, height=5) for name in ("mesh", "grid2d"))
    assert edges(mesh.csr) == edges(lattice.csr)


def test_a_mesh_with_holes_and_hubs() -> None:
    lattice = matrix(generated("grid2d", width=100).csr)
    graph = generated("mesh", width=100, holes=0.2, hubs=3, hub_degree=500)
    found, cells = matrix(graph.csr), 100 * 100
    assert graph.n == cells + 3
    alone = graph.csr.degrees()[:cells] == 0
    assert 0.18 < alone.mean() < 0.23  # a few lose all their neighbours
    inner = found[:cells, :cells]
    kept = np.flatnonzero(~alone)
    assert (inner != inner.multiply(lattice)).nnz == 0
    assert (inner[kept][:, kept] != lattice[kept][:, kept]).nnz == 0
    assert all(350 < degree < 450 for degree in graph.csr.degrees()[cells:])  # a fifth fell into holes
    assert found[cells:, cells:].nnz == 0
    assert generated("mesh", width=10, holes=1.0, hubs=1).m == 0


@pytest.mark.parametrize(("nodes", "bandwidth"), [(1, 3), (2, 3), (10, 0), (10, 3), (10, 30)])
def test_a_band_is_full(nodes: int, bandwidth: int) -> None:
    graph = generated("banded", nodes=nodes, bandwidth=bandwidth)
    expected = [(u, v) for u in range(nodes) for v in range(nodes) if 0 < abs(u - v) <= bandwidth]
    assert edges(graph.csr) == expected


def test_dense_rows_lie_evenly_in_a_band() -> None:
    graph = generated("banded", nodes=3000, bandwidth=2, hubs=3, hub_degree=400)
    assert np.flatnonzero(graph.csr.degrees() > 300).tolist() == [0, 1000, 2000]
    outside = [(u, v) for u, v in edges(graph.csr) if abs(u - v) > 2]
    assert all(u % 1000 == 0 or v % 1000 == 0 for u, v in outside)


@pytest.mark.parametrize("exponent", [2.1, 2.5, 3.5])
def test_degrees_follow_the_power_law(exponent: float) -> None:
    """Hill's estimate, from the degrees far above the mean and below the largest."""
    graph = generated("powerlaw", nodes=200_000, edge_factor=8, gamma=exponent)
    degrees = np.sort(graph.csr.degrees())[::-1].astype(float)
    tail = degrees[20:2000]
    estimate = 1 + 1 / np.mean(np.log(tail / tail[-1])) / (2000 / 1980)
    assert estimate == pytest.approx(exponent, rel=0.12)
    assert graph.csr.degrees().argmax() != 0  # relabelled


def test_a_steep_power_law_is_a_random_graph() -> None:
    degrees = generated("powerlaw", nodes=20_000, edge_factor=8, gamma=100.0).csr.degrees()
    assert degrees.max() < 50
    assert degrees.var() == pytest.approx(degrees.mean(), rel=0.2)


@pytest.mark.parametrize("nodes", [1, 2, 3, 5])
def test_power_laws_among_few(nodes: int) -> None:
    for exponent in (1.1, 2.0, 100.0):
        graph = generated("powerlaw", nodes=nodes, edges=500, gamma=exponent)
        assert_well_formed(graph)
        assert graph.n == nodes
    assert graph.m == nodes * (nodes - 1)


def test_a_web_s_links_stay_within_hosts() -> None:
    params = complete_params("hosts", {"nodes": 50_000, "hosts": 500, "gamma": 2.2, "stay": 0.7})
    drawn = hosts.edges(np, **params)
    host = hosts._hosts(np, 50_000, hosts.Ranks(np, 500, 2.2), params["seed"])
    sizes = np.bincount(host, minlength=500)
    assert (np.diff(host) >= 0).all()
    assert sizes.max() > 20 * np.median(sizes)
    by_chance = ((sizes / 50_000) ** 2).sum()
    assert (host[drawn.src] == host[drawn.dst]).mean() == pytest.approx(0.7 + 0.3 * by_chance, abs=0.01)
    into, out = (np.bincount(ends, minlength=50_000) for ends in (drawn.dst, drawn.src))
    assert into.max() > 20 * out.max()
    assert set(host[np.argsort(into)[-50:]]) <= set(np.argsort(sizes)[-50:])


@pytest.mark.parametrize(("stay", "count"), [(0.0, 1), (1.0, 10), (0.5, 10)])
def test_webs_among_few(stay: float, count: int) -> None:
    graph = generated("hosts", nodes=10, edges=300, hosts=count, stay=stay)
    assert_well_formed(graph)
    assert generated("hosts", nodes=1, edges=5).m == 0


@pytest.mark.parametrize("length", [1, 2, 50])
def test_joined_graphs_are_equal_and_far_apart(length: int) -> None:
    graph = generated("joined", nodes=60, edges=100, length=length)
    second = 60 + length - 1
    assert graph.n == second + 60
    both = matrix(graph.csr).toarray()
    assert (both[:60, :60] == both[second:, second:]).all()
    assert both[:60, second:].sum() == (length == 1)
    far = csgraph.dijkstra(both, unweighted=True)[:60, second:]
    assert far.min() == length
    single = generated("joined", nodes=1, edges=3, length=length)
    assert nx.is_path(as_networkx(single).to_undirected(), [*range(length + 1)])


def test_a_tail_ends_in_a_sink_that_fans_know() -> None:
    graph = generated("tailed", nodes=60, edges=300, tail=40, fans=500, undirected=False)
    sink = 60 + 40
    assert graph.n == sink + 1 + 500
    into, out = graph.reverse.degrees(), graph.csr.degrees()
    assert (into[sink], out[sink]) == (501, 0)
    assert (into[sink + 1 :].max(), out[sink + 1 :].min(), out[sink + 1 :].max()) == (0, 1, 1)
    far = nx.single_source_shortest_path_length(as_networkx(graph), edges(graph.csr)[0][0])
    assert [far[v] - far[60] for v in range(60, sink + 1)] == [*range(41)]
    assert generated("tailed", nodes=1, edges=1, tail=0, fans=0).n == 2


@pytest.mark.parametrize(
    "name",
    [
        "rgg3d",
        "tree",
        "kary",
        "caterpillar",
        "hubtree",
        "banded",
        "powerlaw",
        "hosts",
        "regular",
        "joined",
        "tailed",
    ],
)
def test_one_vertex(name: str) -> None:
    none = {"regular": {"degree": 0}, "joined": {"length": 1}, "tailed": {"tail": 0, "fans": 0}}
    graph = generated(name, nodes=1, **none.get(name, {}))
    assert_well_formed(graph)
    assert graph.m == (2 if name in ("joined", "tailed") else 0)
