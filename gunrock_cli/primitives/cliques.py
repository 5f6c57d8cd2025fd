"""Cliques: sets of vertices of which every two are neighbors; how many have ``size`` vertices.

``total`` is their number, an array of one. Loops and repetitions of an edge do not count."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.launch_shapes import INTERSECT
from gunrock_cli.operators.neighborhoods import rooms_for
from gunrock_cli.primitives.base import Primitive, Traffic, Validation, Work
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.references import simple_matrix
from gunrock_cli.primitives.shown import Outputs, Shown
from gunrock_cli.primitives.variant import Member, Problem, Variant

MOST_SETS = 4e9
"""The most sets of vertices, each among the later neighbors of one, that the reference may look at: a
minute on two cores."""


@dataclass(frozen=True)
class CliquesOptions(Options):
    """The options of counting cliques."""

    size: int = option(
        4, "How many vertices a clique has.", minimum=3, maximum=8, define="GR_SIZE", changes_answer=True
    )


class Neighborhoods(Variant[CliquesOptions]):
    """Matrices of bits of the edges among later neighbors."""

    kernel = "cliques"

    @property
    def launch(self) -> Tuning:
        return INTERSECT

    def members(self) -> Mapping[str, Member]:
        return {
            "later": Room(self.graph.n, np.int32),
            **rooms_for(self.graph, spare_rows=max(0, self.options.size - 4)),
            "total": Room(1, np.uint64, filled=0),
        }

    def outputs(self, problem: Problem) -> dict[str, Array]:
        return {"total": problem["total"].astype(np.int64)}


class Cliques(Primitive):
    name = "cliques"
    summary = "The number of cliques of a given size in an undirected graph."
    takes = CliquesOptions
    variant = Neighborhoods
    source = None
    needs = Needs(undirected=True)
    shows = Shown(rows=MappingProxyType({"cliques": "total"}))
    frontier = Frontier(advance_under=None)

    def work(self, graph: Graph, options: CliquesOptions, outputs: dict[str, Array]) -> Work:
        return Work(metrics={"cliques": int(outputs["total"][0])})

    def traffic(self, graph: Graph, options: CliquesOptions, work: Work) -> Traffic:
        """One direction of every edge is read, and a number is written."""
        return Traffic(read=2 * graph.m, written=8)

    def validate(
        self, graph: Graph, options: CliquesOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        found = int(outputs["total"][0])
        expected = cliques_of(graph, options.size, MOST_SETS)
        if expected is None:
            return Validation("skipped", "scipy", "so many cliques take too long to check", method="none")
        if found == expected:
            return Validation("pass", "scipy")
        return Validation("fail", "scipy", f"{found} cliques, expected {expected}")


def cliques_of(graph: Graph, size: int, most: float = math.inf) -> int | None:
    """The number of cliques by products of dense matrices: of the later neighbors of each vertex, by
    degree. None if there are more than ``most`` sets of later neighbors to look at."""
    matrix = simple_matrix(graph)
    place = np.empty(graph.n, np.int64)
    place[np.argsort(np.diff(matrix.indptr), kind="stable")] = np.arange(graph.n)
    ends = matrix.tocoo()
    counts = np.bincount(ends.row[place[ends.col] > place[ends.row]], minlength=graph.n)
    if (counts.astype(np.float64) ** (size - 1)).sum() / math.factorial(size - 1) > most:
        return None
    total = 0
    for v in np.flatnonzero(counts >= size - 1):
        neighbors = matrix.indices[matrix.indptr[v] : matrix.indptr[v + 1]]
        later = neighbors[place[neighbors] > place[v]]
        inside = matrix[later][:, later].toarray()
        total += _within(np.triu(inside).astype(np.float64), size - 1)
    return total


def _within(above: np.ndarray[Any, Any], size: int) -> int:
    """The cliques among the vertices of a matrix, of which only the part above the diagonal is given."""
    if size == 2:
        return int(above.sum())
    if size == 3:
        return int(((above @ above) * above).sum())
    rows = (np.flatnonzero(row) for row in above)
    return sum(_within(above[np.ix_(row, row)], size - 1) for row in rows if len(row) >= size - 1)


PRIMITIVE = Cliques()
