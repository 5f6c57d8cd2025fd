"""Checks of an answer on the host: by SciPy's Dijkstra, or by the conditions that shortest paths and
their tree meet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.sssp.distances import chunks_of_edges

FLOAT_TOLERANCE = 1e-4
"""The relative tolerance: float32 sums along paths of thousands of edges, against SciPy's float64."""

_Array = np.ndarray[Any, Any]


def check_by_scipy(graph: Graph, source: int, distances: _Array, exact: bool) -> Validation:
    """Check that the distances are SciPy's; ``exact`` is True if weights are integers."""
    expected = dijkstra_lengths(graph, source)
    with np.errstate(invalid="ignore"):
        tolerance = 0 if exact else FLOAT_TOLERANCE * expected
        wrong = ~((distances == expected) | (np.abs(distances - expected) <= tolerance))
    return _verdict(
        "scipy",
        "distances differ",
        wrong,
        lambda v: f"vertex {v}: {distances[v]:g}, expected {expected[v]:g}",
    )


def dijkstra_lengths(graph: Graph, source: int) -> _Array:
    """The distances from a source by SciPy's Dijkstra in float64, infinity without a path; shape (n,)."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    csr = graph.csr
    assert csr.values is not None
    matrix = csr_array(
        (csr.values.astype(np.float64), csr.column_indices, csr.row_offsets), shape=(graph.n, graph.n)
    )
    search: Any = dijkstra  # its stubs do not know csr_array
    return np.asarray(search(matrix, indices=source))


def check_optimality(graph: Graph, source: int, distances: _Array, exact: bool) -> Validation:
    """Prove that distances are right: the source's is 0, no edge shortens a distance, and every reached
    vertex has a chain of edges, each explaining its end's distance, that leads back to the source."""
    name = "optimality conditions"
    assert graph.csr.values is not None
    if distances[source] != 0:
        return Validation("fail", name, f"the source's distance is {distances[source]:g}")
    explained = np.zeros(graph.n, bool)
    explained[source] = True
    level: list[tuple[_Array, _Array]] = []  # edges between equal distances, if they explain them
    for edges, rows in chunks_of_edges(graph):
        columns = graph.csr.column_indices[edges]
        reached = np.isfinite(distances[rows])
        rows, columns = rows[reached], columns[reached]
        sums = distances[rows] + graph.csr.values[edges][reached]
        own = distances[columns]
        slack = 0 if exact else FLOAT_TOLERANCE * sums
        sooner = np.flatnonzero(own > sums + slack)
        if len(sooner):
            e = sooner[0]
            return Validation(
                "fail",
                name,
                f"vertex {columns[e]}: {own[e]:g}, though its edge "
                f"from {rows[e]} makes it {sums[e]:g} or less",
            )
        tight = sums <= own + slack
        closer = tight & (distances[rows] < own)
        explained[columns[closer]] = True
        level.append((rows[tight & ~closer], columns[tight & ~closer]))
    for _ in range(graph.n):  # along zero weights, one edge per round
        before = int(explained.sum())
        for rows, columns in level:
            explained[columns[explained[rows]]] = True
        if int(explained.sum()) == before:
            break
    return _verdict(
        name,
        "distances are too short",
        np.isfinite(distances) & ~explained,
        lambda v: f"vertex {v}: {distances[v]:g}, which no edge explains",
    )


def check_tree(
    graph: Graph, source: int, distances: _Array, predecessors: _Array, exact: bool, reference: str
) -> Validation:
    """Check that every reached vertex but the source has a predecessor whose edge explains its distance,
    that all chains of predecessors end at the source, and that other vertices have none."""
    reached = np.isfinite(distances)
    reached[source] = False
    vertices = np.flatnonzero(reached)
    parents = predecessors[vertices].astype(np.int64)
    bad = (parents < 0) | (parents >= graph.n)
    parents[bad] = source
    bad |= ~_explains(graph, parents, vertices, distances, exact)
    wrong = np.zeros(graph.n, bool)
    wrong[vertices[bad]] = True
    wrong |= ~reached & (predecessors != -1)
    found = _verdict(
        reference,
        "predecessors are no tree edges",
        wrong,
        lambda v: f"vertex {v}: predecessor {predecessors[v]}",
    )
    if found.verdict == "fail":
        return found
    ancestor = np.arange(graph.n)
    ancestor[vertices] = parents
    for _ in range(max(graph.n, 2).bit_length()):  # a chain of n edges takes log2(n) doublings
        ancestor = ancestor[ancestor]
    return _verdict(
        reference,
        "predecessors run in a circle",
        reached & (ancestor != source),
        lambda v: f"vertex {v}: predecessor {predecessors[v]}",
    )


def _explains(graph: Graph, parents: _Array, vertices: _Array, distances: _Array, exact: bool) -> _Array:
    """True if an edge from each parent gives its vertex's distance: a binary search in the sorted rows
    for all at once, then through the duplicates."""
    assert graph.csr.values is not None
    rows, columns = graph.csr.row_offsets, graph.csr.column_indices
    low, end = rows[parents].astype(np.int64), rows[parents + 1].astype(np.int64)
    high = end.copy()
    while (searching := low < high).any():
        middle = (low + high) // 2
        below = searching & (columns[np.minimum(middle, graph.m - 1)] < vertices)
        low, high = np.where(below, middle + 1, low), np.where(searching & ~below, middle, high)
    wanted, start = distances[vertices], distances[parents]
    found = np.zeros(len(vertices), bool)
    tolerance = 0 if exact else FLOAT_TOLERANCE * wanted
    left = np.flatnonzero(low < end)
    while len(left):
        left = left[columns[low[left]] == vertices[left]]
        sums = start[left] + graph.csr.values[low[left]]
        slack = tolerance if exact else np.asarray(tolerance)[left]
        found[left] |= np.abs(sums - wanted[left]) <= slack
        low[left] += 1
        left = left[(low[left] < end[left]) & ~found[left]]
    return found


def _verdict(reference: str, what: str, wrong: _Array, describe: Callable[[int], str]) -> Validation:
    places = np.flatnonzero(wrong).tolist()
    if not places:
        return Validation("pass", reference)
    shown = "; ".join(describe(v) for v in places[:5])
    return Validation("fail", reference, f"{len(places)} {what}: {shown}")
