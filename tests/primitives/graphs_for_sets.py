"""Graphs for tests of sets, colorings and counts, and orders of their vertices."""

from __future__ import annotations

import itertools
from typing import Any

import networkx as nx
import numpy as np
from hypothesis import strategies as st

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec

Numbers = np.ndarray[Any, Any]
Edges = list[tuple[int, int]]


def graph_of(n: int, edges: Edges | Numbers, **how: Any) -> Graph:
    ends = np.array(edges, np.int64).reshape(-1, 2)
    return build_graph(n, ends[:, 0], ends[:, 1], None, xp=np, **how)


CORNERS: dict[str, tuple[int, Edges, dict[str, Any]]] = {
    "one vertex": (1, [], {}),
    "no edges": (5, [], {}),
    "self loops": (3, [(0, 0), (0, 1), (2, 2)], {"keep_self_loops": True}),
    "duplicates": (4, [(2, 3), (2, 3), (0, 1)], {"keep_duplicates": True}),
    "disconnected": (7, [(0, 1), (1, 2), (3, 4), (4, 5)], {}),
    "star": (4000, [(0, v) for v in range(1, 4000)], {}),
    "star around the last": (6000, [(5999, v) for v in range(5999)], {}),
    "two stars": (6000, [(v % 2 + 5998, v) for v in range(5998)], {}),
    "path": (3000, [(v, v + 1) for v in range(2999)], {}),
    "odd ring": (301, [(v, (v + 1) % 301) for v in range(301)], {}),
    "clique": (150, list(itertools.combinations(range(150), 2)), {}),
    "bipartite": (80, [(a, 40 + b) for a in range(40) for b in range(0, 40, 3)], {}),
    "complete bipartite": (140, [(a, 70 + b) for a in range(70) for b in range(70)], {}),
}


LARGER = [
    GraphSpec("rmat", params={"scale": 11}),
    GraphSpec("grid2d", params={"width": 150, "height": 90}),
    GraphSpec("rgg", params={"scale": 12}),
]


def in_networkx(graph: Graph) -> nx.Graph:
    """NetworkX's graph, without loops and parallel edges."""
    own = nx.Graph()
    own.add_nodes_from(range(graph.n))
    ends = zip(graph.csr.sources().tolist(), graph.csr.column_indices.tolist(), strict=True)
    own.add_edges_from((u, v) for u, v in ends if u != v)
    return own


def scramble(x: Numbers) -> Numbers:
    """``scramble`` of kernels/math/hash.cuh, for uint32."""
    x = (x ^ x >> np.uint32(16)) * np.uint32(0x85EBCA6B)
    x = (x ^ x >> np.uint32(13)) * np.uint32(0xC2B2AE35)
    return x ^ x >> np.uint32(16)


def random_number(v: Numbers, seed: int) -> Numbers:
    """32 random bits for each vertex."""
    with np.errstate(over="ignore"):
        return scramble(
            scramble(v.astype(np.uint32) + np.uint32(1)) ^ np.uint32(seed) * np.uint32(0x9E3779B1)
        )


@st.composite
def small_graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(1, 24))
    vertex = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex), max_size=60))
    return graph_of(n, edges, keep_self_loops=draw(st.booleans()), keep_duplicates=draw(st.booleans()))
