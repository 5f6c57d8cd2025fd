"""The ways to walk: each is a kernel of ``kernels/primitives/salsa``, or one half of ``gather``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Array, Csr, Graph, array_module, to_numpy
from gunrock_cli.operators.advance import Advance
from gunrock_cli.operators.gather_all import gather_shape, kinds_of_both
from gunrock_cli.primitives.renumbering import hot_macro, numbers_of
from gunrock_cli.primitives.salsa.options import SalsaChosen
from gunrock_cli.primitives.two_sides import in_degrees, long_lists, orders_of_sides
from gunrock_cli.primitives.variant import Macros, Member, Problem, Variant

SLOTS = 4
SAVED_OF_PAIRS = (0.09, 0.09)
"""``renumbering.SAVED`` for SALSA; not measured beyond the cache, where PageRank saves more
[D-renumber-2]."""


def walks_of(graph: Graph, chosen: SalsaChosen) -> Walks:
    """The variant that these options name."""
    if chosen.by_edges:
        return Edges(graph, chosen)
    return (BothWalks if chosen.seeds is None else FromSeeds)(graph, chosen)


class Walks(Variant[SalsaChosen]):
    """The base of all variants: the answer, and when they stop."""

    answer = ("hubs", "authorities")

    @property
    def launch(self) -> Tuning:
        return gather_shape(self.graph)

    def members(self) -> Mapping[str, Member]:
        n, chosen = self.graph.n, self.options
        return {
            "hubs": Room(n, chosen.precision, filled=0),
            "authorities": Room(n, chosen.precision, filled=0),
            "changes": Room(SLOTS, np.float64, filled=0),
            "tolerance": chosen.tolerance,
            "max_iterations": chosen.max_iterations,
        }


class Gather(Walks):
    """Steps forward are gathered over in-lists, steps back over out-lists."""

    kernel = "salsa/gather"
    sides_apart = True

    @property
    def advance(self) -> Advance:
        return Advance.NONE

    @property
    def renumbers(self) -> bool:
        return self.options.by_degree

    @property
    def defines(self) -> Macros:
        return {
            "GR_LISTS": kinds_of_both(self.graph).value,
            "GR_SALSA_SEEDS": int(self.options.seeds is not None),
            **hot_macro(self.graph, self.renumbers),
        }

    def members(self) -> Mapping[str, Member]:
        graph = self.graph
        return {
            **super().members(),
            **long_lists(graph),
            **orders_of_sides(graph),
            "even": 1 / max(graph.csr.longer_than(0), 1),
        }


class BothWalks(Gather):
    """One walk begins at hubs, one at authorities; a vertex passes on a pair of shares."""

    @property
    def layout_saves(self) -> tuple[float, float]:
        return SAVED_OF_PAIRS

    def members(self) -> Mapping[str, Member]:
        pairs = Room(2 * self.graph.n, self.options.precision, filled=0)
        return {
            **super().members(),
            "hub_shares": pairs,
            "authority_shares": pairs,
            "restarts": Room(0, self.options.precision),
            "onward": 1.0,
        }

    def start(self, problem: Problem, source: int) -> None:
        problem["authority_shares"][::2] = even_shares(in_degrees(self.graph))


class FromSeeds(Gather):
    """One walk, which begins at the seeds and restarts there."""

    @property
    def restart(self) -> float:
        """The probability of a restart."""
        assert self.options.restart is not None
        return self.options.restart

    def members(self) -> Mapping[str, Member]:
        n, precision = self.graph.n, self.options.precision
        return {
            **super().members(),
            "hub_shares": Room(n, precision),
            "authority_shares": Room(n, precision, filled=0),
            "restarts": Room(n, precision),
            "onward": 1 - self.restart,
        }

    def start(self, problem: Problem, source: int) -> None:
        graph = self.graph
        assert self.options.seeds is not None
        begin = graph.xp.asarray(start_at(graph, self.options.seeds))
        problem["hub_shares"][...] = begin / graph.xp.maximum(graph.csr.degrees(), 1)
        problem["restarts"][...] = begin * self.restart


class Edges(Walks):
    """A frontier of all edges of both sides as one graph (``two_sided``), two hops per iteration."""

    kernel = "salsa/edges"

    @property
    def defines(self) -> Macros:
        return {"GR_EDGE_FRONTIER": 1}

    def members(self) -> Mapping[str, Member]:
        graph, precision = self.graph, self.options.precision
        n, m, offset = graph.n, graph.m, graph.csr.row_offsets.dtype
        assert graph.reverse is not None
        return {
            **super().members(),
            "offsets": Room(2 * n + 1, offset),
            "ends": Room(2 * m, np.int32),
            "sources": Room(2 * m, np.int32),
            "shares": Room(2 * n, precision),
            "sums": Room(2 * n, np.float64, filled=0),
            "longest": max(graph.csr.longest, graph.reverse.longest),
        }

    def allocate(self, shared: Mapping[str, Any] | None = None) -> Problem:
        sides = two_sided(self.graph)
        made = {"offsets": sides.row_offsets, "ends": sides.column_indices, "sources": sides.sources()}
        return super().allocate({**(shared or {}), **made})

    def start(self, problem: Problem, source: int) -> None:
        n = self.graph.n
        problem["shares"][:n] = even_shares(self.graph.csr.degrees())
        problem["shares"][n:] = even_shares(in_degrees(self.graph))


def even_shares(degrees: Array) -> Array:
    """The value that each vertex of a side passes on along each edge, if all vertices with edges are
    equally likely."""
    xp = array_module(degrees)
    some = xp.greater(degrees, 0)
    count = float(max(int(some.sum()), 1))  # an integer times a degree would not fit 32 bits
    return some / xp.multiply(count, degrees + ~some)


def start_at(graph: Graph, seeds: str) -> np.ndarray[Any, Any]:
    """A walk's start at the resolved ``--seeds``, by row, on the host: spread evenly over those with
    out-edges."""
    vertices = to_numpy(numbers_of(graph, graph.xp.asarray(np.array(seeds.split(","), np.int64))))
    degrees = to_numpy(graph.csr.degrees())[vertices]
    if not degrees.any():
        raise UsageError(f"--seeds {seeds[:60]}: no edge leads out of them in {graph.name}")
    start = np.zeros(graph.n)
    start[vertices[degrees > 0]] = 1 / int((degrees > 0).sum())
    return start


def two_sided(graph: Graph) -> Csr:
    """The graph of hubs and authorities: hub v is vertex v, authority v is n + v, and each edge is
    present in both directions."""
    assert graph.reverse is not None
    xp, out, into = graph.xp, graph.csr, graph.reverse
    rows = xp.concatenate([out.row_offsets, into.row_offsets[1:] + out.row_offsets.dtype.type(graph.m)])
    ends = xp.concatenate([out.column_indices + np.int32(graph.n), into.column_indices])
    return Csr(rows, ends)
