"""Betweenness centrality of a small graph from all sources in one run: each block searches from a source
of its own, where ``bc`` has the whole grid search from one. The NetworkX backend asks for it; no command
does."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.memory import available_device_bytes
from gunrock_cli.graph.model import Array, Graph
from gunrock_cli.operators.launch_shapes import SOURCES
from gunrock_cli.primitives.base import Options, Outputs, Primitive, Validation
from gunrock_cli.primitives.bc import PRIMITIVE
from gunrock_cli.primitives.bc.variants import ONE_PATH
from gunrock_cli.resources import kernels_dir

MOST_ROOMS = 528
"""Blocks that an H200 runs at a time; each has its own arrays."""
BYTES = 28
"""The size of these arrays for each vertex."""
MOST_VERTICES, MOST_ENTRIES = 1 << 18, 1 << 24
"""Beyond these sizes one search is enough work for a whole grid, and the blocks' arrays would take more
than 4 GB."""


def fits_blocks(graph: Graph) -> bool:
    """Whether each block may search this graph on its own [D-sources-1]."""
    return graph.n <= MOST_VERTICES and graph.n + graph.m < MOST_ENTRIES


def _that_fit(n: int) -> int:
    """How many blocks' arrays fit in half of the memory that a GPU has left; at least one."""
    return max(1, available_device_bytes() // 2 // (BYTES * max(1, n)))


class AllSources(Primitive):
    """``scores``: the sum of ``bc``'s over all vertices as sources, added up in double precision."""

    name = "bc-all"
    summary = "Betweenness centrality from all sources, a block for each."
    sweeps = True
    needs_source = False
    needs_reverse = True
    queue_factor = 0.0
    advance_under = None

    def constants(self, graph: Graph, options: Options) -> dict[str, int]:
        return {"ONE": int(ONE_PATH)}

    def kernel_file(self, graph: Graph, options: Options) -> Path:
        return kernels_dir() / "primitives" / "bc" / "all_sources.cuh"

    def launch(self, graph: Graph, options: Options) -> Tuning | None:
        return SOURCES

    def problem(self, graph: Graph, options: Options) -> dict[str, Array | int | float]:
        xp, n = graph.xp, graph.n
        most = os.cpu_count() or 1 if xp is np else min(MOST_ROOMS, _that_fit(n))
        rooms = min(n, most)
        return {
            "depths": xp.empty(rooms * n, np.int32),
            "order": xp.empty(rooms * n, np.int32),
            "level_starts": xp.empty(rooms * (n + 2), np.int32),
            "counts": xp.empty(rooms * n, np.uint64),
            "ratios": xp.empty(rooms * n, np.uint64),
            "totals": xp.empty(n, np.float64),
            "rooms": rooms,
        }

    def reset(self, problem: dict[str, Any], graph: Graph, options: Options, source: int) -> None:
        problem["totals"].fill(0)

    def outputs(self, problem: dict[str, Any], graph: Graph, options: Options) -> dict[str, Array]:
        return {"scores": problem["totals"]}

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        return PRIMITIVE.validate_sum(graph, options, range(graph.n), outputs)


ALL_SOURCES = AllSources()
