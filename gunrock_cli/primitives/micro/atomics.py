"""Loads, stores and atomics on the words of the vertices in recorded edge frontiers, and ways to find
each edge a place in a queue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Array, Graph, to_numpy
from gunrock_cli.primitives.frontier import NO_FRONTIER
from gunrock_cli.primitives.micro.base import SUMS, Replay, Replaying, Strategy, strategies, times_met
from gunrock_cli.primitives.shown import Outputs
from gunrock_cli.primitives.variant import Member, Problem
from gunrock_cli.resources import kernels_dir

STRATEGIES = ("load", "store", "exchange", "add", "or", "cas", "place", "place-by-warp", "place-by-block")
_CLAIMING = ("exchange", "add", "or", "cas")
MOST_PLACES = 2**31 - 1


@dataclass(frozen=True)
class AtomicsOptions(Strategy):
    strategy: str = strategies(
        STRATEGIES,
        "cas",
        "load, store, or an atomic on each vertex's word (of or: its bit); or a place "
        "from one counter: by an atomic for each edge, for each warp, or for each block, which "
        "shares it out by a prefix sum (Merrill's).",
        define="GR_OPERATION",
        constants=tuple(name.upper().replace("-", "_") for name in STRATEGIES),
    )


class Touching(Replaying):
    kernel = kernels_dir() / "microbench" / "atomics.cuh"
    recorded = ("edges", "edge_starts")

    def members(self) -> Mapping[str, Member]:
        return {
            "words": Room(self.graph.n, np.uint32, filled=0),
            "counter": Room(1, np.int32, filled=0),
            "spread": 0,
            "sums": Room(SUMS, np.uint64, filled=0),
        }

    def start(self, problem: Problem, source: int) -> None:
        if self.options.strategy == "load":  # a number for each, to show what was loaded
            problem["words"][...] = self.graph.xp.arange(self.graph.n, dtype=np.uint32)

    def outputs(self, problem: Problem) -> dict[str, Array]:
        return {**super().outputs(problem), "words": problem["words"], "sums": problem["sums"]}


class Atomics(Replay):
    name = "microbench-atomics"
    summary = (
        "Touch the word of every vertex of a recorded traversal's edge frontiers, or find each "
        "edge a place in a queue: the rates of loads, stores and atomics."
    )
    takes = AtomicsOptions
    frontier = NO_FRONTIER

    def plan(self, graph: Graph, asked: AtomicsOptions) -> Touching:
        if graph.m > MOST_PLACES:
            raise UsageError(
                f"{graph.name} has {graph.m} edges; its counter of places holds {MOST_PLACES}"
            )
        return Touching(graph, asked)

    def fault(self, graph: Graph, options: Strategy, labels: Array, outputs: Outputs) -> str:
        times, strategy = times_met(graph, labels), options.strategy
        found, edges = int(outputs["sums"].sum(dtype=np.uint64)), int(times.sum())
        if strategy == "load":
            wanted = int((times * graph.xp.arange(graph.n)).sum())
        elif strategy.startswith("place"):
            wanted = edges * (edges - 1) // 2
        else:
            wanted = int((times > 0).sum()) if strategy in _CLAIMING else 0
        if found != wanted:
            return f"the answers of all operations add up to {found}, not {wanted}"
        if strategy in ("store", *_CLAIMING):
            met = to_numpy(times)
            words = {"add": met, "or": _bits(met > 0)}.get(strategy, met > 0).astype(np.uint32)
            if not np.array_equal(to_numpy(outputs["words"])[: len(words)], words):
                return "the words are not those that every edge leaves"
        return ""


def _bits(flags: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """One bit per flag, 32 to a word."""
    padded = np.zeros(-(-len(flags) // 32) * 32, bool)
    padded[: len(flags)] = flags
    found: np.ndarray[Any, Any] = np.packbits(padded, bitorder="little").view("<u4")
    return found


PRIMITIVE = Atomics()
