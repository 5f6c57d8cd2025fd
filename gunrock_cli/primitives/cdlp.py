"""Communities by label propagation, as LDBC Graphalytics defines it: in each of a number of iterations
every vertex takes the label that most of its neighbors have, of several the smallest.

With ``--asynchronous`` an iteration has two steps, in each of which half of the vertices take labels;
which half is drawn again in each iteration. A vertex keeps its label if none is more frequent. If an
iteration then changes nothing, each vertex has one of the labels that most of its neighbors have.

``communities[v]`` is v's label, a vertex."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.graph.model.ranges import shares
from gunrock_cli.operators.launch_shapes import COUNT_KEYS
from gunrock_cli.operators.lists import most_entries
from gunrock_cli.primitives.base import Accesses, Primitive, Traffic, Validation, Work
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.matching import scrambled
from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs, Shown
from gunrock_cli.primitives.variant import Macros, Member, Problem, Variant

_Numbers = np.ndarray[Any, Any]
ROOMLESS = 512
"""The kernel's longest list that needs no table in global memory."""
_ENTRIES_AT_ONCE = 1 << 22
"""The most entries of lists that the reference multiplies at once."""


@dataclass(frozen=True)
class CdlpOptions(Options):
    """The options of label propagation."""

    max_iterations: int = option(
        10, "Take labels this many times.", minimum=0, changes_answer=True, shared=True
    )
    asynchronous: bool = option(
        False,
        "Half of the vertices at a time, each of which keeps its label if none is more frequent: most "
        "graphs settle, given enough iterations.",
        changes_answer=True,
        own=True,
    )


class Propagation(Variant[CdlpOptions]):
    """All vertices take labels at once."""

    kernel = "cdlp"

    @property
    def launch(self) -> Tuning:
        return COUNT_KEYS

    @property
    def defines(self) -> Macros:
        return {
            "GR_DIRECTED": int(not self.graph.undirected),
            "GR_ASYNCHRONOUS": int(self.options.asynchronous),
        }

    @property
    def constants(self) -> Mapping[str, int]:
        return {"ROOMLESS": ROOMLESS}

    @cached_property
    def _lengths(self) -> Array:
        """The lengths of all lists, of a directed graph in both directions."""
        lengths = self.graph.csr.degrees().astype(np.int64)
        if not self.graph.undirected:
            lengths = lengths + self.graph.reverse.degrees()  # type: ignore[union-attr]
        return lengths

    def members(self) -> Mapping[str, Member]:
        graph, lengths = self.graph, self._lengths
        n, joined = graph.n, not graph.undirected
        slots = 2 * int(lengths[lengths > ROOMLESS].sum())
        return {
            "labels": Room(2 * n, np.int32),
            "offsets": Room(n + 1, graph.csr.row_offsets.dtype) if joined else None,
            "columns": Room(2 * graph.m, np.int32) if joined else None,
            "longest": int(lengths.max()) if n else 0,
            "long_lists": Room(n, np.int32),
            "places": Room(n, np.int64) if slots else None,
            "slot_keys": Room(slots, np.int32) if slots else None,
            "slot_counts": Room(slots, np.int32) if slots else None,
            "iterations": self.options.max_iterations,
            "done": Room(1, np.uint64, filled=0),
        }

    def outputs(self, problem: Problem) -> dict[str, Array]:
        done = int(problem["done"][0])
        last = 0 if self.options.asynchronous else done % 2
        labels = problem["labels"].reshape(2, self.graph.n)[last]
        return {"communities": labels, "done": problem["done"]}


