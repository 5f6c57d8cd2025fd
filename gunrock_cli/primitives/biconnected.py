"""Biconnected components, cut vertices and bridges of an undirected graph.

``components[e]`` is the component of entry e of the graph's rows, from ``sources[e]`` to
``targets[e]``: the same for both directions of an edge and for its repetitions; -1 for loops. Components
are numbered from 0 by their first entries. ``articulation_points`` are the vertices that have edges of
several components; ``bridges``, shape (k, 2), are the edges that alone are one, unless they are repeated.
Both rise. (The kernel names the component of each vertex's edge to its parent in a tree, and marks
articulation points; entries are numbered after the clock has stopped.)"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.launch_shapes import LEVELS
from gunrock_cli.primitives.base import Accesses, Primitive, Traffic, Validation, Work
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs, Shown
from gunrock_cli.primitives.variant import Macros, Member, Problem, Variant

NOT_FOUND = -1
"""The kernel's depth of a vertex that the search has not found."""
NOBODY = -1
"""The kernel's parent of a root."""

_Numbers = np.ndarray[Any, Any]


class Cycles(Variant[Options]):
    """Every edge outside a search's tree joins the tree's edges on its cycle."""

    kernel = "biconnected"

    @property
    def launch(self) -> Tuning:
        return LEVELS

    @property
    def defines(self) -> Macros:
        return {"GR_RANDOM_LINKS": 1}  # whatever the numbers, trees of roots stay flat

    @property
    def constants(self) -> Mapping[str, int]:
        return {"NOT_FOUND": NOT_FOUND, "NOBODY": NOBODY}

    def members(self) -> Mapping[str, Member]:
        n = self.graph.n
        return {
            **{name: Room(n, np.int32) for name in ("roots", "above", "components")},
            "depths": Room(n, np.int32, filled=NOT_FOUND),
            "parents": Room(n, np.int32, filled=NOBODY),
            "cuts": Room(n, np.uint32, filled=0),
        }

    def start(self, problem: Problem, source: int) -> None:
        every = self.xp.arange(self.graph.n, dtype=np.int32)
        for name in ("roots", "above", "components"):
            problem[name][...] = every

    def outputs(self, problem: Problem) -> dict[str, Array]:
        csr, xp = self.graph.csr, self.xp
        components = of_entries(self.graph, problem["depths"], problem["components"])
        return {
            "components": components,
            "sources": csr.sources(),
            "targets": csr.column_indices.copy(),
            "articulation_points": xp.flatnonzero(problem["cuts"]).astype(np.int32),
            "bridges": bridges_of(self.graph, components),
        }


class Biconnected(Primitive):
    name = "biconnected"
    summary = "Biconnected components of an undirected graph, its cut vertices and bridges."
    variant = Cycles
    source = None
    needs = Needs(undirected=True)
    shows = Shown(
        vertices=("sources", "targets"),
        rows=MappingProxyType({"source": "sources", "target": "targets", "component": "components"}),
    )

    def work(self, graph: Graph, options: Options, outputs: dict[str, Array]) -> Work:
        sizes = _sizes(graph, outputs["components"])
        return Work(
            metrics={
                "components": len(sizes),
                "largest_component": int(sizes.max()) // 2 if len(sizes) else 0,
                "articulation_points": len(outputs["articulation_points"]),
                "bridges": len(outputs["bridges"]),
            }
        )

    def traffic(self, graph: Graph, options: Options, work: Work) -> Traffic:
        """One direction of every edge is read, and a name is written for each vertex's edge to its
        parent."""
        return Traffic(read=2 * graph.m, written=4 * graph.n)

    def accesses(self, graph: Graph, options: Options, work: Work) -> Accesses:
        """Every entry is read three times; its end's root, depth and parent are looked at."""
        row = graph.csr.row_offsets.dtype.itemsize
        return Accesses(12 * graph.m + (3 * row + 40) * graph.n, 3 * graph.m, 4 * graph.n)

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        order, names = by_depth_first_search(graph)
        expected = of_entries(graph, order, names)
        own = "depth-first search"
        found = Validation.of_each(own, "components", outputs["components"], expected, "entry")
        if found.verdict == "pass":
            cuts = cut_vertices(graph, expected)
            found = Validation.of_each(
                own, "articulation points", outputs["articulation_points"], cuts, "place"
            )
        if found.verdict == "pass" and not np.array_equal(
            outputs["bridges"], bridges_of(graph, expected)
        ):
            return Validation("fail", own, "the bridges are not the components of one edge")
        return found


