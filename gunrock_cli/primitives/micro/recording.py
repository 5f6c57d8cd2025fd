"""The frontiers of a traversal, recorded once so that isolated kernels can run over them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.engine.room import Room
from gunrock_cli.graph.model.graph import Array, Graph, row_ids, to_numpy
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.compile import compile_variant
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.run_options import RunOptions
from gunrock_cli.primitives.variant import Member, Problem, Variant
from gunrock_cli.resources import kernels_dir

CHUNK = 1 << 24
"""Edges of an edge frontier that are copied at a time."""


class Search(Variant[Options]):
    """A breadth-first search that notes its frontiers."""

    kernel = kernels_dir() / "microbench" / "record.cuh"

    def members(self) -> Mapping[str, Member]:
        n = self.graph.n
        return {"labels": Room(n, np.int32, filled=-1), "order": Room(n, np.int32), "source": 0}

    def start(self, problem: Problem, source: int) -> None:
        problem["labels"][source] = 0


class _Recorder(Primitive):
    name = "record"
    summary = "The frontiers of a breadth-first search."
    takes = Options
    variant = Search


RECORDER = _Recorder()


@dataclass
class Recording:
    """The vertices that a traversal from ``source`` found, level by level, in the memory of the graph's
    arrays."""

    graph: Graph
    source: int  # the only vertex of the first level
    labels: Array  # depth of every vertex, -1 if unreached
    items: Array  # the vertices found, in the order of their frontiers
    vertex_starts: np.ndarray[Any, Any]  # where each level begins in items; shape (levels + 1,)

    @classmethod
    def of(cls, graph: Graph, source: int, backend: str, threads: int | None = None) -> Recording:
        """Search from ``source``, on the backend of that name."""
        search = Search(graph, Options())
        program = compile_variant(RECORDER, search, choose_backend(backend, threads), RunOptions())
        problem = search.allocate()
        program.run(problem, lambda: search.reset(problem, source))
        starts = _starts(problem["labels"], graph)
        return cls(graph, source, problem["labels"], problem["order"][: int(starts[-1])].copy(), starts)

    @classmethod
    def from_labels(cls, graph: Graph, labels: Array) -> Recording:
        """Make a recording from a finished search's depths; the vertices of a level are in the order of
        their numbers."""
        xp, starts = graph.xp, _starts(labels, graph)
        reached = xp.flatnonzero(labels >= 0)
        order = reached[xp.argsort(labels[reached], kind="stable")]
        return cls(graph, int(order[0]), labels, order.astype(np.int32), starts)

    @property
    def levels(self) -> int:
        """The number of frontiers; the last may lead nowhere."""
        return len(self.vertex_starts) - 1

    @cached_property
    def rows(self) -> Array:
        """The offset of each vertex's list."""
        return self.graph.csr.row_offsets[self.items]

    @cached_property
    def _ends(self) -> Array:
        """Running sums of the lists' lengths over all frontiers: before each vertex, and the total."""
        xp = self.graph.xp
        sums = xp.zeros(len(self.items) + 1, np.int64)
        sums[1:] = xp.cumsum(self.graph.csr.degrees()[self.items], dtype=np.int64)
        return sums

    @cached_property
    def edge_starts(self) -> np.ndarray[Any, Any]:
        """The offset of each level's edge frontier among all of them; shape (levels + 1,)."""
        starts = self._ends[self.graph.xp.asarray(self.vertex_starts)]
        return to_numpy(starts)

    @cached_property
    def scan(self) -> Array:
        """The number of edges before each vertex in its own frontier."""
        starts = self.graph.xp.asarray(self.edge_starts)
        return (self._ends[:-1] - starts[self.labels[self.items]]).astype(
            self.graph.csr.row_offsets.dtype
        )

    @cached_property
    def edges(self) -> Array:
        """The edge frontiers: the neighbors of all vertices, list after list."""
        xp, total = self.graph.xp, int(self.edge_starts[-1])
        found = xp.empty(total, np.int32)
        shift = self.rows.astype(np.int64) - self._ends[:-1]
        for first in range(0, total, CHUNK):
            last = min(total, first + CHUNK)
            owners = row_ids(self._ends, first, last)
            found[first:last] = self.graph.csr.column_indices[shift[owners] + xp.arange(first, last)]
        return found


def _starts(labels: Array, graph: Graph) -> np.ndarray[Any, Any]:
    """The offset of each level among all vertices found, and the number of these vertices."""
    sizes = to_numpy(graph.xp.bincount(labels[labels >= 0]))
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
