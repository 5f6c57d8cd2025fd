"""The ways to search by levels: each is a kernel of ``kernels/primitives/bfs``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.change import Updated
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.advance import Advance
from gunrock_cli.operators.advance_ahead import (
    ahead_macros,
    launch_shape,
    levels_as_seen,
    padded_room,
    search_lanes_log,
)
from gunrock_cli.operators.culling import NONE, culling_macros
from gunrock_cli.operators.launch_shapes import EDGE_QUEUE, LEVELS
from gunrock_cli.primitives.bfs.options import BfsChosen
from gunrock_cli.primitives.going_on import edge_members, extended, queue_members
from gunrock_cli.primitives.variant import Macros, Member, Problem, Queues, Variant

_BY_COST = -1.0
"""The value that means ``--alpha cost`` to kernels."""


def search_of(graph: Graph, chosen: BfsChosen) -> Search:
    """The variant that these options name."""
    if chosen.runs_ahead:
        return Ahead(graph, chosen)
    if not chosen.fused:
        return STRATEGIES[chosen.strategy](graph, chosen)
    if not chosen.filters_inside:
        return Unfused(graph, chosen)
    return Idempotent(graph, chosen) if chosen.idempotence else InStep(graph, chosen)


def switch_members(chosen: BfsChosen) -> dict[str, float]:
    """The members of a kernel's ``Problem`` that decide when it switches directions."""
    return {
        "alpha": _BY_COST if isinstance(chosen.alpha, str) else chosen.alpha,
        "beta": 0.0 if isinstance(chosen.beta, str) else chosen.beta,
    }


