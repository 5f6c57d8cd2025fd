"""Betweenness centrality of a small graph from all sources in one run: each block searches from its own
source, whereas in ``bc`` the whole grid searches from one. Only the NetworkX backend uses it."""

from __future__ import annotations

import os
from collections.abc import Mapping

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.graph.model.memory import available_device_bytes
from gunrock_cli.operators.launch_shapes import SOURCES
from gunrock_cli.primitives.base import Primitive, Validation
from gunrock_cli.primitives.bc import PRIMITIVE
from gunrock_cli.primitives.bc.options import BcOptions
from gunrock_cli.primitives.bc.variants import ONE_PATH
from gunrock_cli.primitives.frontier import NO_FRONTIER
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs
from gunrock_cli.primitives.variant import Member, Problem, Variant

MOST_ROOMS = 528
"""Blocks that an H200 runs at a time, each with its own arrays."""
BYTES = 28
"""Bytes that a block's arrays take per vertex."""
MOST_VERTICES, MOST_ENTRIES = 1 << 18, 1 << 24
"""Above these sizes one search is enough work for a whole grid, and the blocks' arrays would take more
than 4 GB."""


def fits_blocks(graph: Graph) -> bool:
    """True if the graph is small enough for each block to search it on its own [D-sources-1]."""
    return graph.n <= MOST_VERTICES and graph.n + graph.m < MOST_ENTRIES


def _that_fit(n: int) -> int:
    """The number of blocks whose arrays fit in half of the free GPU memory; at least one."""
    return max(1, available_device_bytes() // 2 // (BYTES * max(1, n)))


class SearchEach(Variant[Options]):
    """Each block searches from its own source."""

    kernel = "bc/all_sources"

    @property
    def constants(self) -> Mapping[str, int]:
        return {"ONE": int(ONE_PATH)}

    @property
    def launch(self) -> Tuning:
        return SOURCES

    def members(self) -> Mapping[str, Member]:
        n = self.graph.n
        most = os.cpu_count() or 1 if self.graph.xp is np else min(MOST_ROOMS, _that_fit(n))
        rooms = min(n, most)
        return {
            "depths": Room(rooms * n, np.int32),
            "order": Room(rooms * n, np.int32),
            "level_starts": Room(rooms * (n + 2), np.int32),
            "counts": Room(rooms * n, np.uint64),
            "ratios": Room(rooms * n, np.uint64),
            "totals": Room(n, np.float64, filled=0),
            "rooms": rooms,
        }

    def outputs(self, problem: Problem) -> dict[str, Array]:
        return {"scores": problem["totals"]}


class AllSources(Primitive):
    """``scores``: the sum of ``bc``'s scores over all vertices as sources, in double precision."""

    name = "bc-all"
    summary = "Betweenness centrality from all sources, a block for each."
    takes = Options
    variant = SearchEach
    sweeps = True
    source = None
    needs = Needs(reverse=True)
    frontier = NO_FRONTIER

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        return PRIMITIVE.validate_sum(graph, BcOptions(), range(graph.n), outputs)


ALL_SOURCES = AllSources()
