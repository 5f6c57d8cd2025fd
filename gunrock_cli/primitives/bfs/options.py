"""The options of a search by levels: as asked, and as a run takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gunrock_cli.operators.advance_ahead import MAX_LEVELS
from gunrock_cli.operators.culling import COMPARED
from gunrock_cli.primitives.options import Options, option

AUTO, COST = "auto", "cost"
BEAMER_ALPHA, BEAMER_BETA = 15.0, 18.0
"""Beamer's switching parameters as the GAP Benchmark Suite sets them."""
PUSH = {"direction": "push", "run_ahead": 1}
_IDEMPOTENT = {**PUSH, "idempotence": True}
"""The baseline of the papers' comparisons of BFS's options: pushing, with a barrier per level."""

Strategy = Literal["fused", "expand-contract", "contract-expand", "two-phase", "hybrid", "quadratic"]
"""Ways to arrange a search's queues (Merrill, section 5)."""


@dataclass(frozen=True)
class BfsOptions(Options):
    """The options as asked."""

    idempotence: bool = option(
        False,
        "Visit by plain stores, duplicates culled (Gunrock's idempotent BFS), instead "
        "of one atomic per vertex.",
        define="GR_IDEMPOTENCE",
        panel="Idempotent operations",
        under=PUSH,
        expert=True,
    )
    mark_pred: bool = option(
        False, "Also record each vertex's predecessor.", define="GR_MARK_PRED", changes_answer=True
    )
    direction: Literal["auto", "push", "pull", "optimized"] = option(
        "auto",
        "Push only, pull only, or switching between them (Beamer). auto: optimized, or push "
        "with a --strategy of Merrill's.",
        panel="Forward or direction-optimized",
        under={"run_ahead": 1, "alpha": BEAMER_ALPHA},
    )
    strategy: Strategy = option(
        "fused",
        "How queues are arranged. fused: one advance per level with the filter in it, both "
        "directions, blocks may run ahead. Merrill's, which push: expand-contract (queues of "
        "vertices), contract-expand (of edges), two-phase (of both, two steps per level), hybrid "
        "(by the number of edges in the queue). quadratic: no queue, every vertex is looked at in "
        "every level.",
        under=PUSH,
        expert=True,
    )
    hybrid_threshold: int | Literal["auto"] = option(
        AUTO,
        "hybrid: a level with more edges in its queue than this takes two steps. auto: the "
        "threads that run.",
        minimum=0,
        maximum=10**18,
        expert=True,
    )
    fusion: Literal["on", "off"] = option(
        "on",
        "Whether the filter is in the advance (on), or a step of its own after it (off).",
        under=PUSH,
        expert=True,
    )
    direction_optimized: bool | None = option(
        None,
        "Gunrock's spelling of --direction optimized (or push, with --no-).",
        only_asked=True,
        expert=True,
    )
    alpha: float | Literal["auto", "cost"] = option(
        AUTO,
        "Pull when the frontier's edges times alpha exceed those of the unvisited (Beamer; "
        "GAP has 15); cost: whenever the level would cost less that way. auto: cost (on several "
        "devices never on mesh-like degrees), 15 with --beta. Of --direction optimized; push and "
        "pull in step accept it, to be compared under the same.",
        minimum=0.0,
        expert=True,
    )
    beta: float | Literal["auto", "cost"] = option(
        AUTO,
        "With alpha as a number: push again when the shrinking frontier's vertices times "
        "beta are fewer than all. auto: 18 (Beamer, GAP).",
        minimum=0.0,
        expert=True,
    )
    run_ahead: int | Literal["auto"] = option(
        AUTO,
        "Levels that a block runs ahead by itself between two barriers of the grid; 1: all "
        "blocks keep step. Exact push only. auto: begin in step, and run 16 ahead (on a GPU 64 on "
        "lattices of up to four neighbours) once frontiers stay small; on several devices from "
        "the beginning on mesh-like degrees (longest < 8 x mean) of mean up to 24; else 1.",
        minimum=1,
        maximum=MAX_LEVELS,
        expert=True,
    )
    cull: str = option(
        AUTO,
        "Idempotent: how duplicates are dropped, beside the label, which is always asked. "
        "bitmask: a bitmap of visited vertices, kept without atomics and asked before the label; "
        "warp: twins within a warp, by matching; warp-hash: by a small table of the warp's "
        "(Merrill); history: what a block's small table remembers; grid: what any block has "
        "found, by names in the label or, in a block's only pass, by an atomic; none. "
        "auto: grid.",
        takes_list=True,
        compares=COMPARED,
        panel="Idempotent operations",
        under=_IDEMPOTENT,
        expert=True,
    )

    @property
    def fused(self) -> bool:
        """True if there is one advance per level, which may pull; False for Merrill's strategies."""
        return self.strategy == "fused"

    @property
    def filters_inside(self) -> bool:
        """True if the filter is in the advance."""
        return self.fusion == "on"

    @property
    def only_pushes(self) -> bool:
        """True if no level may be pulled."""
        return self.direction == "push"

    @property
    def only_pulls(self) -> bool:
        """True if no level may be pushed."""
        return self.direction == "pull"

    @property
    def switches(self) -> bool:
        """True if levels are pushed or pulled; of resolved options."""
        return self.direction == "optimized"

    @property
    def runs_ahead(self) -> bool:
        """True if blocks run ahead from the beginning."""
        return isinstance(self.run_ahead, int) and self.run_ahead > 1


@dataclass(frozen=True, kw_only=True)
class BfsChosen(BfsOptions):
    """The options that a run takes. ``run_ahead`` is "auto" if the search begins in step and may be left
    to blocks that run ahead."""

    direction: Literal["push", "pull", "optimized"]
    alpha: float | Literal["cost"]
    beta: float | Literal["cost"]

    @property
    def may_leave(self) -> bool:
        """True if the search begins in step, and may be left to blocks that run ahead."""
        return self.run_ahead == AUTO
