"""Topological levels: the number of edges on the longest path to each vertex.

``levels[v]`` is v's, -1 if a cycle leads to v. ``order`` has the vertices by level, those without a level
left out. ``cycle`` is a cycle, in the order of its edges, of a graph that has one; otherwise empty."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array, Graph, to_numpy
from gunrock_cli.graph.model.ranges import ranges
from gunrock_cli.operators.launch_shapes import LEVELS
from gunrock_cli.primitives.base import Accesses, Primitive, Traffic, Validation, Work
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs
from gunrock_cli.primitives.variant import Member, Problem, Variant

_Numbers = np.ndarray[Any, Any]
UNORDERED = -1
"""The kernel's level of a vertex to which a cycle leads."""


SHOWN = 8
"""The most vertices of a cycle that a record shows."""


class ByLevels(Variant[Options]):
    """A level is what no edge enters any more."""

    kernel = "toposort"

    @property
    def launch(self) -> Tuning:
        return LEVELS

    @property
    def constants(self) -> Mapping[str, int]:
        return {"UNORDERED": UNORDERED}

    def members(self) -> Mapping[str, Member]:
        n = self.graph.n
        return {
            "waiting": Room(n, self.graph.csr.row_offsets.dtype),
            "levels": Room(n, np.int32, filled=UNORDERED),
        }

    def outputs(self, problem: Problem) -> dict[str, Array]:
        levels, xp = problem["levels"], self.xp
        unordered = int((levels < 0).sum())
        order = xp.argsort(levels, kind="stable")[unordered:].astype(np.int32)
        cycle = cycle_of(self.graph, levels) if unordered else np.zeros(0, np.int32)
        return {"levels": levels, "order": order, "cycle": xp.asarray(cycle)}


class Toposort(Primitive):
    name = "toposort"
    summary = "Topological levels of a directed graph, or a cycle."
    variant = ByLevels
    source = None
    needs = Needs(reverse=True, directed=True)

    def work(self, graph: Graph, options: Options, outputs: dict[str, Array]) -> Work:
        levels, cycle = outputs["levels"], to_numpy(outputs.get("cycle", np.zeros(0, np.int32)))
        return Work(
            metrics={
                "levels": int(levels.max()) + 1 if graph.n else 0,
                "first": int((levels == 0).sum()),
                "unordered": int((levels < 0).sum()),
                **({"cycle_length": len(cycle), "cycle": _shown(cycle)} if len(cycle) else {}),
            }
        )

    def traffic(self, graph: Graph, options: Options, work: Work) -> Traffic:
        """A word shows of each vertex that an edge enters it, or that none does, and levels are
        written."""
        return Traffic(read=4 * graph.n, written=4 * (graph.n - int(work.metrics["unordered"])))

    def accesses(self, graph: Graph, options: Options, work: Work) -> Accesses:
        """Every edge is walked, and takes an atomic."""
        row = graph.csr.row_offsets.dtype.itemsize
        return Accesses(4 * graph.m + (3 * row + 4) * graph.n, graph.m, row * graph.n)

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        found = Validation.of_vertices("numpy", "levels", outputs["levels"], levels_of(graph))
        wrong = wrong_cycle(graph, outputs) if found.verdict == "pass" else ""
        return Validation("fail", "numpy", wrong) if wrong else found


def _shown(cycle: _Numbers) -> str:
    """The first vertices of a cycle, as text."""
    first = [str(v) for v in cycle[:SHOWN].tolist()]
    return " -> ".join([*first, str(cycle[0]) if len(cycle) <= SHOWN else "..."])


def levels_of(graph: Graph) -> _Numbers:
    """Levels by walking the edges out of a level at once, round by round: int32, shape (n,)."""
    return levels_of_rows(graph.csr.row_offsets, graph.csr.column_indices)


def levels_of_rows(offsets: _Numbers, columns: _Numbers) -> _Numbers:
    """``levels_of`` rows of out-edges."""
    n = len(offsets) - 1
    waiting = np.bincount(columns, minlength=n)
    levels, level = np.full(n, UNORDERED, np.int32), 0
    leaving = np.flatnonzero(waiting == 0)
    while len(leaving):
        levels[leaving] = level
        entries = ranges(offsets[leaving], offsets[leaving + 1] - offsets[leaving])
        met, times = np.unique(columns[entries], return_counts=True)
        waiting[met] -= times
        leaving, level = met[waiting[met] == 0], level + 1
    return levels


def cycle_of(graph: Graph, levels: Array) -> _Numbers:
    """A cycle among vertices without a level, of which each follows another: the vertices in the order of
    its edges, int32, from the smallest."""
    csr = graph.csr
    tails, unordered = csr.sources(), levels < 0
    there = unordered[tails] & unordered[csr.column_indices]
    tails, heads = to_numpy(tails[there])[::-1], to_numpy(csr.column_indices[there])[::-1]
    before = np.full(graph.n, -1, np.int64)
    before[heads] = tails  # the smallest, which comes last
    v = int(heads.min())
    seen: dict[int, int] = {}
    while v not in seen:
        seen[v] = len(seen)
        v = int(before[v])
    backward = np.array(list(seen)[seen[v] :], np.int32)
    return np.roll(backward[::-1], -int(backward[::-1].argmin()))


def wrong_cycle(graph: Graph, outputs: Mapping[str, Any]) -> str:
    """The fault of a cycle, by the graph and by who has a level; empty without one, or without such an
    output."""
    if "cycle" not in outputs:
        return ""
    cycle, missing = to_numpy(outputs["cycle"]), int((outputs["levels"] < 0).sum())
    if not len(cycle):
        return f"no cycle is shown that leads to {missing} vertices" if missing else ""
    if cycle.min() < 0 or cycle.max() >= graph.n:
        return "the cycle has vertices that there are not"
    csr = graph.csr
    for u, v in zip(cycle.tolist(), np.roll(cycle, -1).tolist(), strict=True):
        row = csr.column_indices[int(csr.row_offsets[u]) : int(csr.row_offsets[u + 1])]
        if not bool((row == v).any()):
            return f"the cycle has no edge from {u} to {v}"
    return ""


PRIMITIVE = Toposort()
