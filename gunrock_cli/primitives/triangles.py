"""Triangles: sets of three vertices of which every two are neighbors.

``triangles[v]`` counts those of vertex v, ``total`` those of the whole graph. Loops and repetitions
of an edge do not count. Edges are oriented on the clock."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.launch_shapes import INTERSECT
from gunrock_cli.operators.lists import has_only_short_lists, longest_list
from gunrock_cli.operators.scan import SCAN_CHUNKS
from gunrock_cli.primitives.base import Primitive, Traffic, Validation, Work
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.references import simple_matrix
from gunrock_cli.primitives.shown import Outputs, Shown
from gunrock_cli.primitives.variant import Macros, Member, Problem, Variant

MOST_BY_NUMBER = 1 << 26
"""The longest list for the graph's order: a warp numbers the entries of 32 lists together in 32 bits."""
_ENTRIES_AT_ONCE = 1 << 24
"""The most entries of the matrix product that the reference holds."""


@dataclass(frozen=True)
class TrianglesOptions(Options):
    """The options of counting triangles."""

    per: Literal["vertex", "graph"] = option(
        "vertex",
        "What is counted: the triangles of each vertex, or only their number, which is faster.",
        changes_answer=True,
    )
    order: Literal["auto", "graph", "degree"] = option(
        "auto",
        "Numbers by which edges are oriented: the graph's, or by falling degree, which leaves hubs few "
        "edges. auto: the graph's where no list is longer than 63.",
        expert=True,
    )
    marked: Literal["auto", "longer", "own"] = option(
        "auto",
        "Which list of an edge's two ends is marked, past which the other one streams: the longer, for "
        "which a second set of lists is made, or that of the end where the edge begins. auto: the longer "
        "on a GPU where numbers go by degree.",
        expert=True,
    )


@dataclass(frozen=True, kw_only=True)
class TrianglesChosen(TrianglesOptions):
    """The options that a run takes."""

    order: Literal["graph", "degree"]
    marked: Literal["longer", "own"]


def choose(graph: Graph, asked: TrianglesOptions) -> TrianglesChosen:
    """Resolve ``auto`` for this graph; UsageError for an order that its lists are too long for."""
    longest = longest_list(graph)
    if asked.order == "graph" and longest > MOST_BY_NUMBER:
        raise UsageError(
            f"--order graph: a vertex has {longest} edges, and {MOST_BY_NUMBER} are the most; use "
            "--order degree"
        )
    short = "graph" if has_only_short_lists(graph) else "degree"
    order = short if asked.order == "auto" else asked.order
    longer = "longer" if order == "degree" and graph.xp is not np else "own"
    return TrianglesChosen.resolved(
        asked, order=order, marked=longer if asked.marked == "auto" else asked.marked
    )


