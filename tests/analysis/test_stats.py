"""Statistics against NetworkX, and the diameter's bounds."""

from functools import partial

import networkx as nx
import numpy as np
import pytest
from graph_helper import generated, matrix
from real_graphs import decode

from gunrock_cli.analysis import stats
from gunrock_cli.analysis.diameter import find_diameter
from gunrock_cli.analysis.levels import scipy_levels
from gunrock_cli.analysis.stats import graph_stats, guess_class
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.engine.devices import Devices
from gunrock_cli.graph.drawn_parts import drawn_in_parts
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives.run_options import RunOptions


@pytest.fixture
def by_scipy(monkeypatch):
    monkeypatch.setattr(stats, "level_search", scipy_levels)


CASES = [
    ("rmat", {"scale": 9, "edge_factor": 3}),
    ("rgg", {"scale": 8}),
    ("grid2d", {"width": 9}),
    ("random", {"nodes": 200, "edges": 150}),
    ("random", {"nodes": 60, "edges": 20}),
    ("smallworld", {"nodes": 100, "rewire": 0.1}),
    ("path", {"nodes": 30}),
    ("star", {"nodes": 9}),
    ("road", {"nodes": 1000}),
    ("bipartite", {"left": 30, "edges": 60}),
]


@pytest.mark.parametrize(("name", "params"), CASES)
@pytest.mark.usefixtures("by_scipy")
def test_against_networkx(name, params):
    graph = generated(name, **params)
    found = graph_stats(graph)
    reference = nx.from_scipy_sparse_array(matrix(graph.csr))
    parts = sorted(nx.connected_components(reference), key=len, reverse=True)
    degrees = [degree for _, degree in reference.degree()]
    assert (found["vertices"], found["edges"]) == (len(reference), 2 * reference.size())
    assert found["min_degree"] == min(degrees)
    assert found["max_degree"] == max(degrees)
    assert found["mean_degree"] == pytest.approx(np.mean(degrees), abs=1e-4)
    assert found["share_under_64"] == pytest.approx(np.mean(np.array(degrees) < 64), abs=1e-6)
    assert found["components"] == len(parts)
    assert found["largest_component"] == len(parts[0])
    # Components of equal size may have different diameters.
    largest = [nx.diameter(reference.subgraph(part)) for part in parts if len(part) == len(parts[0])]
    assert found["diameter_is_exact"]
    assert found["diameter"] in largest
    assert found["class"].startswith("generated, ")


@pytest.mark.usefixtures("by_scipy")
def test_the_largest_component_need_not_hold_the_hub():
    star = [(0, leaf) for leaf in range(1, 6)]
    path = [(v, v + 1) for v in range(6, 25)]
    u, v = np.array(star + path, dtype=np.int32).T
    found = graph_stats(build_graph(26, u, v))
    assert (found["components"], found["largest_component"]) == (2, 20)
    assert found["diameter"] == 19


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.usefixtures("by_scipy")
def test_no_edges(n):
    none = np.empty(0, np.int32)
    found = graph_stats(build_graph(n, none, none))
    assert found["components"] == n
    assert found["diameter"] == (0 if n else None)
    assert found["isolated"] == n


@pytest.mark.usefixtures("by_scipy")
def test_a_directed_graph_is_looked_at_undirected():
    graph = build_graph(4, np.array([0, 1, 3]), np.array([1, 2, 2]), undirected=False)
    found = graph_stats(graph)
    assert (found["edges"], found["components"], found["diameter"]) == (3, 1, 3)


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 10])
def test_too_few_searches_give_bounds(limit):
    graph = generated("smallworld", nodes=400, rewire=0.2)
    true = nx.diameter(nx.from_scipy_sparse_array(matrix(graph.csr)))
    found = find_diameter(np, scipy_levels(graph), 0, limit)
    assert found.searches <= limit
    assert found.lower <= true <= found.upper
    assert found.exact == (found.lower == found.upper)


@pytest.mark.usefixtures("by_scipy")
def test_limits_and_no_diameter():
    graph = generated("smallworld", nodes=400, rewire=0.2)
    found = graph_stats(graph, max_searches=1)
    assert not found["diameter_is_exact"]
    assert found["diameter"] < found["diameter_upper_bound"]
    assert graph_stats(graph, diameter=False)["diameter"] is None


def test_class():
    assert guess_class(4, 4) == "mesh-like"
    assert guess_class(14, 661) == "scale-free"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("as-caida20071105", "scale-free"),
        ("email-Enron", "scale-free"),
        ("cit-HepPh", "scale-free"),
        ("soc-Slashdot0902", "scale-free"),
        ("cnr-2000", "scale-free"),
        ("facebook-combined", "scale-free"),
        ("ego-twitter", "scale-free"),
        ("wave", "mesh-like"),
        ("luxembourg_osm", "mesh-like"),
        ("delaunay_n16", "mesh-like"),
        ("ak2010", "mesh-like"),
    ],
)
def test_class_of_real_graphs(name, kind):
    header, u, v, _ = decode(name)
    graph = build_graph(header["n"], u.astype(np.int32), v.astype(np.int32))
    found = stats.degree_stats(graph)
    levels = found["degree_percentiles"]
    assert guess_class(levels["p50"], levels["p99"]) == kind


def test_of_a_graph_that_lies_in_parts(monkeypatch):
    traced = partial(RunOptions, trace=True)  # so that all tests share what was compiled
    monkeypatch.setattr("gunrock_cli.primitives.run_options.RunOptions", traced)
    backend = choose_backend("cpu", 2)
    spec = GraphSpec("rmat", params={"scale": 9, "edge_factor": 2, "seed": 4})
    parted = drawn_in_parts(spec, Devices(backend, (0, 1)))
    whole = load_graph(spec)
    expected = graph_stats(whole)
    assert expected["components"] > 1
    assert graph_stats(parted) == expected
