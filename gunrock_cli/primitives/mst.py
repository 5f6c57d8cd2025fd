"""Minimum spanning forest: for every component, the lightest edges that hold it together.

Among equal weights the edge with the smaller ends comes first (by the smaller end, then the larger), so
the forest is the same in every run on every backend. ``sources[i] < targets[i]`` are the ends of its
edges, sorted, and ``weights`` their weights. (The kernel stores each edge with a vertex; the edges are
sorted after the clock has stopped.)"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.launch_shapes import FOREST, GATHER
from gunrock_cli.operators.lists import has_no_hubs
from gunrock_cli.primitives.base import Accesses, Primitive, Traffic, Validation, Work
from gunrock_cli.primitives.edge_weights import check_weights
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs, Shown
from gunrock_cli.primitives.variant import Macros, Member, Problem, Variant

NO_EDGE = 2**64 - 1
"""The kernel's choice for a vertex left without an edge."""
_SIGN = 2**31

_Array = np.ndarray[Any, Any]


class Boruvka(Variant[Options]):
    """Every tree takes its lightest edge, round by round."""

    kernel = "mst"

    @property
    def constants(self) -> Mapping[str, int]:
        return {"NO_EDGE": NO_EDGE}

    @cached_property
    def packing(self) -> Packing:
        """The layout of an edge in one word."""
        return Packing.of(self.graph)

    @property
    def defines(self) -> Macros:
        return {"GR_HUBS": int(not has_no_hubs(self.graph)), "GR_PACKED": int(self.packing.fits)}

    @property
    def launch(self) -> Tuning:
        return FOREST if has_no_hubs(self.graph) else GATHER  # [D-shape-2]

    def members(self) -> Mapping[str, Member]:
        n = self.graph.n
        return {
            "parents": Room(n, np.int32),
            "lightest": Room(n, np.uint64),
            "choices": Room(n, np.uint64, filled=NO_EDGE),
            "weights": Room(0 if self.packing.fits else n, np.uint32),
            "least_order": self.packing.least,
            "end_bits": self.packing.end_bits,
        }

    def start(self, problem: Problem, source: int) -> None:
        problem["parents"][...] = self.graph.xp.arange(self.graph.n, dtype=np.int32)

    def outputs(self, problem: Problem) -> dict[str, Array]:
        xp = self.graph.xp
        chosen = xp.flatnonzero(xp.not_equal(problem["choices"], np.uint64(NO_EDGE)))
        ends = problem["choices"][chosen]
        if self.packing.fits:
            ends, keys = self.packing.unpack(ends)
        else:
            keys = problem["weights"][chosen]
        order = xp.argsort(ends)
        ends, keys = ends[order], keys[order]
        sources, targets = ends >> np.uint64(32), ends & np.uint64(0xFFFFFFFF)
        return {
            "sources": sources.astype(np.int32),
            "targets": targets.astype(np.int32),
            "weights": _from_order(xp, keys, self.graph.csr.values),
        }


