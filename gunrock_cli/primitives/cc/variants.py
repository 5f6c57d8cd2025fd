"""The ways to connected components: each is a kernel of ``kernels/primitives/cc``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.change import Updated
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.advance import Advance
from gunrock_cli.operators.launch_shapes import GATHER, NEXT_TO, WALKS, WHOLE_GRAPH
from gunrock_cli.operators.lists import has_no_hubs, has_short_lists
from gunrock_cli.primitives.cc.options import CcChosen, CcOptions
from gunrock_cli.primitives.references import smallest_vertices
from gunrock_cli.primitives.variant import Macros, Member, Problem, Variant

LARGE = 1 << 24
"""Lists with about this many entries outgrow a GPU's cache."""
LINK_ROUNDS = 2
"""Neighbors besides the first that every vertex may be linked with, as in the kernel."""
_SAMPLINGS = ("off", "on", "hub")
"""The samplings, by their numbers in the kernel."""


class Components(Variant[CcChosen]):
    """The base of both variants: every vertex is its own parent at first."""

    def members(self) -> Mapping[str, Member]:
        return {"parents": Room(self.graph.n, np.int32)}

    def start(self, problem: Problem, source: int) -> None:
        problem["parents"][...] = self.xp.arange(self.graph.n, dtype=np.int32)

    def outputs(self, problem: Problem) -> dict[str, Array]:
        return {"components": smallest_vertices(problem["parents"], self.graph.xp)}


class Afforest(Components):
    """A few edges of each vertex are linked first, or all edges once."""

    kernel = "cc/afforest"

    @property
    def advance(self) -> Advance:
        sampled = advances_from_samples(self.graph, self.options)
        return Advance.BALANCED if sampled else Advance.NONE

    @property
    def launch(self) -> Tuning | None:
        if self.options.from_hub:
            return NEXT_TO
        if self.options.all_at_once:
            return WALKS
        return WHOLE_GRAPH if self.keeps_others else GATHER

    @property
    def defines(self) -> Macros:
        return {
            "GR_EDGE_FRONTIER": 0,
            "GR_RANDOM_LINKS": int(self.options.links_by_rank),
            "GR_SAMPLING": _SAMPLINGS.index(self.options.sampling or "off"),
            "GR_RUNS": int(self.grafts_in_runs),
        }

    def members(self) -> Mapping[str, Member]:
        kept = LINK_ROUNDS * self.graph.n if self.keeps_others else 0
        return {**super().members(), "others": Room(kept, np.int32) if kept else None}

    def outputs(self, problem: Problem) -> dict[str, Array]:
        if self.options.links_by_rank or self.options.from_hub:
            return super().outputs(problem)
        return {"components": problem["parents"]}  # roots are the smallest vertices

    @property
    def grafts_in_runs(self) -> bool:
        """True if blocks follow the first links through runs of vertices: on a GPU, if degrees are like a
        mesh's and lists fit the GPU's cache or are short [D-graft-1]."""
        graph = self.graph
        mesh = graph.xp is not np and self.options.samples and has_no_hubs(graph)
        return mesh and (graph.m < LARGE or has_short_lists(graph))

    @property
    def keeps_others(self) -> bool:
        """True if the neighbors to be linked later are kept when lists are first read: on a GPU, if the
        lists outgrow its cache and would have to be read again [D-cc-7]. Vertices grafted in runs seldom
        need more links."""
        return (
            self.graph.xp is not np
            and self.options.samples
            and self.graph.m >= LARGE
            and not self.grafts_in_runs
        )


class HookJump(Components):
    """The papers' hooking and pointer jumping."""

    kernel = "cc/hook_jump"

    @property
    def advance(self) -> Advance:
        return Advance.NONE

    @property
    def launch(self) -> Tuning | None:
        return WHOLE_GRAPH

    @property
    def defines(self) -> Macros:
        return {"GR_EDGE_FRONTIER": 1}

    def members(self) -> Mapping[str, Member]:
        return {
            **super().members(),
            "sources": Room(self.graph.m, np.int32),
            "jumping": Room(2 * self.graph.n, self.graph.csr.row_offsets.dtype),
        }

    def allocate(self, shared: Mapping[str, Any] | None = None) -> Problem:
        return super().allocate({**(shared or {}), "sources": self.graph.csr.sources()})


class Updating(Components):
    """The components of a graph that has changed, from those of before. ``graph`` is an ``Updated``."""

    graph: Updated
    kernel = "cc/updated"
    goes_on = True

    @property
    def launch(self) -> Tuning | None:
        return WHOLE_GRAPH

    @property
    def defines(self) -> Macros:
        return {"GR_EDGE_FRONTIER": 0, "GR_RANDOM_LINKS": 0}

    @cached_property
    def _names(self) -> Array:
        """The names of before; new vertices have their own numbers."""
        xp, n = self.graph.xp, self.graph.n
        before = self.graph.before["components"]
        return xp.concatenate((before, xp.arange(len(before), n, dtype=np.int32)))

    def members(self) -> Mapping[str, Member]:
        added, removed = self.graph.change.added(), self.graph.change.removed()
        words = Room((self.graph.n + 31) // 32, np.uint32, filled=0)
        return {
            **super().members(),
            "names": self._names,
            "added_src": added.src,
            "added_dst": added.dst,
            "added": len(added.src),
            "removed_src": removed.src,
            "removed": len(removed.src),
            "lost": words,
            "star": words,
            "loose": words,
        }

    def start(self, problem: Problem, source: int) -> None:
        problem["parents"][...] = problem["names"]

    def outputs(self, problem: Problem) -> dict[str, Array]:
        return {"components": problem["parents"]}


def advances_from_samples(graph: Graph, options: CcOptions) -> bool:
    """True if an advance goes through what samples left over: on a GPU, as cores go through entries that
    they draw."""
    return graph.xp is not np and not options.all_at_once
