"""Code shared by lookup and its fusion with gathering: how a vertex's status is looked up, and how many
vertices pass that should not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.culling import HEURISTICS
from gunrock_cli.primitives.micro.base import SUMS, Replay, Replaying, Strategy, strategies
from gunrock_cli.primitives.shown import Outputs
from gunrock_cli.primitives.variant import Macros, Member, Problem
from gunrock_cli.resources import kernels_dir

MACROS = {**HEURISTICS, "label": "GR_LOOK_AT_LABEL", "atomic": "GR_CLAIM"}
"""The macros that make up a strategy."""
PROGRESSIVE = ("bitmask", "bitmask+label", "bitmask+label+warp-hash", "bitmask+label+warp-hash+history")
"""The paper's strategies, each with one heuristic more (its Figure 8)."""
USUAL = "bitmask+label+warp+history"
"""BFS's default."""
STRATEGIES = ("label", *PROGRESSIVE, "bitmask+label+warp", USUAL, "atomic")


@dataclass(frozen=True)
class LookupOptions(Strategy):
    strategy: str = strategies(
        STRATEGIES,
        USUAL,
        "What is asked before a vertex may pass: its label, and bfs's --cull; or one "
        "atomic for each, which lets none pass twice.",
    )


class Looking(Replaying):
    """Looks up for each vertex whether it is new."""

    kernel = kernels_dir() / "microbench" / "lookup.cuh"
    recorded: ClassVar[tuple[str, ...]] = ("edges", "edge_starts")

    @property
    def defines(self) -> Macros:
        words = self.options.words
        asked = {macro: int(word in words) for word, macro in MACROS.items()}
        return {**asked, "GR_LOOK_AT_LABEL": int("label" in words or "atomic" in words)}

    def members(self) -> Mapping[str, Member]:
        n, masked = self.graph.n, "bitmask" in self.options.words
        return {
            "labels": Room(n, np.int32, filled=-1),
            "visited": Room((n + 31) // 32, np.uint32, filled=0) if masked else None,
            "passed": Room(SUMS, np.uint64, filled=0),
        }

    def start(self, problem: Problem, source: int) -> None:
        problem["labels"][source] = 0
        if problem["visited"] is not None:
            problem["visited"][source // 32] = np.uint32(1 << (source % 32))

    def outputs(self, problem: Problem) -> dict[str, Array]:
        return {**super().outputs(problem), "marked": problem["labels"], "passed": problem["passed"]}


class StatusLookup(Replay):
    """Counts the vertices that pass: each once, and every duplicate that is not recognized."""

    takes = LookupOptions
    variant = Looking

    def counted(self, outputs: dict[str, Array], found: int, edges: int) -> dict[str, float]:
        """False negatives: vertices that pass again after each found vertex has passed once. Their share
        is of all that should have been culled (the paper's m - n)."""
        passed = int(outputs["passed"].sum())
        return {
            "passed": passed,
            "false_negatives": passed - found,
            "false_negative_share": (passed - found) / (edges - found) if edges > found else 0.0,
        }

    def fault(self, graph: Graph, options: Strategy, labels: Array, outputs: Outputs) -> str:
        passed, found = int(outputs["passed"].sum()), int((labels > 0).sum())
        strategy = options.strategy
        if passed < found or (strategy == "atomic" and passed > found):
            return f"{passed} vertices passed, and {found} were to be found"
        marked = outputs["marked"]
        # without a look at labels, a later level may mark a vertex again
        same = (
            marked == labels
            if "label" in strategy or strategy == "atomic"
            else (marked >= 0) == (labels >= 0)
        )
        return "" if same.all() else f"{int((~same).sum())} vertices are not marked as they were found"
