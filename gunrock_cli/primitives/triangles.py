"""Triangles: sets of three vertices of which every two are neighbors.

``triangles[v]`` counts those of vertex v, ``total`` those of the whole graph; if asked for edges,
``triangles[e]`` counts those of the graph's entry e, from ``sources[e]`` to ``targets[e]``. Loops and
repetitions of an edge do not count. Edges are oriented on the clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.intersect import numbering, sublists, work_of_blocks
from gunrock_cli.operators.launch_shapes import INTERSECT
from gunrock_cli.operators.lists import has_only_short_lists, longest_list
from gunrock_cli.operators.scan import SCAN_CHUNKS
from gunrock_cli.primitives.base import Traffic, Validation, Work
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.parts.base import InParts, OnSeveralDevices
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.references import shares_of_product, simple_matrix
from gunrock_cli.primitives.shown import Outputs, Shown
from gunrock_cli.primitives.variant import Macros, Member, Problem, Variant

MOST_BY_NUMBER = 1 << 26
"""The longest list for the graph's order: a warp numbers the entries of 32 lists together in 32 bits."""


@dataclass(frozen=True)
class TrianglesOptions(Options):
    """The options of counting triangles."""

    per: Literal["vertex", "edge", "graph"] = option(
        "vertex",
        "What is counted: the triangles of each vertex or edge, or only their number, which is faster.",
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
        "for edges, and on a GPU where numbers go by degree.",
        expert=True,
    )


@dataclass(frozen=True, kw_only=True)
class TrianglesChosen(TrianglesOptions):
    """The options that a run takes."""

    order: Literal["graph", "degree"]
    marked: Literal["longer", "own"]


def choose(graph: Graph, asked: TrianglesOptions, alone: bool = True) -> TrianglesChosen:
    """Resolve ``auto`` for this graph, and one device (``alone``) or several; UsageError for an order
    that its lists are too long for, and for what several devices do not do."""
    longest = longest_list(graph)
    if (asked.per, asked.marked) == ("edge", "own"):
        raise UsageError("--marked own: --per edge marks the longer list; leave it out")
    if not alone and (asked.per == "edge" or asked.marked == "own"):
        refused = "--per edge" if asked.per == "edge" else "--marked own"
        raise UsageError(f"{refused} is for one device; leave it out")
    if asked.order == "graph" and longest > MOST_BY_NUMBER:
        raise UsageError(
            f"--order graph: a vertex has {longest} edges, and {MOST_BY_NUMBER} are the most; use "
            "--order degree"
        )
    short = "graph" if has_only_short_lists(graph) else "degree"
    order = short if asked.order == "auto" else asked.order
    on_gpu = order == "degree" and graph.xp is not np
    longer = "longer" if asked.per == "edge" or on_gpu or not alone else "own"
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
            "GR_PER_EDGE": int(self.options.per == "edge"),
            "GR_SEVERAL": 0,
            "GR_SHARED_CACHE": 2,
        }

    @property
    def in_place(self) -> bool:
        """True if the first part of each of the graph's lists is what is kept of it."""
        by_number = self.options.order == "graph" and self.options.marked == "own"
        return by_number and not self.graph.csr.repeats

    def members(self) -> Mapping[str, Member]:
        n, each = self.graph.n, self.graph.m
        kept = each if self.options.per == "edge" else each // 2
        ends = {"ends": Room(n, self._offsets)} if self.in_place else {}
        return {
            **self._numbering(),
            **sublists("", n, None if self.in_place else kept, self._offsets),
            **ends,
            **sublists(
                "partner_", n, each // 2 if self.options.marked == "longer" else None, self._offsets
            ),
            "sums": Room(SCAN_CHUNKS, np.uint64),
            **work_of_blocks(n, self.xp),
            "total": Room(1, np.uint64, filled=0),
            **self._counts(),
        }

    @property
    def _offsets(self) -> Any:
        """The type of offsets in the kernel."""
        return self.graph.csr.row_offsets.dtype

    def _numbering(self) -> dict[str, Member]:
        n, by_degree = self.graph.n, self.options.order == "degree"
        by_number = by_degree and self.options.per == "edge"
        return {
            **numbering(n, longest_list(self.graph), by_degree),
            "drawn": None,
            "vertices": Room(n, np.int32) if by_number else None,
        }

    def _counts(self) -> dict[str, Member]:
        found: dict[str, Member] = dict.fromkeys(("triangles", "counts", "of_edges"))
        if self.options.per == "edge":
            found["of_edges"] = Room(self.graph.m, np.int32, filled=0)
        if self.options.per == "vertex":
            found |= {name: Room(self.graph.n, np.uint64, filled=0) for name in ("triangles", "counts")}
        return found

    def outputs(self, problem: Problem) -> dict[str, Array]:
        if self.options.per == "graph":
            return {"total": problem["total"].astype(np.int64)}
        if self.options.per == "edge":
            csr = self.graph.csr
            ends = {"sources": csr.sources(), "targets": csr.column_indices}
            return {"triangles": problem["of_edges"], **ends}
        name = "triangles" if self.options.order == "degree" else "counts"
        return {"triangles": problem[name].astype(np.int64)}


