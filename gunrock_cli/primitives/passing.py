"""How vertices pass their ranks on: evenly, or by the weights of their out-edges
(``kernels/primitives/pagerank/shares.cuh``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.chunks import chunks
from gunrock_cli.graph.model.graph import Array, Csr, Graph, array_module, row_ids
from gunrock_cli.graph.model.memory import require_memory
from gunrock_cli.primitives.edge_weights import check_weights
from gunrock_cli.primitives.renumbering import ChosenOrder, Order


@dataclass(frozen=True)
class Passing:
    """``parts``: of each in-edge, the part of its source's rank that it takes. ``passes``: of each
    vertex, 0 if its out-edges weigh nothing, else 1. Both are None if edges take equal shares."""

    graph: Graph
    parts: Array | None = None
    passes: Array | None = None

    @classmethod
    def of(cls, graph: Graph, weighted: bool, precision: str) -> Self:
        if not weighted:
            return cls(graph)
        sums = out_weights(graph.csr)
        return cls(graph, _parts(graph, sums, precision), (sums > 0).astype(np.uint8))

    @property
    def shares(self) -> Array:
        """The number of shares of each vertex's rank; 0 if it passes nothing on."""
        return self.graph.csr.degrees() if self.passes is None else self.passes

    @property
    def dangling(self) -> int:
        """The number of vertices that pass nothing on."""
        if self.passes is None:
            return self.graph.n - self.graph.csr.longer_than(0)
        return int(self.graph.n - self.passes.sum(dtype=np.int64))

    def members(self) -> dict[str, Array | None]:
        """The members of ``Problem``."""
        return {"parts": self.parts, "passes": self.passes}


def weighted_macro(weighted: bool) -> dict[str, str | int]:
    """The macro of a kernel that follows weights."""
    return {"GR_WEIGHTED": 1} if weighted else {}


def order_of_weighted(graph: Graph, given: Order) -> ChosenOrder:
    """The resolved ``--order`` of a run that follows weights: the graph's. UsageError for another one,
    and InputError for weights that ranks cannot follow."""
    if given == "degree":
        raise UsageError("--order degree does not go with --weighted; leave one of them out")
    check_weights(graph, "ranks need weights that are not negative")
    return "graph"


def out_weights(rows: Csr) -> Array:
    """The sum of the weights in each row, float64 of shape (n,)."""
    xp = array_module(rows.row_offsets)
    assert rows.values is not None
    sums = xp.zeros(rows.n, np.float64)
    for first, count in chunks(xp, rows.m):
        ids = row_ids(rows.row_offsets, first, first + count)
        low = int(ids[0])
        found = xp.bincount(ids - low, weights=rows.values[first : first + count])
        sums[low : low + len(found)] += found
    return sums


def _parts(graph: Graph, sums: Array, precision: str) -> Array:
    back, xp = graph.reverse, graph.xp
    assert back is not None
    assert back.values is not None
    require_memory(
        xp, graph.m * np.dtype(precision).itemsize, f"{graph.name}: parts of {graph.m} directed edges"
    )
    parts, divisors = xp.empty(graph.m, precision), xp.where(sums > 0, sums, 1)
    for first, count in chunks(xp, graph.m):
        last = first + count
        parts[first:last] = back.values[first:last] / divisors[back.column_indices[first:last]]
    return parts