def of_entries(graph: Graph, order: Array, names: Array) -> Array:
    """The component of every entry, numbered from 0 by their first entries, -1 for loops: int32, shape
    (m,). ``names`` are those of the edges from vertices to their parents in a tree; every edge has the
    name of the end that comes later in ``order``."""
    xp, csr = graph.xp, graph.csr
    tails, heads = csr.sources(), csr.column_indices
    apart = tails != heads
    later = xp.where(order[tails] > order[heads], tails, heads)[apart]
    _, firsts, inverse = xp.unique(names[later], return_index=True, return_inverse=True)
    numbers = xp.empty(len(firsts), np.int32)
    numbers[xp.argsort(firsts)] = xp.arange(len(firsts), dtype=np.int32)
    found = xp.full(graph.m, -1, np.int32)
    found[apart] = numbers[inverse.ravel()]
    return found


def bridges_of(graph: Graph, components: Array) -> Array:
    """The edges that are a component by themselves, of two entries: int32, shape (k, 2)."""
    tails, heads = graph.csr.sources(), graph.csr.column_indices
    alone = _sizes(graph, components) == 2
    upward = (tails < heads).nonzero()[0]
    chosen = upward[alone[components[upward]]]
    return graph.xp.stack((tails[chosen], heads[chosen]), axis=1).astype(np.int32)


def _sizes(graph: Graph, components: Array) -> Array:
    """The number of entries of each component."""
    apart = components[components >= 0]
    return graph.xp.bincount(apart) if len(apart) else graph.xp.zeros(0, np.int64)


def cut_vertices(graph: Graph, components: _Numbers) -> _Numbers:
    """The vertices that have entries of several components: int32."""
    some = components >= 0
    tails = graph.csr.sources()[some].astype(np.int64)
    pairs = np.unique(tails * (graph.m + 1) + components[some])
    return np.flatnonzero(np.bincount(pairs // (graph.m + 1), minlength=graph.n) > 1).astype(np.int32)


def by_depth_first_search(graph: Graph) -> tuple[_Numbers, _Numbers]:
    """Each vertex's number in a depth-first search, and a name for the component of the edge that leads
    to it, by the earliest vertex that an edge from below it leads to (Hopcroft and Tarjan, 1973)."""
    n, columns = graph.n, graph.csr.column_indices.tolist()
    ends = graph.csr.row_offsets[1:].tolist()
    at = graph.csr.row_offsets[:-1].tolist()
    order, parents = [-1] * n, [-1] * n
    visited: list[int] = []
    for root in range(n):
        v = root if order[root] < 0 else -1
        while v >= 0:
            if order[v] < 0:
                order[v] = len(visited)
                visited.append(v)
            while at[v] < ends[v] and order[columns[at[v]]] >= 0:
                at[v] += 1
            if at[v] == ends[v]:
                v = parents[v]
            else:
                parents[columns[at[v]]], v = v, columns[at[v]]
    numbers = np.array(order, np.int64)
    tails, heads = graph.csr.sources(), graph.csr.column_indices
    sideward = np.array(parents, np.int64)[tails] != heads
    least = numbers.copy()
    np.minimum.at(least, tails[sideward], numbers[heads[sideward]])
    low, names = least.tolist(), list(range(n))
    for v in reversed(visited):
        if parents[v] >= 0:
            low[parents[v]] = min(low[parents[v]], low[v])
    for v in visited:
        if parents[v] >= 0 and low[v] < order[parents[v]]:
            names[v] = names[parents[v]]
    return numbers, np.array(names, np.int64)


PRIMITIVE = Biconnected()
