"""The ways to betweenness centrality: each is a kernel of ``kernels/primitives/bc``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import InputError
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.advance import Advance
from gunrock_cli.operators.advance_ahead import (
    ahead_macros,
    flow_lanes_log,
    launch_shape,
    levels_as_seen,
    padded_room,
    search_lanes_log,
)
from gunrock_cli.operators.launch_shapes import LEVELS
from gunrock_cli.primitives.bc.options import BcChosen
from gunrock_cli.primitives.variant import Macros, Member, Problem, Variant

NOT_YET = np.uint64(2**64 - 1)
"""The kernels' word for a number not known yet."""
INFINITE = np.uint64(0x7FF << 52)
"""The bits of an unreached vertex's distance."""
ONE_PATH = np.uint64(1 << 29 << 34)
"""The number 1 in the format of kernels/math/wide_number.cuh."""


def variant_of(graph: Graph, chosen: BcChosen) -> Dependencies:
    """The variant that these options name."""
    if chosen.weighted:
        return ByWeight(graph, chosen)
    if chosen.by_edges:
        return ByEdges(graph, chosen)
    return Ahead(graph, chosen) if chosen.runs_ahead else InStep(graph, chosen)


class Dependencies(Variant[BcChosen]):
    """The base of all variants: depths, counts of paths, and scores."""

    answer = ("scores", "labels")

    @property
    def constants(self) -> Mapping[str, int]:
        return {"NOT_YET": int(NOT_YET), "ONE": int(ONE_PATH)}

    def members(self) -> Mapping[str, Member]:
        n = self.graph.n
        return {
            "labels": Room(n, np.int32, filled=-1),
            "counts": Room(n, np.uint64),
            "scores": Room(n, np.float32, filled=0),
            "source": 0,
        }

    def start(self, problem: Problem, source: int) -> None:
        problem["labels"][source] = 0
        problem["counts"][source] = ONE_PATH  # the path of no edges


class ByLevels(Dependencies):
    """Variants that go back through the levels as the way out listed them."""

    def allocate(self, shared: Mapping[str, Any] | None = None) -> Problem:
        problem = super().allocate(shared)
        problem["level_starts"].fill(0)  # no run writes the first
        return problem


class InStep(ByLevels):
    """All blocks take a level together, out and back."""

    kernel = "bc/in_step"

    @property
    def launch(self) -> Tuning | None:
        return LEVELS

    @property
    def defines(self) -> Macros:
        return {
            "GR_AHEAD": 0,
            "GR_BC_PUSH": int(self.options.pushes_back),
            "GR_BC_EITHER": int(self.options.switches_back),
        }

    def members(self) -> Mapping[str, Member]:
        n, backward = self.graph.n, self.options.backward
        kept = n if self.options.stored else 0
        bits = Room(4 * ((n + 31) // 32), np.uint32, filled=0)
        return {
            **super().members(),
            "ratios": Room(n, np.uint64),
            "sums": Room(0 if backward == "pull" else n, np.float64, filled=0),
            "bits": bits if backward == "optimized" else None,
            "order": Room(kept, np.int32),
            "level_starts": Room(kept + 2, np.int32),
            "level_edges": Room(kept + 2, np.int64),
            "simple": 1,
        }

    def allocate(self, shared: Mapping[str, Any] | None = None) -> Problem:
        return {**super().allocate(shared), "simple": int(not has_parallel_edges(self.graph))}

    @property
    def successor(self) -> Ahead | None:
        if not self.options.may_leave:
            return None
        ahead = replace(self.options, backward="pull", run_ahead=levels_as_seen(self.graph))
        return Ahead(self.graph, ahead)


class Ahead(Dependencies):
    """Blocks run several levels ahead of each other; counts and scores wait vertex by vertex."""

    kernel = "bc/ahead"

    @property
    def advance(self) -> Advance:
        return Advance.NONE

    @property
    def launch(self) -> Tuning | None:
        return launch_shape(self.graph)

    @property
    def defines(self) -> Macros:
        return {"GR_AHEAD": 1, "GR_BC_PUSH": 0, "GR_BC_EITHER": 0, **ahead_macros(self.graph)}

    def members(self) -> Mapping[str, Member]:
        n = self.graph.n
        return {
            **super().members(),
            "counts": Room(n, np.uint64, filled=NOT_YET),
            "ratios": Room(n, np.uint64, filled=NOT_YET),
            "order": Room(n, np.int32),
            "level_ends": Room(n + 1, np.int32, filled=0),
            "run_ahead": self.options.run_ahead,
            "lanes_log": flow_lanes_log(self.graph),
            "search_lanes_log": search_lanes_log(self.graph),
            "padded": padded_room(self.graph),
        }


class ByEdges(ByLevels):
    """Two advances over frontiers of edges."""

    kernel = "bc/edges"

    @property
    def defines(self) -> Macros:
        return {"GR_EDGE_FRONTIER": 1}

    def members(self) -> Mapping[str, Member]:
        n = self.graph.n
        return {
            **super().members(),
            "counts": Room(n, np.uint64, filled=0),
            "sums": Room(n, np.float64, filled=0),
            "order": Room(n, self.graph.csr.row_offsets.dtype),
            "level_starts": Room(n + 2, np.int32),
        }


class ByWeight(ByLevels):
    """Over paths of least weight. There are distances instead of depths."""

    kernel = "bc/weighted"

    @property
    def launch(self) -> Tuning | None:
        return LEVELS

    @property
    def constants(self) -> Mapping[str, int]:
        return {**super().constants, "INFINITE": int(INFINITE)}

    def members(self) -> Mapping[str, Member]:
        n = self.graph.n
        return {
            "distances": Room(n, np.uint64, filled=INFINITE),
            "queued": Room(n, np.int32, filled=-1),
            "waiting": Room(n, np.int32),
            "counts": Room(n, np.uint64),
            "ratios": Room(n, np.uint64),
            "scores": Room(n, np.float32, filled=0),
            "order": Room(n, np.int32),
            "level_starts": Room(n + 2, np.int32),
            "vanished": Room(1, np.int32, filled=-1),
            "source": 0,
        }

    def start(self, problem: Problem, source: int) -> None:
        problem["distances"][source] = 0
        problem["counts"][source] = ONE_PATH

    def outputs(self, problem: Problem) -> dict[str, Array]:
        vanished = int(problem["vanished"][0])
        if vanished >= 0:
            raise InputError(
                f"{self.graph.name}: the distance of vertex {vanished} (vertices count from 0) is the "
                "same without the last edge of its path, whose weight is too small beside it"
            )
        return {"scores": problem["scores"], "distances": problem["distances"].view(np.float64)}


def has_parallel_edges(graph: Graph) -> bool:
    """True if a row names a neighbor twice; rows are sorted."""
    columns = graph.csr.column_indices
    if graph.m < 2:
        return False
    same = columns[1:] == columns[:-1]
    starts, xp = graph.csr.row_offsets[1:-1], graph.xp
    inner = starts[xp.greater(starts, 0) & xp.less(starts, graph.m)]
    same[xp.subtract(inner, 1)] = False  # neighbors of different rows
    return bool(same.any())
