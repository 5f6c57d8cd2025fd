"""Weighted graphs for tests of spanning forests and matchings."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import numpy as np
from hypothesis import strategies as st

from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec

Edges = list[tuple[int, int, float]]


def graph_of(n: int, edges: Edges, dtype: str = "int32", **how: Any) -> Graph:
    ends = np.array([edge[:2] for edge in edges], np.int64).reshape(-1, 2)
    weights = np.array([edge[2] for edge in edges], dtype)
    return build_graph(n, ends[:, 0], ends[:, 1], weights, xp=np, **how)


def edges_of(graph: Graph) -> Edges:
    """Each edge once, from its smaller end; no loops."""
    assert graph.csr.values is not None
    every = zip(
        graph.csr.sources().tolist(),
        graph.csr.column_indices.tolist(),
        graph.csr.values.tolist(),
        strict=True,
    )
    return [edge for edge in every if edge[0] < edge[1]]


def weighed(pairs: Iterable[tuple[int, int]], weights: Iterable[float]) -> Edges:
    return [(int(u), int(v), w) for (u, v), w in zip(pairs, weights, strict=False)]


PATH = list(itertools.pairwise(range(3000)))
DICE = np.random.default_rng(1).integers(0, 9, 10_000).tolist()
EVEN = itertools.repeat(5)
CORNERS: dict[str, tuple[int, Edges, dict[str, Any]]] = {
    "one vertex": (1, [], {}),
    "no edges": (5, [], {}),
    "a loop alone": (1, [(0, 0, 3)], {"keep_self_loops": True}),
    "loops lighter than all": (
        4,
        [(0, 0, 1), (1, 1, 1), (0, 1, 5), (2, 2, 1), (1, 2, 7), (2, 3, 9)],
        {"keep_self_loops": True},
    ),
    "loops heavier than all": (
        4,
        [(0, 0, 9), (1, 1, 9), (0, 1, 5), (2, 2, 9), (1, 2, 7), (2, 3, 2)],
        {"keep_self_loops": True},
    ),
    "duplicates of different weights": (
        5,
        [(2, 3, 9), (3, 2, 4), (2, 3, 4), (0, 1, 7), (1, 2, 8), (0, 1, 9), (0, 1, 2), (3, 4, 9)],
        {"keep_duplicates": True},
    ),
    "disconnected": (8, [(0, 1, 3), (1, 2, 3), (0, 2, 3), (4, 5, 1), (5, 6, 1), (6, 4, 1)], {}),
    "star": (4000, weighed(((0, v) for v in range(1, 4000)), DICE), {}),
    "star around the last": (4000, weighed(((3999, v) for v in range(3999)), DICE), {}),
    "star of equal weights": (4000, weighed(((3999, v) for v in range(3999)), EVEN), {}),
    "two stars": (4001, weighed([*((v % 2, v) for v in range(2, 4000)), (0, 4000), (1, 4000)], DICE), {}),
    "path upwards": (3000, weighed(PATH, range(3000)), {}),
    "path downwards": (3000, weighed(PATH, range(3000, 0, -1)), {}),
    "path of equal weights": (3000, weighed(PATH, EVEN), {}),
    "cycle of three": (3, [(0, 1, 2), (1, 2, 2), (2, 0, 2)], {}),
    "cycle of equal weights": (3000, weighed([*PATH, (2999, 0)], EVEN), {}),
    "clique": (60, weighed(itertools.combinations(range(60), 2), DICE), {}),
    "clique of equal weights": (61, weighed(itertools.combinations(range(61), 2), EVEN), {}),
    "bipartite": (80, weighed(itertools.product(range(40), range(40, 80)), DICE), {}),
    "pairs": (2000, weighed(((2 * v, 2 * v + 1) for v in range(1000)), DICE), {}),
    "zeros": (4, [(0, 1, 0), (1, 2, 0), (2, 3, 0)], {}),
    "extremes": (5, [(0, 1, 2**31 - 1), (1, 2, 0), (2, 3, 2**31 - 2), (3, 4, 2**31 - 1)], {}),
    "floats": (
        5,
        [(0, 1, 0.5), (1, 2, 0.25), (2, 0, 1e38), (2, 3, 1e-37), (3, 4, 0.0), (0, 4, -0.0)],
        {"dtype": "float32"},
    ),
}
"""Corner cases by name: vertices, edges, and how to build them. No weight is negative."""


@st.composite
def small_graphs(draw: st.DrawFn, whole: tuple[int, int], floats: tuple[float, ...]) -> Graph:
    """Graphs with int32 weights between two numbers, or with float32 weights from a list."""
    n = draw(st.integers(1, 24))
    vertex = st.integers(0, n - 1)
    kind = draw(st.sampled_from(["int32", "float32"]))
    weight: Any = st.integers(*whole) if kind == "int32" else st.sampled_from(floats)
    edges = draw(st.lists(st.tuples(vertex, vertex, weight), max_size=60))
    return graph_of(
        n, edges, kind, keep_self_loops=draw(st.booleans()), keep_duplicates=draw(st.booleans())
    )


def larger() -> list[Graph]:
    """Graphs of many weights, two of one weight, and of float32 weights."""
    rmat = load_graph(GraphSpec("rmat", params={"scale": 10}), np)
    mesh = load_graph(GraphSpec("grid2d", params={"width": 70, "height": 50}), np)
    return [
        with_weights(rmat, "random:1:64"),
        with_weights(rmat, "unit"),
        with_weights(mesh, "unit"),
        with_weights(mesh, "random:0:1", "float32"),
    ]
