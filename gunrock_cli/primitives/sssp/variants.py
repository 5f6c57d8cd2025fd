"""The ways to shortest paths: each is a kernel of ``kernels/primitives/sssp``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.change import Updated
from gunrock_cli.graph.model.graph import Array
from gunrock_cli.operators.advance import Advance
from gunrock_cli.operators.advance_ahead import ahead_macros, launch_shape, padded_room, search_lanes_log
from gunrock_cli.primitives.going_on import edge_members, extended, queue_members
from gunrock_cli.primitives.sssp.distances import (
    INT_UNREACHED,
    may_leave_range,
    shown_distances,
    weights_of,
)
from gunrock_cli.primitives.sssp.options import SsspChosen
from gunrock_cli.primitives.sssp.widths import auto_delta, in_range, least_weight, raised_by
from gunrock_cli.primitives.variant import Macros, Member, Problem, Variant


class Paths(Variant[SsspChosen]):
    """The base of both variants: distances, and whether one is too long for its type."""

    @property
    def constants(self) -> Mapping[str, int]:
        return {"UNREACHED": INT_UNREACHED} if self.of_integers else {}

    @property
    def of_integers(self) -> bool:
        """True if weights are integers, and so are distances."""
        return bool(weights_of(self.graph).dtype == np.int32)

    @cached_property
    def checks_range(self) -> bool:
        """True if some path could be too long for the type of the weights."""
        return may_leave_range(self.graph)

    @property
    def defines(self) -> Macros:
        return {
            "GR_CHECK_RANGE": int(self.checks_range),
            "GR_BOUNDED": int(self.options.bounded),
            "GR_AHEAD": int(self.options.runs_ahead),
        }

    @property
    def distances(self) -> Room:
        """A distance for every vertex of the graph."""
        unreached = INT_UNREACHED if self.of_integers else np.inf
        return Room(self.graph.n, weights_of(self.graph).dtype, filled=unreached)

    def members(self) -> Mapping[str, Member]:
        return {
            "distances": self.distances,
            "out_of_range": Room(1, np.uint32, filled=0) if self.checks_range else None,
            "source": 0,
            "delta": weights_of(self.graph).dtype.type(self.options.delta),
        }

    def start(self, problem: Problem, source: int) -> None:
        problem["distances"][source] = 0

    def outputs(self, problem: Problem) -> dict[str, Array]:
        too_long = problem["out_of_range"] is not None and bool(problem["out_of_range"][0])
        found = {"distances": shown_distances(self.graph, problem["distances"], too_long)}
        return found | ({"predecessors": problem["preds"]} if self.options.mark_pred else {})


class InStep(Paths):
    """All blocks relax a slice together, or everything found."""

    kernel = "sssp/in_step"

    def members(self) -> Mapping[str, Member]:
        n, words, chosen = self.graph.n, (self.graph.n + 31) // 32, self.options
        dtype, least = weights_of(self.graph).dtype, least_weight(self.graph)
        stamps = {"queue-id": n, "bitmap": 2 * words, "none": 0}[chosen.redundancy]
        bound = chosen.bound or 0
        return {
            **super().members(),
            "queued": Room(stamps, np.uint32, filled=0) if stamps else None,
            "bitmap_stride": words,
            "far": Room(2 * n, np.int32) if chosen.priority_queue else None,
            "preds": Room(n, np.int32, filled=-1) if chosen.mark_pred else None,
            "bitmap": Room(words, np.uint32, filled=0) if chosen.mark_pred else None,
            "bound": dtype.type(bound),
            "raise": dtype.type(raised_by(bound, least, dtype)),
            "least": dtype.type(least),
        }

    @property
    def successor(self) -> Ahead | None:
        if not self.options.may_leave:
            return None
        ahead = replace(
            self.options,
            run_ahead="on",
            priority_queue=True,
            direction="push",
            bound=None,
            delta=in_range(self.graph, auto_delta(self.graph, "on")),
        )
        return Ahead(self.graph, ahead)


class Updating(Paths):
    """The distances in a graph that has changed, from those of before."""

    graph: Updated
    kernel = "sssp/updated"
    goes_on = True

    @property
    def defines(self) -> Macros:
        return {"GR_CHECK_RANGE": int(self.checks_range), "GR_SLICED": 1}

    @cached_property
    def _before(self) -> Array:
        found = extended(self.graph, "distances", INT_UNREACHED if self.of_integers else np.inf)
        found[self.graph.xp.less(found, 0)] = INT_UNREACHED  # answers of integers say -1
        return found

    def members(self) -> Mapping[str, Member]:
        change = self.graph.change
        return {
            **super().members(),
            "distances": replace(self.distances, filled=None),
            "far": Room(2 * self.graph.n, np.int32),
            "waits": Room((self.graph.n + 31) // 32, np.uint32, filled=0),
            **queue_members(self.graph.n),
            **edge_members(change.new_paths(), change.lost_paths(), weights_of(self.graph)),
        }

    def start(self, problem: Problem, source: int) -> None:
        problem["distances"][...] = self._before


class Ahead(Paths):
    """Blocks run ahead of each other within a slice."""

    kernel = "sssp/ahead"

    @property
    def advance(self) -> Advance:
        return Advance.NONE

    @property
    def launch(self) -> Tuning | None:
        return launch_shape(self.graph, weighted=True)

    @property
    def defines(self) -> Macros:
        return {**super().defines, **ahead_macros(self.graph, weighted=True)}

    def members(self) -> Mapping[str, Member]:
        return {
            **super().members(),
            "queued": Room(self.graph.n, np.uint32, filled=0),
            "lanes_log": search_lanes_log(self.graph),
            "padded": padded_room(self.graph, weighted=True),
        }
