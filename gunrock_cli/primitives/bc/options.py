"""The options of betweenness centrality: as asked, and as a run takes them."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from gunrock_cli.operators.advance_ahead import AS_SEEN, MAX_LEVELS
from gunrock_cli.primitives.options import Options, option

IN_STEP = MappingProxyType({"run_ahead": 1})
"""Options under which all blocks keep in step: the baseline for other ways through the levels."""
_BY_PULL = MappingProxyType({**IN_STEP, "backward": "pull"})


@dataclass(frozen=True)
class BcOptions(Options):
    """The options as asked."""

    weighted: bool = option(
        False,
        "Over paths of least weight, all weights above zero: distances are in float64, and paths of "
        "equal sums are equally short. One kernel does this, in step, with --backward pull.",
        changes_answer=True,
        own=True,
    )
    variant: Literal["vertices", "edges"] = option(
        "vertices",
        "vertices: frontiers of vertices. edges: two advances over frontiers of edges, which "
        "add up by atomics (Jia 2011, the papers' hardwired scheme in their operators).",
        under=_BY_PULL,
        expert=True,
    )
    run_ahead: int | Literal["auto"] = option(
        "auto",
        "Levels that a block runs ahead by itself between two barriers of the grid; 1: all "
        "blocks keep step. From 2 on, path counts and scores wait for each other vertex by "
        "vertex. auto: begin in step, and run 16 ahead (on a GPU 64 on lattices of up to four "
        "neighbours) once frontiers stay small; on several devices from the beginning on "
        "mesh-like degrees (longest < 8 x mean) of mean up to 24; else 1. "
        "Needs --backward pull and --frontiers stored.",
        minimum=1,
        maximum=MAX_LEVELS,
        expert=True,
    )
    backward: Literal["auto", "pull", "push", "optimized"] = option(
        "auto",
        "How scores flow back: each vertex gathers from its out-neighbours one level "
        "down (pull), or each adds to its in-neighbours one level up by atomics (push, an "
        "advance), or level by level what looks at fewer edges (optimized; needs stored "
        "frontiers). auto: optimized where it can be.",
        panel="Direction",
        under=IN_STEP,
        expert=True,
    )
    frontiers: Literal["stored", "rebuilt"] = option(
        "stored",
        "Where the way back has its levels from: kept on the way out, or found again by "
        "a filter over all vertices, level by level; saves n words of memory. "
        "Default: stored.",
        define="GR_BC_REBUILD",
        under=_BY_PULL,
        expert=True,
    )

    @property
    def by_edges(self) -> bool:
        """True for frontiers of edges."""
        return self.variant == "edges"

    @property
    def stored(self) -> bool:
        """True if the way back has its levels from the way out."""
        return self.frontiers == "stored"

    @property
    def pushes_back(self) -> bool:
        """True if every level is pushed on the way back."""
        return self.backward == "push"

    @property
    def switches_back(self) -> bool:
        """True if levels are pushed or pulled on the way back."""
        return self.backward == "optimized"

    @property
    def runs_ahead(self) -> bool:
        """True if blocks run ahead from the beginning."""
        return isinstance(self.run_ahead, int) and self.run_ahead > 1


@dataclass(frozen=True, kw_only=True)
class BcChosen(BcOptions):
    """The options that a run takes. ``run_ahead`` is "auto" if the run begins in step and may be left to
    blocks that run ahead."""

    backward: Literal["pull", "push", "optimized"]

    @property
    def may_leave(self) -> bool:
        """True if the run begins in step, and may be left to blocks that run ahead."""
        return self.run_ahead == AS_SEEN
