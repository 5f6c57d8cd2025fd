"""Maximal matching: edges without a common end, to which no edge can be added.

It is the locally dominant matching, with at least half of the greatest possible weight. Edges are ordered
heaviest first, then by a random rank that a seed decides, then by their ends. The matching is what a
greedy walk in this order takes, so it is the same in every run on every backend. ``mates[v]`` is v's
partner, or -1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array, Graph, row_ids
from gunrock_cli.jsontypes import Metric
from gunrock_cli.operators.launch_shapes import GATHER
from gunrock_cli.operators.lists import has_no_hubs
from gunrock_cli.primitives.base import Accesses, Primitive, Traffic, Validation, Work
from gunrock_cli.primitives.edge_weights import check_weights
from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs, Shown
from gunrock_cli.primitives.variant import Macros, Member, Variant

CHUNK = 1 << 24  # edges per pass on the host
LAST = 2**64 - 1
"""The key for no edge: past the last place in the order."""

_Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class MatchingOptions(Options):
    """The options of a matching."""

    by: Literal["weight", "random"] = option(
        "weight",
        "Which edges come first. weight: the heaviest, ties at random: at least half of the "
        "heaviest matching's weight. random: all at random, whatever they weigh.",
        changes_answer=True,
        shared=True,
    )
    priority_seed: int = option(
        0,
        "Decides what is random. The same seed gives the same matching.",
        minimum=0,
        maximum=2**32 - 1,
        changes_answer=True,
    )

    @property
    def by_weight(self) -> bool:
        """True if the heaviest edges come first."""
        return self.by == "weight"


class LocallyDominant(Variant[MatchingOptions]):
    """Two vertices that point at each other match."""

    kernel = "matching"
    answer = ("mates",)

    @property
    def defines(self) -> Macros:
        return {"GR_BY_WEIGHT": int(self.options.by_weight), "GR_HUBS": int(not has_no_hubs(self.graph))}

    @property
    def launch(self) -> Tuning:
        return GATHER

    def members(self) -> Mapping[str, Member]:
        return {
            "mates": Room(self.graph.n, np.int32, filled=-1),
            "targets": Room(self.graph.n, np.int32),
            "seed": self.options.priority_seed,
        }


class Matching(Primitive):
    name = "matching"
    summary = "Maximal matching of an undirected graph: the locally dominant one, by weight or random."
    takes = MatchingOptions
    shows = Shown(vertices=("mates",))
    source = None
    needs = Needs(weights=True, heaviest=True, undirected=True)

    def plan(self, graph: Graph, asked: MatchingOptions) -> LocallyDominant:
        if asked.by_weight:
            check_weights(graph, "a matching by weight needs weights that are not negative")
        return LocallyDominant(graph, asked)

    def work(self, graph: Graph, options: MatchingOptions, outputs: dict[str, Array]) -> Work:
        mates = outputs["mates"] if "mates" in outputs else outputs["partners"]
        metrics: dict[str, Metric] = {"size": int((mates >= 0).sum()) // 2}
        weight = matched_weight(graph, mates)
        return Work(metrics=metrics if weight is None else {**metrics, "weight": weight})

    def traffic(self, graph: Graph, options: MatchingOptions, work: Work) -> Traffic:
        """An edge for every matched pair, and their mates. Showing that the other edges must wait needs
        the weight of every edge, once."""
        size = int(work.metrics["size"])
        read = 8 * (graph.m // 2) if options.by_weight else 4 * size
        return Traffic(read=read, written=8 * size)

    def accesses(self, graph: Graph, options: MatchingOptions, work: Work) -> Accesses:
        """Every entry is read twice, with its weight if weights count, once to check whether its end is
        free."""
        row = graph.csr.row_offsets.dtype.itemsize
        entry = 8 if options.by_weight else 4
        return Accesses(2 * (entry * graph.m + row * graph.n) + 12 * graph.n, graph.m, 4 * graph.n)

    def validate(
        self, graph: Graph, options: MatchingOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        """Check a matching. A peer's ``partners``, which may differ if weights tie, need only be a
        maximal matching."""
        if "mates" not in outputs:
            return check_matching(graph, None, np.asarray(outputs["partners"]))
        return check_matching(graph, options, np.asarray(outputs["mates"]))


def matched_weight(graph: Graph, mates: Array) -> int | float | None:
    """The sum over the matched edges, the heaviest of parallel ones; None for a graph without weights."""
    values, xp = graph.csr.values, graph.xp
    if values is None:
        return None
    mates = xp.asarray(mates)
    limits: Any = np.finfo(values.dtype) if values.dtype.kind == "f" else np.iinfo(values.dtype)
    heaviest = xp.full(graph.n, limits.min, values.dtype)
    for edges, rows, columns in _chunks(graph):
        found = xp.flatnonzero((mates[rows] == columns) & (rows < columns))
        xp.maximum.at(heaviest, rows[found], values[edges][found])
    wide = np.float64 if values.dtype.kind == "f" else np.int64
    total: int | float = heaviest[mates > xp.arange(graph.n)].sum(dtype=wide).item()
    return total


def check_matching(graph: Graph, options: MatchingOptions | None, mates: _Array) -> Validation:
    """Prove that a matching is the greedy walk's: it is a matching, and no edge outside it comes before
    the matched edges at both its ends. (By induction along the order: the walk takes an edge exactly if
    it has taken none at its ends.) This takes passes over the edges, but no walk in their order. Without
    ``options``, and so without an order, check that it is a matching and that no edge could be added."""
    reference = "dominance of every edge" if options is not None else "maximality"
    vertices = np.arange(graph.n)
    far = (mates < -1) | (mates >= graph.n) | (mates == vertices)
    others = np.where((mates >= 0) & ~far, mates, vertices)
    torn = np.flatnonzero(far | ((mates >= 0) & (mates[others] != vertices)))
    if len(torn):
        return Validation(
            "fail",
            reference,
            f"{len(torn)} mates are not each other's: vertex {torn[0]} has {mates[torn[0]]}",
        )
    foremost, linked = np.full(graph.n, LAST, np.uint64), np.zeros(graph.n, bool)
    for edges, rows, columns in _chunks(graph):
        taken = np.flatnonzero(mates[rows] == columns)
        linked[rows[taken]] = True
        np.minimum.at(foremost, rows[taken], edge_keys(graph, options, edges, rows, columns)[taken])
    lone = np.flatnonzero((mates >= 0) & ~linked)
    if len(lone):
        return Validation(
            "fail", reference, f"there is no edge from vertex {lone[0]} to its mate {mates[lone[0]]}"
        )
    own_ends = _ends(vertices, others)
    for edges, rows, columns in _chunks(graph):
        keys, ends = edge_keys(graph, options, edges, rows, columns), _ends(rows, columns)
        lacking = (mates[rows] != columns) & (rows != columns)
        for tips in (rows, columns):
            tied = (keys == foremost[tips]) & (ends < own_ends[tips]) & (keys < LAST)
            earlier = (keys < foremost[tips]) | tied
            lacking &= earlier | (mates[tips] < 0)
        wrong = np.flatnonzero(lacking)
        if len(wrong):
            return Validation(
                "fail",
                reference,
                "it lacks an edge that comes before those at its ends: "
                f"from {rows[wrong[0]]} to {columns[wrong[0]]}",
            )
    return Validation("pass", reference)


def edge_keys(
    graph: Graph, options: MatchingOptions | None, edges: slice, rows: _Array, columns: _Array
) -> _Array:
    """The places of edges in the order, lowest first, with ties left to their ends: uint64. Without
    ``options`` all are last, so none comes before another."""
    if options is None:
        return np.full(len(rows), LAST, np.uint64)
    seed = np.uint32(options.priority_seed)
    low = np.minimum(rows, columns).astype(np.uint32)
    ranks = scrambled(scrambled(low ^ seed) + np.maximum(rows, columns).astype(np.uint32))
    if not options.by_weight:
        return ranks.astype(np.uint64)
    assert graph.csr.values is not None
    weights = graph.csr.values[edges]
    if weights.dtype.kind == "f":  # none is negative, so their bits sort as they do; -0 is 0
        weights = np.ascontiguousarray(weights + np.float32(0)).view(np.int32)
    return (np.int64(2**31) - weights).astype(np.uint64) << np.uint64(32) | ranks


def scrambled(x: _Array) -> _Array:
    """MurmurHash3's finalizer for uint32: ``scramble`` of kernels/math/hash.cuh."""
    x = (x ^ x >> np.uint32(16)) * np.uint32(0x85EBCA6B)
    x = (x ^ x >> np.uint32(13)) * np.uint32(0xC2B2AE35)
    return x ^ x >> np.uint32(16)


def _ends(u: _Array, v: _Array) -> _Array:
    """Both ends in one word, the smaller in the upper half."""
    return np.minimum(u, v).astype(np.int64) << 32 | np.maximum(u, v)


def _chunks(graph: Graph) -> Iterator[tuple[slice, Array, Array]]:
    """Slices of the edges, with the two ends of each edge."""
    for first in range(0, graph.m, CHUNK):
        last = min(first + CHUNK, graph.m)
        yield (
            slice(first, last),
            row_ids(graph.csr.row_offsets, first, last),
            graph.csr.column_indices[first:last],
        )


PRIMITIVE = Matching()
