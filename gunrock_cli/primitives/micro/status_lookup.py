"""What lookup and its fusion with gathering share: how a vertex's status is found out, and how many
vertices get through that should not."""

from __future__ import annotations

from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.culling import HEURISTICS
from gunrock_cli.primitives.base import Options, Outputs
from gunrock_cli.primitives.micro.base import SUMS, Replay, strategies

MACROS = {**HEURISTICS, "label": "GR_LOOK_AT_LABEL", "atomic": "GR_CLAIM"}
"""The macros that make up a strategy."""
PROGRESSIVE = ("bitmask", "bitmask+label", "bitmask+label+warp-hash", "bitmask+label+warp-hash+history")
"""The paper's strategies, each with one heuristic more (its Figure 8)."""
USUAL = "bitmask+label+warp+history"
"""What BFS does unless told otherwise."""
STRATEGIES = ("label", *PROGRESSIVE, "bitmask+label+warp", USUAL, "atomic")
FALSE_NEGATIVES = ("passed", "false_negatives", "false_negative_share")


class StatusLookup(Replay):
    """Counts what passes: each vertex once, and every duplicate that is not recognized."""

    options = (
        strategies(
            STRATEGIES,
            USUAL,
            "What is asked before a vertex may pass: its label, and bfs's --cull; or one "
            "atomic for each, which lets none pass twice.",
        ),
    )
    mean_metrics = ("levels", *FALSE_NEGATIVES)

    def defines(self, graph: Graph, options: Options) -> dict[str, str | int]:
        chosen = options["strategy"].split("+")
        asked = {macro: int(word in chosen) for word, macro in MACROS.items()}
        return {**asked, "GR_LOOK_AT_LABEL": int("label" in chosen or "atomic" in chosen)}

    def state(self, graph: Graph, options: Options) -> dict[str, Any]:
        xp, masked = graph.xp, "bitmask" in options["strategy"]
        return {
            "labels": xp.empty(graph.n, np.int32),
            "visited": xp.empty((graph.n + 31) // 32, np.uint32) if masked else None,
            "passed": xp.empty(SUMS, np.uint64),
        }

    def clear(self, problem: dict[str, Any], options: Options, source: int) -> None:
        problem["passed"].fill(0)
        problem["labels"].fill(-1)
        problem["labels"][source] = 0
        if problem["visited"] is not None:
            problem["visited"].fill(0)
            problem["visited"][source // 32] = np.uint32(1 << (source % 32))

    def outputs(self, problem: dict[str, Any], graph: Graph, options: Options) -> dict[str, Array]:
        return {
            **super().outputs(problem, graph, options),
            "marked": problem["labels"],
            "passed": problem["passed"],
        }

    def counted(self, outputs: dict[str, Array], found: int, edges: int) -> dict[str, Any]:
        """False negatives: what passed beyond once for each vertex found. Their share is of all that
        should have been culled (the paper's m - n)."""
        passed = int(outputs["passed"].sum())
        return {
            "passed": passed,
            "false_negatives": passed - found,
            "false_negative_share": (passed - found) / (edges - found) if edges > found else 0.0,
        }

    def fault(self, graph: Graph, options: Options, labels: Array, outputs: Outputs) -> str:
        passed, found = int(outputs["passed"].sum()), int((labels > 0).sum())
        strategy = options["strategy"]
        if passed < found or (strategy == "atomic" and passed > found):
            return f"{passed} vertices passed, and {found} were to be found"
        marked = outputs["marked"]
        # Without a look at labels, a later level may mark a vertex again.
        same = (
            marked == labels
            if "label" in strategy or strategy == "atomic"
            else (marked >= 0) == (labels >= 0)
        )
        return "" if same.all() else f"{int((~same).sum())} vertices are not marked as they were found"
