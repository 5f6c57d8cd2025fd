"""Breadth-first search: the depth of every vertex from a source, and a parent on request."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.graph.model.change import Updated
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.primitives.base import Accesses, Traffic, Validation, Work
from gunrock_cli.primitives.bfs.choose import choose, choose_updating
from gunrock_cli.primitives.bfs.in_parts import SearchInParts, search_in_parts
from gunrock_cli.primitives.bfs.options import PUSH, BfsOptions
from gunrock_cli.primitives.bfs.variants import Search, Updating, search_of
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.going_on import gains_on
from gunrock_cli.primitives.parts.base import OnSeveralDevices
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.reached import is_reached
from gunrock_cli.primitives.references import reference_labels
from gunrock_cli.primitives.shown import Outputs, Shown


class Bfs(OnSeveralDevices):
    name = "bfs"
    summary = "Breadth-first search: depths and predecessors from a source."
    takes = BfsOptions
    goes_on_from = "labels"
    shows = Shown(vertices=("predecessors",), further=("predecessors",), nearest_first=True)
    needs = Needs(reverse=True)
    frontier = Frontier(advance_under=PUSH, to_advance=MappingProxyType({"run_ahead": 1}))

    def reads_reverse(self, options: BfsOptions) -> bool:
        """True if a fused search may pull or is asked for parents, which it looks up after the depths are
        known."""
        return options.fused and (not options.only_pushes or options.mark_pred)

    def plan(self, graph: Graph, asked: BfsOptions) -> Search:
        if isinstance(graph, Updated) and gains_on(graph, graph.change.removed()):
            return Updating(graph, choose_updating(asked))
        return search_of(graph, choose(graph, asked, alone=True))

    def plan_in_parts(self, graph: Graph, asked: BfsOptions) -> SearchInParts:
        return search_in_parts(graph, choose(graph, asked, alone=False))

    def work(self, graph: Graph, options: BfsOptions, outputs: dict[str, Array]) -> Work:
        labels = outputs["labels"]
        reached = is_reached(labels)
        edges = graph.csr.edges_of(reached)
        return Work(
            vertices_visited=int(reached.sum()),
            edges_visited=edges,
            edges_for_mteps=edges,
            depth=int(labels.max()) if graph.n else 0,
        )

    def traffic(self, graph: Graph, options: BfsOptions, work: Work) -> Traffic:
        """An edge to each vertex found, the vertex's label and, if asked for, its predecessor."""
        found = max(0, (work.vertices_visited or 0) - 1)  # the source is known before the clock starts
        return Traffic(read=4 * found, written=(8 if options.mark_pred else 4) * found)

    def accesses(self, graph: Graph, options: BfsOptions, work: Work) -> Accesses:
        """Push: every edge of a reached vertex is read and its end looked up. If pull is allowed, only
        what any BFS must do is counted: a row, one edge (a 32-byte sector) and a label per vertex."""
        edge_bytes = graph.csr.row_offsets.dtype.itemsize
        vertices, edges = work.vertices_visited or 0, work.edges_visited or 0
        if options.only_pushes:
            read, gathers, table = 4 * edges, edges, 4 * graph.n
        else:
            read, gathers, table = 32 * vertices, vertices, 4 * graph.m
        return Accesses(read + (edge_bytes + 4) * vertices, gathers, table)

    def validate(
        self, graph: Graph, options: BfsOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        assert source is not None
        expected = reference_labels(graph, source)
        labels = np.asarray(outputs["labels"])
        wrong = np.flatnonzero(labels != expected)
        if len(wrong):
            shown = "; ".join(f"vertex {v}: {labels[v]}, expected {expected[v]}" for v in wrong[:5])
            return Validation("fail", "scipy", f"{len(wrong)} labels differ: {shown}")
        if "predecessors" in outputs:
            return _check_tree(graph, source, labels, np.asarray(outputs["predecessors"]))
        return Validation("pass", "scipy")


def _check_tree(
    graph: Graph, source: int, labels: np.ndarray[Any, Any], predecessors: np.ndarray[Any, Any]
) -> Validation:
    """Check that every reached vertex but the source has a predecessor one level up, over an edge that
    exists."""
    reached = np.flatnonzero(labels > 0)
    parents = predecessors[reached].astype(np.int64)
    bad = (parents < 0) | (parents >= graph.n)
    parents[bad] = source
    bad |= labels[parents] != labels[reached] - 1
    bad |= ~_edges_exist(graph, parents, reached)
    if bad.any():
        shown = "; ".join(f"vertex {v}: predecessor {predecessors[v]}" for v in reached[bad][:5])
        return Validation("fail", "scipy", f"{bad.sum()} predecessors are no tree edges: {shown}")
    unreached = (labels < 0) & (predecessors != -1)
    if unreached.any():
        v = int(np.flatnonzero(unreached)[0])
        return Validation("fail", "scipy", f"unreached vertex {v} has predecessor {predecessors[v]}")
    return Validation("pass", "scipy")


def _edges_exist(
    graph: Graph, sources: np.ndarray[Any, Any], targets: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any]:
    """True for each edge that is in the graph: a binary search in the sorted rows, for all at once."""
    rows, columns = graph.csr.row_offsets, graph.csr.column_indices
    low, high = rows[sources].astype(np.int64), rows[sources + 1].astype(np.int64)
    end = high.copy()
    while (low < high).any():
        middle = (low + high) // 2
        below = (low < high) & (columns[np.minimum(middle, graph.m - 1)] < targets)
        low, high = np.where(below, middle + 1, low), np.where(below | (low >= high), high, middle)
    return (low < end) & (columns[np.minimum(low, graph.m - 1)] == targets)


PRIMITIVE = Bfs()
