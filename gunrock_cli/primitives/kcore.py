"""Core numbers: the greatest k such that a vertex belongs to a subgraph in which every vertex has k
edges.

``cores[v]`` is v's. ``places`` is an order in which vertices can be removed: v has at most ``cores[v]``
edges to vertices of greater places. Loops do not count, parallel edges each do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.graph.model.ranges import ranges
from gunrock_cli.operators.launch_shapes import CASCADE
from gunrock_cli.primitives.base import Accesses, Primitive, Traffic, Validation, Work
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs, Shown
from gunrock_cli.primitives.variant import Member, Problem, Variant

MOST = 2**31 - 1
"""The kernel's least number of edges before it has looked."""


class Peeling(Variant[Options]):
    """Vertices of fewest edges are removed, level by level."""

    kernel = "kcore"

    @property
    def launch(self) -> Tuning:
        return CASCADE

    @property
    def constants(self) -> Mapping[str, int]:
        return {"MOST": MOST}

    def members(self) -> Mapping[str, Member]:
        n = self.graph.n
        return {
            "left": Room(n, np.int32),
            "cores": Room(n, np.int32),
            "numbers": Room(n, np.uint32),
            "lists": Room(2 * n, np.int32),
            "found": Room(3, np.int64, filled=0),
            "least": Room(3, np.int32, filled=MOST),
            "next_number": Room(1, np.uint32, filled=0),
            "counters": Room(3, np.int32, filled=0),
        }

    def outputs(self, problem: Problem) -> dict[str, Array]:
        xp, places = self.xp, self.xp.empty(self.graph.n, np.int32)
        places[xp.argsort(problem["numbers"])] = xp.arange(self.graph.n, dtype=np.int32)
        return {"cores": problem["cores"], "places": places}


class KCore(Primitive):
    name = "kcore"
    summary = "Core numbers: the densest part of an undirected graph that each vertex belongs to."
    variant = Peeling
    source = None
    needs = Needs(undirected=True)
    shows = Shown(further=("places",))
    frontier = Frontier(advance_under=None)

    def work(self, graph: Graph, options: Options, outputs: dict[str, Array]) -> Work:
        cores = outputs["cores"]
        degeneracy = int(cores.max()) if graph.n else 0
        innermost = int((cores == degeneracy).sum()) if graph.n else 0
        return Work(metrics={"degeneracy": degeneracy, "innermost": innermost})

    def traffic(self, graph: Graph, options: Options, work: Work) -> Traffic:
        """One direction of every edge is read, and a number is written for each vertex."""
        return Traffic(read=2 * graph.m, written=4 * graph.n)

    def accesses(self, graph: Graph, options: Options, work: Work) -> Accesses:
        """Every list is read twice, once with what its neighbors have left."""
        row = graph.csr.row_offsets.dtype.itemsize
        return Accesses(8 * graph.m + (2 * row + 16) * graph.n, graph.m, 4 * graph.n)

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        cores, places = outputs["cores"], outputs.get("places")
        found = Validation.of_vertices("numpy", "cores", cores, cores_of(graph))
        if found.verdict == "pass" and places is not None:  # peers find none
            return order_checked(graph, cores, places)
        return found


def order_checked(graph: Graph, cores: Array, places: Array) -> Validation:
    """Check that the places are an order of the vertices in which none has more edges to later ones than
    its core number."""
    if not np.array_equal(np.sort(places), np.arange(graph.n)):
        return Validation("fail", "numpy", "places are no order of the vertices")
    tails, heads = graph.csr.sources(), graph.csr.column_indices
    later = np.bincount(tails[places[heads] > places[tails]], minlength=graph.n)
    many = np.flatnonzero(later > cores)
    if not len(many):
        return Validation("pass", "numpy")
    v = many[0]
    return Validation(
        "fail", "numpy", f"vertex {v}: {later[v]} edges to later ones, {cores[v]} are the most"
    )


def cores_of(graph: Graph) -> np.ndarray[Any, Any]:
    """Core numbers by removing all vertices of a level at once, round by round: int32, shape (n,)."""
    offsets, columns, tails = graph.csr.row_offsets, graph.csr.column_indices, graph.csr.sources()
    left = np.bincount(tails[tails != columns], minlength=graph.n)
    cores, there = np.full(graph.n, -1, np.int32), np.ones(graph.n, bool)
    k, remaining = 0, graph.n
    while remaining:
        k = max(k, int(left[there].min()))
        leaving = np.flatnonzero(there & (left <= k))
        while len(leaving):
            cores[leaving], there[leaving] = k, False
            remaining -= len(leaving)
            entries = ranges(offsets[leaving], offsets[leaving + 1] - offsets[leaving])
            met, times = np.unique(columns[entries], return_counts=True)
            left[met] -= times
            leaving = met[there[met] & (left[met] <= k)]
    return cores


PRIMITIVE = KCore()
