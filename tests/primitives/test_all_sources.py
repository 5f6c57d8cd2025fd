"""Betweenness from all sources in one run, compared with the reference of each source, and with
NetworkX."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.face.prepare import prepare
from gunrock_cli.graph.model.graph import Graph, to_numpy
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives.all_sources import ALL_SOURCES, MOST_VERTICES, fits_blocks
from gunrock_cli.primitives.bc.reference import reference_scores
from gunrock_cli.primitives.references import reference_labels

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]


def scores_of(graph: Graph, threads: int = 3) -> np.ndarray[Any, Any]:
    how = {"threads": threads} if graph.xp is np else {}
    ready = prepare(ALL_SOURCES, graph, **how)
    first, again = (to_numpy(ready().scores) for _ in range(2))
    np.testing.assert_allclose(first, again, rtol=1e-12, atol=1e-12)  # each run leaves its arrays clean
    return first


def expected_of(graph: Graph) -> np.ndarray[Any, Any]:
    graph, scores = graph.to(np), np.zeros(graph.n)
    for source in range(graph.n):
        scores += reference_scores(graph, source, reference_labels(graph, source))
    return scores


def graph_of(edges: Any, n: int, backend: str = "cpu", **how: Any) -> Graph:
    ends = np.array(edges, np.int64).reshape(-1, 2)
    return build_graph(n, ends[:, 0], ends[:, 1], xp=choose_backend(backend).xp, **how)


@settings(max_examples=60, deadline=None)
@given(st.data(), st.integers(1, 14), st.booleans(), st.integers(1, 4))
def test_it_is_the_sum_of_all_sources(
    data: st.DataObject, n: int, undirected: bool, threads: int
) -> None:
    vertex = st.integers(0, n - 1)
    edges = data.draw(st.lists(st.tuples(vertex, vertex), max_size=40))
    graph = graph_of(edges, n, undirected=undirected, keep_self_loops=True, keep_duplicates=True)
    np.testing.assert_allclose(scores_of(graph, threads), expected_of(graph), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    "graph",
    [
        nx.star_graph(300),
        nx.path_graph(150),
        nx.grid_2d_graph(12, 9),
        nx.gnp_random_graph(200, 0.03, seed=1),
        nx.gnp_random_graph(150, 0.03, seed=2, directed=True),
        nx.empty_graph(5),
    ],
    ids=["star", "path", "grid", "random", "random directed", "no edges"],
)
def test_hubs_depths_and_parts(graph: nx.Graph, backend: str) -> None:
    numbered = nx.convert_node_labels_to_integers(graph)
    own = graph_of(list(numbered.edges()), len(numbered), backend, undirected=not graph.is_directed())
    theirs = nx.betweenness_centrality(numbered, normalized=False)
    twice = 1 if graph.is_directed() else 2
    np.testing.assert_allclose(
        scores_of(own), [twice * theirs[v] for v in range(own.n)], rtol=1e-6, atol=1e-9
    )


def test_paths_may_be_more_than_a_double_holds() -> None:
    """Use a chain of 1,100 pairs, each joined to the next by all four edges: 2^1100 paths."""
    pairs = 1100
    edges = [(2 * i + a, 2 * i + 2 + b) for i in range(pairs - 1) for a in (0, 1) for b in (0, 1)]
    graph = graph_of(edges, 2 * pairs)
    found = scores_of(graph)
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found, found[::-1], rtol=1e-5)  # the chain is the same from its other end
    beyond = 2 * (pairs - 2)  # vertex 2 is on half of the paths of the first two to each of them
    first, next_to_it = 1 / 2, 1 / 4  # shares of the paths between the pair on either side
    assert found[2] == pytest.approx(2 * (2 * beyond / 2 + first + next_to_it), rel=1e-6)


def test_validation_tells_a_wrong_sum() -> None:
    graph = graph_of([(0, 1), (1, 2)], 3)
    right = scores_of(graph)
    assert ALL_SOURCES.validate(graph, {}, None, {"scores": right}).verdict == "pass"
    right[2] += 1
    assert ALL_SOURCES.validate(graph, {}, None, {"scores": right}).verdict == "fail"


def test_large_graphs_are_searched_by_the_whole_grid() -> None:
    edges = [(0, 1)]
    assert fits_blocks(graph_of(edges, MOST_VERTICES))
    assert not fits_blocks(graph_of(edges, MOST_VERTICES + 1))
