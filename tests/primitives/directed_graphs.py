"""Directed graphs for tests."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from hypothesis import strategies as st
from primitives.graphs_for_sets import Edges, Numbers, graph_of

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.spec import GraphSpec

FAR = 100_000


def directed(n: int, edges: Edges | Numbers, **how: Any) -> Graph:
    return graph_of(n, edges, **{"undirected": False, **how})


def path(n: int) -> Numbers:
    return np.column_stack((np.arange(n - 1), np.arange(1, n)))


def ring(n: int) -> Numbers:
    return np.column_stack((np.arange(n), np.arange(1, n + 1) % n))


BOTH_KEPT = {"keep_self_loops": True, "keep_duplicates": True}
CORNERS: dict[str, tuple[int, Edges | Numbers, dict[str, Any]]] = {
    "one vertex": (1, [], {}),
    "a loop": (1, [(0, 0)], BOTH_KEPT),
    "no edges": (5, [], {}),
    "loops": (4, [(0, 0), (0, 1), (2, 2), (2, 3), (3, 2)], BOTH_KEPT),
    "duplicates": (5, [(2, 3), (2, 3), (3, 2), (0, 1), (0, 1), (0, 1), (1, 1)], BOTH_KEPT),
    "disconnected": (9, [(0, 1), (1, 0), (3, 4), (4, 5), (5, 3), (7, 8)], {}),
    "star outward": (4000, [(0, v) for v in range(1, 4000)], {}),
    "star inward": (4000, [(v, 3999) for v in range(3999)], {}),
    "star both ways": (3000, [e for v in range(1, 3000) for e in ((0, v), (v, 0))], {}),
    "path": (3000, path(3000), {}),
    "path backward": (3000, path(3000)[:, ::-1], {}),
    "ring": (3000, ring(3000), {}),
    "ring backward": (3000, ring(3000)[:, ::-1], {}),
    "rings in a row": (900, np.concatenate((path(900), np.arange(0, 900, 3)[:, None] + [2, 0])), {}),
    "tournament": (120, list(itertools.combinations(range(120), 2)), {}),
    "clique": (90, list(itertools.permutations(range(90), 2)), {}),
    "undirected": (50, [(v, v * 7 % 50) for v in range(50)], {"undirected": True}),
}

LARGER = [
    GraphSpec("rmat", params={"scale": 11, "edge_factor": 4}, undirected=False),
    GraphSpec("rmat", params={"scale": 12, "edge_factor": 16}, undirected=False),
    GraphSpec("grid2d", params={"width": 120, "height": 50}),
]


@st.composite
def small_digraphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(1, 24))
    vertex = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex), max_size=60))
    return directed(
        n,
        edges,
        undirected=draw(st.integers(0, 9)) == 0,
        keep_self_loops=draw(st.booleans()),
        keep_duplicates=draw(st.booleans()),
    )
