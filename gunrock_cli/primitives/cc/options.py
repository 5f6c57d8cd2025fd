"""The options of connected components: as asked, and as a run takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gunrock_cli.primitives.options import Options, option


@dataclass(frozen=True)
class CcOptions(Options):
    """The options as asked."""

    variant: Literal["afforest", "hook-jump"] = option(
        "afforest",
        "afforest: a few edges of each vertex first, then all edges of the vertices "
        "outside the largest component (Sutton 2018). hook-jump: the papers' hooking, a "
        "filter on edges, and pointer jumping, one on vertices (Soman 2010, Gunrock).",
        define="GR_HOOK_JUMP",
        expert=True,
    )
    linking: Literal["auto", "id", "random"] | None = option(
        "auto",
        "Which of two roots goes under the other: the one of larger id, or of larger "
        "random rank, which keeps trees flat on meshes. For afforest. auto: random on a GPU "
        "on mesh-like degrees (longest < 8 x mean) of mean up to 8, up to 2^22 edges 24, unless "
        "nearly every vertex has a smaller neighbour; else id.",
        expert=True,
    )
    sampling: Literal["auto", "on", "off", "hub"] | None = option(
        "auto",
        "Sample edges first, and leave out what the largest component holds by then; "
        "off: go through all edges once; hub: begin with the neighbours of the longest list and "
        "who is next to them, if half of the edges lead there, else like on (links by id, "
        "undirected graphs). For afforest. auto: off where --linking auto is random, hub where most "
        "vertices are next to its neighbours and the mean degree is above 8.",
        expert=True,
    )

    @property
    def hooks(self) -> bool:
        """True for hooking and pointer jumping."""
        return self.variant == "hook-jump"

    @property
    def samples(self) -> bool:
        """True if a few edges of each vertex come first."""
        return self.sampling == "on"

    @property
    def from_hub(self) -> bool:
        """True if the longest list's neighbors come first."""
        return self.sampling == "hub"

    @property
    def all_at_once(self) -> bool:
        """True if no edges come first."""
        return self.sampling == "off"

    @property
    def links_by_rank(self) -> bool:
        """True if of two roots the one of larger random rank goes under the other."""
        return self.linking == "random"


@dataclass(frozen=True, kw_only=True)
class CcChosen(CcOptions):
    """The options that a run takes; ``linking`` and ``sampling`` are None for hook-jump, which has
    neither."""

    linking: Literal["id", "random"] | None
    sampling: Literal["on", "off", "hub"] | None