class Search(Variant[BfsChosen]):
    """The base of all variants: depths, parents on request, and macros."""

    @property
    def defines(self) -> Macros:
        chosen = self.options
        return {
            "GR_DIRECTION": {"push": "PUSH_ONLY", "pull": "PULL_ONLY", "optimized": "OPTIMIZED"}[
                chosen.direction
            ],
            "GR_COUNT_IN_EDGES": int(chosen.switches and not self.graph.undirected),
            "GR_CARRY_SOURCE": int(not chosen.filters_inside and chosen.mark_pred),
            "GR_AHEAD": 0,
            **culling_macros(chosen.cull if chosen.idempotence else NONE),
        }

    def members(self) -> Mapping[str, Member]:
        n = self.graph.n
        return {
            "labels": Room(n, np.int32, filled=-1),
            "preds": Room(n, np.int32, filled=-1) if self.options.mark_pred else None,
            "source": 0,
        }

    def start(self, problem: Problem, source: int) -> None:
        problem["labels"][source] = 0
        if problem.get("visited") is not None:
            problem["visited"][source // 32] = np.uint32(1 << (source % 32))

    def outputs(self, problem: Problem) -> dict[str, Array]:
        found = {"labels": problem["labels"]}
        return found | ({"predecessors": problem["preds"]} if self.options.mark_pred else {})

    @property
    def visited(self) -> Room | None:
        """The bitmap of an idempotent search."""
        words = (self.graph.n + 31) // 32
        return Room(words, np.uint32, filled=0) if self.options.idempotence else None

    @property
    def pushes_by_level(self) -> bool:
        return self.options.only_pushes and self.options.run_ahead == 1


class InStep(Search):
    """All blocks take a level together, pushing or pulling."""

    kernel = "bfs/in_step"

    @property
    def advance(self) -> Advance:
        """The advance of a push or a pull; the mode of a pull decides whether it begins with the source's
        list or with a queue."""
        if not self.options.only_pulls:
            return Advance.BALANCED
        return Advance.BY_MODE if self.options.filters_inside else Advance.NONE

    @property
    def launch(self) -> Tuning | None:
        return LEVELS if self.options.switches else None

    def members(self) -> Mapping[str, Member]:
        words = (self.graph.n + 31) // 32
        pulls = not self.options.only_pushes
        return {
            **super().members(),
            "bitmaps": Room(3 * words, np.uint32, filled=0) if pulls else None,
            "bitmap_stride": words,
            **switch_members(self.options),
        }

    @property
    def successor(self) -> Ahead | None:
        if not self.options.may_leave:
            return None
        ahead = replace(self.options, direction="push", run_ahead=levels_as_seen(self.graph))
        return Ahead(self.graph, ahead)

    def frontier_levels(self, outputs: Mapping[str, Array]) -> Array | None:
        in_one_step = self.pushes_by_level and self.options.filters_inside
        return outputs["labels"] if in_one_step else None


class Idempotent(InStep):
    """The same, visiting by plain stores."""

    kernel = "bfs/idempotent"

    def members(self) -> Mapping[str, Member]:
        return {**super().members(), "visited": self.visited}


class Unfused(Idempotent):
    """The same with the filter in a step of its own, exact or idempotent."""

    kernel = "bfs/unfused"


class Ahead(Search):
    """Blocks run several levels ahead of each other between two barriers."""

    kernel = "bfs/ahead"

    @property
    def advance(self) -> Advance:
        return Advance.NONE

    @property
    def launch(self) -> Tuning | None:
        return launch_shape(self.graph)

    @property
    def defines(self) -> Macros:
        return {**super().defines, "GR_AHEAD": 1, **ahead_macros(self.graph)}

    def members(self) -> Mapping[str, Member]:
        return {
            **super().members(),
            "run_ahead": self.options.run_ahead,
            "lanes_log": search_lanes_log(self.graph),
            "padded": padded_room(self.graph),
        }


class ExpandContract(Search):
    """Merrill's queues of vertices."""

    kernel = "bfs/expand_contract"

    def members(self) -> Mapping[str, Member]:
        return {**super().members(), "visited": self.visited}

    def frontier_levels(self, outputs: Mapping[str, Array]) -> Array | None:
        return outputs["labels"] if self.pushes_by_level else None


class ContractExpand(Search):
    """Merrill's queues of edges."""

    kernel = "bfs/contract_expand"

    @property
    def advance(self) -> Advance:
        """The advance: a core has only one way to walk the lists of tiles."""
        return Advance.NONE if self.graph.xp is np else Advance.BY_MODE

    @property
    def launch(self) -> Tuning | None:
        return EDGE_QUEUE

    @property
    def queues(self) -> Queues:
        return Queues((self.graph.m, self.graph.m), lists=False)

    @property
    def defines(self) -> Macros:
        return {**super().defines, "GR_CARRY_SOURCE": int(self.options.mark_pred)}

    def members(self) -> Mapping[str, Member]:
        return {**super().members(), "visited": self.visited}


class TwoPhase(ContractExpand):
    """Merrill's queues of vertices and of edges, two steps per level."""

    kernel = "bfs/two_phase"

    @property
    def queues(self) -> Queues:
        return Queues((self.graph.m, self.graph.n), lists=False)


class Hybrid(ContractExpand):
    """Merrill's choice between contract-expand and two-phase, by the number of edges in the queue."""

    kernel = "bfs/hybrid"

    def members(self) -> Mapping[str, Member]:
        threshold = self.options.hybrid_threshold
        return {**super().members(), "threshold": -1 if threshold == "auto" else threshold}


class Quadratic(Search):
    """No queue: every vertex is looked at in every level."""

    kernel = "bfs/quadratic"

    @property
    def advance(self) -> Advance:
        return Advance.NONE if self.graph.xp is np else Advance.BY_MODE

    @property
    def queues(self) -> Queues:
        return Queues((0, 0), lists=False)

    @property
    def pushes_by_level(self) -> bool:
        return False


class Updating(Search):
    """The depths of a graph that has changed, from those of before."""

    graph: Updated
    kernel = "bfs/updated"
    goes_on = True

    @property
    def defines(self) -> Macros:
        return {"GR_SLICED": 0}

    @cached_property
    def _before(self) -> Array:
        return extended(self.graph, "labels", -1)

    def members(self) -> Mapping[str, Member]:
        change, n = self.graph.change, self.graph.n
        return {
            "labels": Room(n, np.int32),
            **queue_members(n),
            **edge_members(change.added(), change.removed()),
            "source": 0,
        }

    def start(self, problem: Problem, source: int) -> None:
        problem["labels"][...] = self._before

    @property
    def pushes_by_level(self) -> bool:
        return False


STRATEGIES: Mapping[str, type[Search]] = {
    "expand-contract": ExpandContract,
    "contract-expand": ContractExpand,
    "two-phase": TwoPhase,
    "hybrid": Hybrid,
    "quadratic": Quadratic,
}