class Cdlp(Primitive):
    name = "cdlp"
    summary = "Communities by label propagation, in step (LDBC Graphalytics' CDLP)."
    takes = CdlpOptions
    variant = Propagation
    sweeps = True
    shows = Shown(vertices=("communities",))
    source = None
    needs = Needs(reverse=True)
    frontier = Frontier(queued=False, advance_under=None)

    def plan(self, graph: Graph, asked: CdlpOptions) -> Propagation:
        if not graph.undirected and 2 * graph.m > most_entries(graph):
            raise UsageError(
                f"cdlp: a directed graph of {graph.m} edges has lists of {2 * graph.m} "
                f"neighbors, and {most_entries(graph)} are the most; use --undirected"
            )
        return Propagation(graph, asked)

    def work(self, graph: Graph, options: CdlpOptions, outputs: dict[str, Array]) -> Work:
        labels = outputs["communities"]
        sizes = graph.xp.bincount(labels) if graph.n else np.zeros(0, np.int64)
        found = Work(
            metrics={
                "communities": int((sizes > 0).sum()),
                "largest_community": int(sizes.max()) if graph.n else 0,
            }
        )
        return replace(found, iterations=int(outputs["done"][0])) if "done" in outputs else found

    def finish_work(self, work: Work, options: CdlpOptions, steps: int, mean_ms: float) -> Work:
        if not work.iterations:
            return work
        return replace(work, metrics={**work.metrics, "iteration_ms": mean_ms / work.iterations})

    def traffic(self, graph: Graph, options: CdlpOptions, work: Work) -> Traffic:
        """Every entry is read in every iteration, and every label read and written."""
        passes = work.iterations or 0
        return Traffic(read=4 * self._entries(graph) + 4 * graph.n, written=4 * graph.n, passes=passes)

    def accesses(self, graph: Graph, options: CdlpOptions, work: Work) -> Accesses:
        """In every iteration the label of every entry is gathered; rows are read too."""
        entries, row = self._entries(graph), graph.csr.row_offsets.dtype.itemsize
        moved = 4 * entries + (row + 8) * graph.n
        return Accesses(moved, entries, 4 * graph.n, passes=work.iterations or 0)

    def validate(
        self, graph: Graph, options: CdlpOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        expected = labels_of(graph, options.max_iterations, options.asynchronous)
        return Validation.of_vertices("scipy", "communities", outputs["communities"], expected)

    @staticmethod
    def _entries(graph: Graph) -> int:
        return graph.m if graph.undirected else 2 * graph.m


def labels_of(graph: Graph, iterations: int, asynchronous: bool = False) -> _Numbers:
    """Labels after some iterations: int32, shape (n,). Counts are a product of matrices: of the vertices'
    neighbors, and of their labels."""
    from scipy.sparse import csr_array

    n, tails, heads = graph.n, graph.csr.sources(), graph.csr.column_indices
    if not graph.undirected:
        tails, heads = np.concatenate((tails, heads)), np.concatenate((heads, tails))
    neighbors = csr_array((np.ones(len(tails), np.int64), (tails, heads)), shape=(n, n))
    labels = np.arange(n, dtype=np.int32)
    for iteration in range(iterations):
        before = labels
        if asynchronous:
            side = halves(n, iteration)
            for turn in (0, 1):
                own, labels = labels, labels.copy()
                whose = np.flatnonzero(side == turn)
                labels[whose] = _commonest(neighbors[whose], own, own[whose], keep=True)
        else:
            labels = _commonest(neighbors, labels, labels, keep=False)
        if np.array_equal(before, labels):
            break
    return labels


def halves(n: int, iteration: int) -> _Numbers:
    """The step of an asynchronous iteration in which each vertex takes a label, 0 or 1: ``has_turn`` of
    kernels/primitives/cdlp.cuh."""
    with np.errstate(over="ignore"):
        mixed = np.arange(n, dtype=np.uint32) ^ scrambled(np.array([iteration], np.uint32))
        return (scrambled(mixed) & np.uint32(1)).astype(np.int64)


def _commonest(neighbors: Any, labels: _Numbers, own: _Numbers, keep: bool) -> _Numbers:
    """The label that most of each row's neighbors have, of several the smallest or, if ``keep``, the
    row's own; ``own`` for a row without neighbors."""
    from scipy.sparse import csr_array

    n, found = len(labels), own.copy()
    with_label = csr_array((np.ones(n, np.int64), labels, np.arange(n + 1)), shape=(n, n))
    for first, last in shares(np.diff(neighbors.indptr), _ENTRIES_AT_ONCE):
        counts = (neighbors[first:last] @ with_label).tocsr()
        counts.sort_indices()
        some = np.flatnonzero(np.diff(counts.indptr))
        rows = np.repeat(np.arange(last - first), np.diff(counts.indptr))
        most = np.zeros(last - first, np.int64)
        np.maximum.at(most, rows, counts.data)
        places = np.flatnonzero(counts.data == most[rows])
        _, foremost = np.unique(rows[places], return_index=True)
        found[first + some] = counts.indices[places[foremost]]
        if keep:
            kept = first + rows[places[counts.indices[places] == own[first + rows[places]]]]
            found[kept] = own[kept]
    return found


PRIMITIVE = Cdlp()