class OrientedInParts(InParts[TrianglesChosen], Oriented):
    """The same on several devices. Each has the whole graph, and takes its own vertices' share of the
    work."""

    everything = True
    part_outputs = ("total",)
    by_target = False

    @property
    def defines(self) -> Macros:
        return {**super().defines, "GR_SEVERAL": 1}

    @property
    def _offsets(self) -> Any:
        return self.part.csr.row_offsets.dtype

    def heap(self, devices: int) -> Mapping[str, Room]:
        n, found = self.graph.n, {}
        if self.options.order == "degree":
            found["numbers"] = Room(n, np.int32)
        if self.options.per == "vertex":
            found["counts"] = Room(devices * n, np.uint64, filled=0)
        return found

    def members(self) -> Mapping[str, Member]:
        drawn = Room(self.graph.n, np.int32) if self.options.order == "degree" else None
        shared = self.heap(len(self.part.bounds) - 1)
        own = {name: member for name, member in super().members().items() if name not in shared}
        return {**own, "drawn": drawn}

    def outputs(self, problem: Problem) -> dict[str, Array]:
        if self.options.per == "graph":
            return super().outputs(problem)
        return {"triangles": self.own(problem["triangles"]).astype(np.int64)}

    def finish(self, outputs: dict[str, Array]) -> dict[str, Array]:
        return {"total": outputs["total"].sum(keepdims=True)} if "total" in outputs else outputs


class TrianglesShown(Shown):
    """A value per vertex, one per entry, or one number."""

    def row_columns(self, options: TrianglesOptions) -> Mapping[str, str]:
        if options.per == "edge":
            return {"source": "sources", "target": "targets", "triangles": "triangles"}
        return {"triangles": "total"} if options.per == "graph" else {}


class Triangles(OnSeveralDevices):
    name = "triangles"
    summary = "Triangles of each vertex or edge of an undirected graph, or their number."
    takes = TrianglesOptions
    source = None
    needs = Needs(undirected=True)
    shows = TrianglesShown(vertices=("sources", "targets"))
    frontier = Frontier(advance_under=None)

    def plan(self, graph: Graph, asked: TrianglesOptions) -> Oriented:
        return Oriented(graph, choose(graph, asked))

    def plan_in_parts(self, graph: Graph, asked: TrianglesOptions) -> OrientedInParts:
        return OrientedInParts(graph, choose(graph, asked, alone=False))

    def work(self, graph: Graph, options: TrianglesOptions, outputs: dict[str, Array]) -> Work:
        if "total" in outputs:
            return Work(metrics={"triangles": sum_of(outputs["total"])})
        if "sources" in outputs:
            once = sum_of(outputs["triangles"][is_first(graph)])
            return Work(metrics={"triangles": once // 6})
        return Work(metrics={"triangles": sum_of(outputs["triangles"]) // 3})

    def traffic(self, graph: Graph, options: TrianglesOptions, work: Work) -> Traffic:
        """One direction of every edge is read; a number is written for each vertex or entry, or one."""
        written = {"vertex": 8 * graph.n, "edge": 4 * graph.m, "graph": 8}
        return Traffic(read=2 * graph.m, written=written[options.per])

    def validate(
        self, graph: Graph, options: TrianglesOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        """Compare with a product of matrices: A @ A has the number of paths of two edges between each
        two vertices, of which neighbors close a triangle."""
        if "sources" in outputs:
            return _validate_edges(graph, outputs)
        expected = triangles_of(graph)
        if "triangles" in outputs:
            return Validation.of_vertices("scipy", "triangles", outputs["triangles"], expected)
        found, total = int(outputs["total"][0]), int(expected.sum()) // 3
        if found == total:
            return Validation("pass", "scipy")
        return Validation("fail", "scipy", f"{found} triangles, expected {total}")


def _validate_edges(graph: Graph, outputs: Outputs) -> Validation:
    found, expected = np.asarray(outputs["triangles"]), triangles_of_entries(graph)
    if found.shape != expected.shape:
        return Validation("fail", "scipy", f"triangles: shape {found.shape}, expected {expected.shape}")
    wrong = np.flatnonzero(found != expected)
    sources, targets = graph.csr.sources(), graph.csr.column_indices
    shown = "; ".join(
        f"edge {sources[e]} {targets[e]}: {found[e]}, expected {expected[e]}" for e in wrong[:5]
    )
    message = f"{len(wrong)} triangles differ: {shown}" if len(wrong) else ""
    return Validation("fail" if message else "pass", "scipy", message)


def is_first(graph: Graph) -> Array:
    """True for each entry that does not repeat the one before: bool, shape (m,)."""
    sources, targets = graph.csr.sources(), graph.csr.column_indices
    fresh = graph.xp.ones(graph.m, bool)
    fresh[1:] = (sources[1:] != sources[:-1]) | (targets[1:] != targets[:-1])
    return fresh


def sum_of(counts: Array) -> int:
    """The sum of 64-bit counts as Python's integer."""
    return int(counts.sum(dtype=np.int64))


def triangles_of(graph: Graph) -> np.ndarray[Any, Any]:
    """The triangles of each vertex by SciPy's matrix product, some rows at a time: int64, shape (n,)."""
    matrix = simple_matrix(graph)
    found = np.zeros(graph.n, np.int64)
    for first, last in shares_of_product(matrix, matrix):
        rows = matrix[first:last]
        found[first:last] = (rows @ matrix).multiply(rows).sum(axis=1)
    return found // 2


def triangles_of_entries(graph: Graph) -> np.ndarray[Any, Any]:
    """The triangles of each of the graph's entries, by the same product: int64, shape (m,)."""
    matrix = simple_matrix(graph)
    found = np.zeros(graph.m, np.int64)
    csr = graph.csr
    for first, last in shares_of_product(matrix, matrix):
        rows = matrix[first:last]
        closed = (rows @ matrix).multiply(rows).tocsr()
        begin, end = int(csr.row_offsets[first]), int(csr.row_offsets[last])
        tails = np.repeat(np.arange(last - first), np.diff(csr.row_offsets[first : last + 1]))
        found[begin:end] = np.asarray(closed[tails, csr.column_indices[begin:end]]).reshape(-1)
    return found


PRIMITIVE = Triangles()
