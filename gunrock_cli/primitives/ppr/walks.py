"""Personalized PageRank by walks: how exact it is, and the same walks by arrays."""

from __future__ import annotations

import math

import numpy as np

from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.pick import alias_table, picked
from gunrock_cli.primitives.ppr.options import PprChosen, seeds_of

STARTS, PICKS, STOPS = 0, 1, 2
"""Streams of random words."""
UNCERTAIN = 0.05
"""The chance that a rank is off by more than the metric ``error``."""
AT_ONCE = 1 << 20


def error_of(n: int, walks: int) -> float:
    """A bound of the error of every rank, by Hoeffding: each is a mean of independent numbers from 0 to
    1."""
    return math.sqrt(math.log(2 * max(1, n) / UNCERTAIN) / (2 * walks))


def ends_of_walks(graph: Graph, options: PprChosen, source: int | None) -> Array:
    """How many walks end at each vertex, by the same random words as the kernel's: int64, shape (n,), in
    the graph's memory."""
    assert options.walks is not None
    ends = graph.xp.zeros(graph.n, np.int64)
    for first in range(0, options.walks, AT_ONCE):
        count = min(AT_ONCE, options.walks - first)
        _walk(graph, options, source, graph.xp.arange(first, first + count), ends)
    return ends


def _walk(graph: Graph, options: PprChosen, source: int | None, walks: Array, ends: Array) -> None:
    """Follow walks of these numbers, all of them a step at a time."""
    xp, csr, seed = graph.xp, graph.csr, options.walk_seed
    assert seed is not None
    seeds = xp.asarray(seeds_of(options, source), np.int64)
    table = alias_table(graph) if options.weighted else None
    numbers = walks.astype(np.uint64) << np.uint64(32)
    here = xp.full(len(walks), -1, np.int64)
    while len(here):
        starts = rng.scaled_wide(xp, rng.hash_counters(xp, numbers, seed, STARTS), len(seeds))
        here = xp.where(here < 0, seeds[starts], here)
        on = rng.bernoulli(xp, rng.hash_counters(xp, numbers, seed, STOPS), options.damping)
        ends += xp.bincount(here[~on], minlength=graph.n)
        here, numbers = here[on], numbers[on]
        begin = csr.row_offsets[here].astype(np.int64)
        length = csr.row_offsets[here + 1].astype(np.int64) - begin
        entries = picked(xp, begin, length, rng.hash_counters(xp, numbers, seed, PICKS), table)
        here = xp.full(len(entries), -1, np.int64)
        here[entries >= 0] = csr.column_indices[entries[entries >= 0]]
        numbers += np.uint64(1)
