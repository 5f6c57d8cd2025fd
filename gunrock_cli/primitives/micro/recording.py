"""The frontiers of a traversal, recorded once so that isolated kernels can be run over them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.model.graph import Array, Graph, row_ids, to_numpy
from gunrock_cli.primitives.base import Options, Primitive
from gunrock_cli.primitives.compile import compile_primitive
from gunrock_cli.primitives.run_options import RunOptions
from gunrock_cli.resources import kernels_dir

CHUNK = 1 << 24
"""Edges of an edge frontier that are copied at a time."""


class _Recorder(Primitive):
    """A breadth-first search that notes its frontiers (``kernels/microbench/record.cuh``)."""

    name = "record"
    summary = "The frontiers of a breadth-first search."
    kernel = kernels_dir() / "microbench" / "record.cuh"

    def problem(self, graph: Graph, options: Options) -> dict[str, Any]:
        xp = graph.xp
        return {"labels": xp.empty(graph.n, np.int32), "order": xp.empty(graph.n, np.int32), "source": 0}

    def reset(self, problem: dict[str, Any], graph: Graph, options: Options, source: int) -> None:
        problem["source"] = source
        problem["labels"].fill(-1)
        problem["labels"][source] = 0


RECORDER = _Recorder()


@dataclass
class Recording:
    """What a traversal from ``source`` found, level by level; it lies where the graph's arrays lie."""

    graph: Graph
    source: int  # the only vertex of the first level
    labels: Array  # depth of every vertex, -1 where unreached
    items: Array  # the vertices found, in the order of their frontiers
    vertex_starts: np.ndarray[Any, Any]  # where each level begins in items; levels + 1

    @classmethod
    def of(cls, graph: Graph, source: int, backend: str, threads: int | None = None) -> Recording:
        """Search from ``source``, on the backend of that name."""
        program = compile_primitive(RECORDER, graph, {}, choose_backend(backend, threads), RunOptions())
        problem = RECORDER.problem(graph, {})
        program.run(problem, lambda: RECORDER.reset(problem, graph, {}, source))
        starts = _starts(problem["labels"], graph)
        return cls(graph, source, problem["labels"], problem["order"][: int(starts[-1])].copy(), starts)

    @classmethod
    def from_labels(cls, graph: Graph, labels: Array) -> Recording:
        """From a finished search's depths; the vertices of a level come in the order of their
        numbers."""
        xp, starts = graph.xp, _starts(labels, graph)
        reached = xp.flatnonzero(labels >= 0)
        order = reached[xp.argsort(labels[reached], kind="stable")]
        return cls(graph, int(order[0]), labels, order.astype(np.int32), starts)

    @property
    def levels(self) -> int:
        """How many frontiers there are; the last may lead nowhere."""
        return len(self.vertex_starts) - 1

    @cached_property
    def rows(self) -> Array:
        """Where each vertex's list begins."""
        return self.graph.csr.row_offsets[self.items]

    @cached_property
    def _ends(self) -> Array:
        """Running sums of the lists' lengths over all frontiers: before each vertex, and in all."""
        xp = self.graph.xp
        sums = xp.zeros(len(self.items) + 1, np.int64)
        sums[1:] = xp.cumsum(self.graph.csr.degrees()[self.items], dtype=np.int64)
        return sums

    @cached_property
    def edge_starts(self) -> np.ndarray[Any, Any]:
        """Where each level's edge frontier begins among all of them; levels + 1."""
        starts = self._ends[self.graph.xp.asarray(self.vertex_starts)]
        return to_numpy(starts)

    @cached_property
    def scan(self) -> Array:
        """For each vertex, the edges before it in its own frontier."""
        starts = self.graph.xp.asarray(self.edge_starts)
        return (self._ends[:-1] - starts[self.labels[self.items]]).astype(
            self.graph.csr.row_offsets.dtype
        )

    @cached_property
    def edges(self) -> Array:
        """The edge frontiers: the neighbours of all vertices, list after list."""
        xp, total = self.graph.xp, int(self.edge_starts[-1])
        found = xp.empty(total, np.int32)
        shift = self.rows.astype(np.int64) - self._ends[:-1]
        for first in range(0, total, CHUNK):
            last = min(total, first + CHUNK)
            owners = row_ids(self._ends, first, last)
            found[first:last] = self.graph.csr.column_indices[shift[owners] + xp.arange(first, last)]
        return found


def _starts(labels: Array, graph: Graph) -> np.ndarray[Any, Any]:
    """Where each level begins among all vertices found, and the number of these."""
    sizes = to_numpy(graph.xp.bincount(labels[labels >= 0]))
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
