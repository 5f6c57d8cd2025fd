"""The ways to iterate: each is a kernel of ``kernels/primitives/pagerank``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.change import Updated
from gunrock_cli.graph.model.graph import Array
from gunrock_cli.operators.advance import Advance
from gunrock_cli.operators.gather_all import gather_shape, kinds_of_lists
from gunrock_cli.operators.gather_padded import room_for, suits_padding
from gunrock_cli.operators.launch_shapes import GATHER
from gunrock_cli.primitives.going_on import extended
from gunrock_cli.primitives.pagerank.options import PageRankChosen
from gunrock_cli.primitives.passing import Passing, weighted_macro
from gunrock_cli.primitives.renumbering import SAVED, Renumbered, hot_macro
from gunrock_cli.primitives.variant import Macros, Member, Problem, Variant

L1_TOLERANCE = 1e-6
"""The largest L1 distance of an answer from the reference, without rounding and the stopping rule."""
FILTER_SHARE = 0.5
"""The share of the tolerance (and of L1_TOLERANCE) by which the filter alone may move ranks."""


class Iteration(Variant[PageRankChosen]):
    """The base of both variants: ranks, the values that vertices pass on, and sums over all vertices."""

    @property
    def even(self) -> float:
        """The rank that every vertex begins with."""
        return 1.0 / max(self.graph.n, 1)

    def members(self) -> Mapping[str, Member]:
        n, chosen = self.graph.n, self.options
        return {
            "ranks": Room(n, chosen.precision),
            "shares": Room(2 * n, chosen.precision),
            "totals": Room(6, np.float64, filled=0),
            "damping": chosen.damping,
            "tolerance": chosen.tolerance,
            "max_iterations": chosen.max_iterations,
        }

    def pass_on_evenly(self, problem: Problem, degrees: Array) -> Array:
        """Write the value that each vertex passes on at first, and return all values."""
        xp, shares = self.graph.xp, problem["shares"][: self.graph.n]
        xp.divide(self.even, xp.maximum(degrees, 1), out=shares)
        return shares

    def outputs(self, problem: Problem) -> dict[str, Array]:
        return {"ranks": scaled(problem["ranks"], self.graph.n, self.options)}


class Pull(Iteration):
    """Every vertex gathers over its in-edges."""

    kernel = "pagerank/pull"

    @property
    def advance(self) -> Advance:
        return Advance.NONE

    @property
    def launch(self) -> Tuning:
        return gather_shape(self.graph)

    @property
    def renumbers(self) -> bool:
        return self.options.by_degree

    @property
    def layout_saves(self) -> tuple[float, float]:
        return SAVED

    @cached_property
    def passing(self) -> Passing:
        """How vertices pass their ranks on."""
        return Passing.of(self.graph, self.options.weighted, self.options.precision)

    @property
    def pads(self) -> bool:
        """True if it gathers from a copy of the lists with room for a few entries in each: on a GPU, in
        the graph's order, if out-degrees are like those in [D-padded-1]."""
        graph = self.graph
        return (
            graph.xp is not np
            and graph.undirected
            and not self.options.weighted
            and not self.renumbers
            and suits_padding(graph.csr)
        )

    @property
    def defines(self) -> Macros:
        return {
            "GR_LISTS": kinds_of_lists(self.graph).value,
            **hot_macro(self.graph, self.renumbers),
            **({"GR_PADDED": 1} if self.pads else {}),
            **weighted_macro(self.options.weighted),
        }

    def members(self) -> Mapping[str, Member]:
        graph = self.graph
        return {
            **super().members(),
            "even": self.even,
            "dangling": self.passing.dangling / max(graph.n, 1),
            "long_lists": Room(graph.n, np.int32),
            "long_counts": Room(2, np.int32, filled=0),
            "padded": Room(room_for(graph.csr), np.int32) if self.pads else None,
            "order": graph.order if isinstance(graph, Renumbered) else None,
            **self.passing.members(),
        }

    def start(self, problem: Problem, source: int) -> None:
        self.pass_on_evenly(problem, self.passing.shares)


class Updating(Pull):
    """The same from the ranks of before, of a graph that has changed since: they are close to those now,
    so that mostly fewer iterations are left [D-change-4]."""

    graph: Updated
    goes_on = True

    @cached_property
    def _before(self) -> Array:
        """Ranks that sum to 1, float64: those of before, to which new vertices add even ones."""
        ranks = extended(self.graph, "ranks", 0).astype(np.float64)
        xp, known = self.graph.xp, len(self.graph.before["ranks"])
        if known:
            ranks *= known / self.graph.n / float(ranks.sum())
        ranks[known:] = self.even
        return xp.maximum(ranks, 0)

    def members(self) -> Mapping[str, Member]:
        lone = self.graph.xp.equal(self.passing.shares, 0)
        return {**super().members(), "dangling": float((self._before * lone).sum())}

    def start(self, problem: Problem, source: int) -> None:
        xp, n = self.graph.xp, self.graph.n
        problem["shares"][:n] = self._before / xp.maximum(self.passing.shares, 1)


class Push(Iteration):
    """The vertices of a frontier, either all or those with news, scatter over their out-edges."""

    kernel = "pagerank/push"

    @property
    def launch(self) -> Tuning:
        return GATHER

    @property
    def defines(self) -> Macros:
        return {"GR_RANK_FILTER": int(self.options.filter_converged)}

    @property
    def slack(self) -> float:
        """The most that a vertex may keep back of what it passes on along each of its edges.

        With at most ``slack`` per edge, ranks are computed from others that are off by ``m * slack`` in
        L1; each iteration hands on ``damping`` of the error and adds as much, which sums to ``m * slack *
        damping / (1 - damping)``."""
        damping = max(self.options.damping, 1e-9)
        error = FILTER_SHARE * min(self.options.tolerance, L1_TOLERANCE)
        return float(error * (1 - damping) / (damping * max(self.graph.m, 1)))

    def members(self) -> Mapping[str, Member]:
        n = self.graph.n
        return {
            **super().members(),
            "ranks": Room(n, self.options.precision, filled=self.even),
            "sums": Room(n, np.float64, filled=0),
            "slack": self.slack,
        }

    def start(self, problem: Problem, source: int) -> None:
        degrees = self.graph.csr.degrees()
        dangling = degrees == 0
        self.pass_on_evenly(problem, degrees)[dangling] = 0
        problem["shares"][self.graph.n :].fill(0)
        problem["totals"][1:2] = dangling.sum() * self.even


def scaled(ranks: Array, n: int, chosen: PageRankChosen) -> Array:
    """Scale ranks that sum to 1 as ``--normalized`` asks."""
    return ranks if chosen.normalized else ranks * ranks.dtype.type(n)


ROUNDINGS = 4
"""Roundings of a rank in one iteration: of its neighbors' shares, of their sum, and of itself."""