class Oriented(Variant[TrianglesChosen]):
    """Common entries of oriented lists."""

    kernel = "triangles"

    @property
    def launch(self) -> Tuning:
        return INTERSECT

    @property
    def constants(self) -> Mapping[str, int]:
        return {"SCAN_CHUNKS": SCAN_CHUNKS}

    @property
    def defines(self) -> Macros:
        return {
            "GR_BY_DEGREE": int(self.options.order == "degree"),
            "GR_IN_PLACE": int(self.in_place),
            "GR_LONGER": int(self.options.marked == "longer"),
            "GR_PER_VERTEX": int(self.options.per == "vertex"),
            "GR_SHARED_CACHE": 2,
        }

    @property
    def in_place(self) -> bool:
        """True if the first part of each of the graph's lists is what is kept of it."""
        by_number = self.options.order == "graph" and self.options.marked == "own"
        return by_number and not self.graph.csr.repeats

    def members(self) -> Mapping[str, Member]:
        n, xp = self.graph.n, self.graph.xp
        rooms = os.cpu_count() or 1 if xp is np else 0
        ends = {"ends": Room(n, self.graph.csr.row_offsets.dtype)}
        return {
            **self._numbering(),
            **self._lists(("offsets", "ends", "columns"), not self.in_place),
            **(ends if self.in_place else {}),
            **self._lists(
                ("partner_offsets", "partner_ends", "partner_columns"), self.options.marked == "longer"
            ),
            "sums": Room(SCAN_CHUNKS, np.uint64),
            "tickets": Room(2, np.uint64, filled=0),
            "marks": Room(rooms * (-(-n // 32)), np.uint32, filled=0),
            "rooms": rooms,
            "total": Room(1, np.uint64, filled=0),
            **self._counts(),
        }

    def _numbering(self) -> dict[str, Member]:
        if self.options.order == "graph":
            return {"numbers": None, "by_degree": None, "places": None}
        degrees = longest_list(self.graph) + 1
        return {
            "numbers": Room(self.graph.n, np.int32),
            "by_degree": Room(degrees, np.uint32, filled=0),
            "places": Room(degrees, np.uint32),
        }

    def _lists(self, names: tuple[str, str, str], made: bool) -> dict[str, Member]:
        """Room for at most one entry of each pair of neighbors."""
        if not made:
            return dict.fromkeys(names)
        offsets = self.graph.csr.row_offsets.dtype
        rooms = (
            Room(self.graph.n + 1, offsets, filled=0),
            Room(self.graph.n, offsets, filled=0),
            Room(self.graph.m // 2, np.int32),
        )
        return dict(zip(names, rooms, strict=True))

    def _counts(self) -> dict[str, Member]:
        if self.options.per == "graph":
            return {"triangles": None, "counts": None}
        return {name: Room(self.graph.n, np.uint64, filled=0) for name in ("triangles", "counts")}

    def outputs(self, problem: Problem) -> dict[str, Array]:
        if self.options.per == "graph":
            return {"total": problem["total"].astype(np.int64)}
        name = "triangles" if self.options.order == "degree" else "counts"
        return {"triangles": problem[name].astype(np.int64)}


class TrianglesShown(Shown):
    """A value per vertex, or one number."""

    def row_columns(self, options: TrianglesOptions) -> Mapping[str, str]:
        return {"triangles": "total"} if options.per == "graph" else {}


class Triangles(Primitive):
    name = "triangles"
    summary = "Triangles of each vertex of an undirected graph, or their number."
    takes = TrianglesOptions
    source = None
    needs = Needs(undirected=True)
    shows = TrianglesShown()
    frontier = Frontier(advance_under=None)

    def plan(self, graph: Graph, asked: TrianglesOptions) -> Oriented:
        return Oriented(graph, choose(graph, asked))

    def work(self, graph: Graph, options: TrianglesOptions, outputs: dict[str, Array]) -> Work:
        if "total" in outputs:
            return Work(metrics={"triangles": sum_of(outputs["total"])})
        return Work(metrics={"triangles": sum_of(outputs["triangles"]) // 3})

    def traffic(self, graph: Graph, options: TrianglesOptions, work: Work) -> Traffic:
        """One direction of every edge is read; a number is written for each vertex, or one."""
        return Traffic(read=2 * graph.m, written=8 * graph.n if options.per == "vertex" else 8)

    def validate(
        self, graph: Graph, options: TrianglesOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        """Compare with a product of matrices: A @ A has the number of paths of two edges between each
        two vertices, of which neighbors close a triangle."""
        expected = triangles_of(graph)
        if "triangles" in outputs:
            return Validation.of_vertices("scipy", "triangles", outputs["triangles"], expected)
        found, total = int(outputs["total"][0]), int(expected.sum()) // 3
        if found == total:
            return Validation("pass", "scipy")
        return Validation("fail", "scipy", f"{found} triangles, expected {total}")


def sum_of(counts: Array) -> int:
    """The sum of 64-bit counts as Python's integer."""
    return int(counts.sum(dtype=np.int64))


def triangles_of(graph: Graph) -> np.ndarray[Any, Any]:
    """The triangles of each vertex by SciPy's matrix product, some rows at a time: int64, shape (n,)."""
    matrix = simple_matrix(graph)
    found = np.zeros(graph.n, np.int64)
    for first, last in _shares(matrix):
        rows = matrix[first:last]
        found[first:last] = (rows @ matrix).multiply(rows).sum(axis=1)
    return found // 2


def _shares(matrix: Any) -> Iterator[tuple[int, int]]:
    """Ranges of rows whose product with the matrix has a bounded number of entries."""
    degrees = np.diff(matrix.indptr)
    products = np.cumsum(matrix @ degrees)
    first = 0
    while first < len(products):
        before = products[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(products, before + _ENTRIES_AT_ONCE, "right")))
        yield first, last
        first = last


PRIMITIVE = Triangles()