class Mst(Primitive):
    name = "mst"
    summary = "Minimum spanning forest of an undirected graph: its edges, ties broken by their ends."
    shows = Shown(
        vertices=("sources", "targets"),
        rows=MappingProxyType({"source": "sources", "target": "targets", "weight": "weights"}),
    )
    source = None
    needs = Needs(weights=True, undirected=True)
    frontier = Frontier(advance_under=None)

    def plan(self, graph: Graph, asked: Options) -> Boruvka:
        check_weights(graph)
        return Boruvka(graph, asked)

    def work(self, graph: Graph, options: Options, outputs: dict[str, Array]) -> Work:
        weights = outputs["weights"]
        total = weights.sum(dtype=np.float64 if weights.dtype.kind == "f" else np.int64)
        return Work(metrics={"weight": total.item(), "edges": len(weights)})

    def traffic(self, graph: Graph, options: Options, work: Work) -> Traffic:
        """One direction of every edge is read with its weight, to know whether it is too heavy; a number
        is written for each chosen edge."""
        return Traffic(read=8 * (graph.m // 2), written=4 * int(work.metrics["edges"]))

    def accesses(self, graph: Graph, options: Options, work: Work) -> Accesses:
        """Every entry is read with its weight, and once more with its end's tree."""
        row = graph.csr.row_offsets.dtype.itemsize
        return Accesses(2 * (8 * graph.m + row * graph.n) + 24 * graph.n, graph.m, 4 * graph.n)

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        """Check our forest edge by edge against SciPy's; a peer's, which may break ties differently, by
        its sorted weights, which all minimum forests share."""
        expected = spanning_forest(graph)
        name = "scipy, ranked edges"
        weights = np.asarray(outputs["weights"])
        if len(weights) != len(expected[2]):
            return Validation("fail", name, f"{len(weights)} edges, expected {len(expected[2])}")
        if "sources" not in outputs:
            return _compared(name, ("weights, ascending",), (np.sort(weights),), (np.sort(expected[2]),))
        names = ("sources", "targets", "weights")
        return _compared(name, names, tuple(np.asarray(outputs[each]) for each in names), expected)


@dataclass(frozen=True)
class Packing:
    """The layout of an edge in one word: its weight, counted from the smallest, above its ends."""

    least: int  # weight_order of the lightest edge
    weight_bits: int
    end_bits: int

    @classmethod
    def of(cls, graph: Graph) -> Packing:
        values = graph.csr.values
        end_bits = max(graph.n - 1, 1).bit_length()
        if values is None or graph.m == 0:
            return cls(0, 0, end_bits)
        if values.dtype.kind == "f":
            return cls(0, 32, end_bits)
        least, greatest = int(values.min()), int(values.max())
        return cls(least + _SIGN, (greatest - least).bit_length(), end_bits)

    @property
    def fits(self) -> bool:
        """One bit stays free, so that no edge equals NO_EDGE."""
        return self.weight_bits + 2 * self.end_bits < 64

    def unpack(self, choices: Array) -> tuple[Array, Array]:
        """The ends, the smaller in the upper half of a word, and the weight_order of each edge."""
        bits = np.uint64(self.end_bits)
        mask = np.uint64(2**self.end_bits - 1)
        ends = (choices >> bits & mask) << np.uint64(32) | choices & mask
        return ends, (choices >> bits + bits).astype(np.uint32) + np.uint32(self.least)


def _from_order(xp: Any, keys: Array, values: Array | None) -> Array:
    """The weights for the kernel's weight_order."""
    positive = keys >= np.uint32(_SIGN)
    flipped = keys ^ np.uint32(_SIGN)
    if values is not None and values.dtype.kind == "f":
        flipped = xp.where(positive, flipped, ~keys)
        return flipped.view(np.float32)
    return flipped.view(np.int32)


def spanning_forest(graph: Graph) -> tuple[_Array, _Array, _Array]:
    """(sources, targets, weights) of the forest, by SciPy's Kruskal over the edges' ranks: without ties
    the forest is unique, and no rank is 0, which SciPy reads as no edge."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import minimum_spanning_tree

    sources, targets, weights = lightest_pairs(graph)
    ranks = np.empty(len(weights))
    ranks[np.argsort(weights, kind="stable")] = np.arange(1, len(weights) + 1)
    starts = np.searchsorted(sources, np.arange(graph.n + 1))
    matrix = csr_array((ranks, targets, starts), shape=(graph.n, graph.n))
    found: Any = minimum_spanning_tree(matrix).tocoo() if graph.n else matrix.tocoo()
    order = np.lexsort((found.coords[1], found.coords[0]))
    chosen = np.empty(len(weights), np.int64)
    chosen[ranks.astype(np.int64) - 1] = np.arange(len(weights))
    chosen = chosen[found.data[order].astype(np.int64) - 1]
    return sources[chosen], targets[chosen], weights[chosen]


def lightest_pairs(graph: Graph) -> tuple[_Array, _Array, _Array]:
    """Every pair of neighbors once, the smaller first, in the order of the rows, with the smallest weight
    between them."""
    csr = graph.csr
    assert csr.values is not None
    every = csr.sources()
    upward = every < csr.column_indices
    sources, targets, weights = every[upward], csr.column_indices[upward], csr.values[upward]
    if not len(sources):
        return sources, targets, weights
    fresh = np.ones(len(sources), bool)
    fresh[1:] = (sources[1:] != sources[:-1]) | (targets[1:] != targets[:-1])
    if fresh.all():
        return sources, targets, weights
    return (sources[fresh], targets[fresh], np.minimum.reduceat(weights, np.flatnonzero(fresh)))


def _compared(
    reference: str, names: tuple[str, ...], found: tuple[_Array, ...], expected: tuple[_Array, ...]
) -> Validation:
    wrong = np.flatnonzero(np.any([a != b for a, b in zip(found, expected, strict=True)], axis=0))
    if not len(wrong):
        return Validation("pass", reference)
    shown = "; ".join(
        f"edge {i}: {', '.join(str(each[i]) for each in found)}, expected "
        f"{', '.join(str(each[i]) for each in expected)}"
        for i in wrong[:5]
    )
    return Validation(
        "fail", reference, f"{len(wrong)} of the forest's edges differ ({', '.join(names)}): {shown}"
    )


PRIMITIVE = Mst()
