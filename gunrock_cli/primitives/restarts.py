"""PageRank of a walk that begins, and begins again, by any distributions over the vertices. Only the
NetworkX backend uses it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.primitives.base import Primitive, Work
from gunrock_cli.primitives.frontier import NO_FRONTIER
from gunrock_cli.primitives.ppr import PRIMITIVE
from gunrock_cli.primitives.ppr.choose import choose
from gunrock_cli.primitives.ppr.options import PprChosen, PprOptions
from gunrock_cli.primitives.ppr.variants import Power
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.variant import Macros, Member, Problem


@dataclass(frozen=True)
class Walk:
    """Distributions over the vertices, each of sum 1: where the walk is at first, where it begins again
    instead of following an edge, and where it does if there is no edge to follow."""

    first: Array
    again: Array
    stuck: Array


@dataclass(frozen=True)
class FromAnywhere(Power):
    """Power iteration for a walk."""

    walk: Walk

    @property
    def defines(self) -> Macros:
        return {**super().defines, "GR_RESTARTS": 1}

    def members(self) -> Mapping[str, Member]:
        xp, kind = self.graph.xp, self.options.precision
        return {
            **super().members(),
            "seed_bits": None,
            "restarts": xp.asarray(self.walk.again, kind),
            "stuck": xp.asarray(self.walk.stuck, kind),
        }

    def start(self, problem: Problem, source: int) -> None:
        xp, shares = self.graph.xp, self.passing.shares
        ranks = xp.asarray(self.walk.first, float)
        problem["shares"][: self.graph.n] = ranks / xp.maximum(shares, 1)
        problem["totals"][1] = ranks[shares == 0].sum()


class Restarts(Primitive):
    """``ranks`` of a walk; the options are those of ``ppr``, without seeds."""

    name = "ppr-restarts"
    summary = "PageRank of a walk that begins again by any distribution."
    takes = PprOptions
    sweeps = True
    source = None
    needs = Needs(reverse=True)
    frontier = NO_FRONTIER

    def __init__(self, walk: Walk) -> None:
        self.walk = walk

    def reads_weights(self, options: PprOptions) -> bool:
        return PRIMITIVE.reads_weights(options)

    def plan(self, graph: Graph, asked: PprOptions) -> FromAnywhere:
        return FromAnywhere(graph, choose(graph, replace(asked, order="graph")), self.walk)

    def finish_work(self, work: Work, options: PprChosen, steps: int, mean_ms: float) -> Work:
        return PRIMITIVE.finish_work(work, options, steps, mean_ms)
