"""HITS: hubs and authorities of a directed graph (Kleinberg 1999), by power iteration.

A good hub points to good authorities, and a good authority is pointed to by good hubs. Each iteration
gathers authorities over in-edges, then hubs from those over out-edges, and normalizes both. The two are
the leading singular vectors of the adjacency matrix. On an undirected graph both sides are the same up to
the last iteration's change: its leading eigenvector.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array, Csr, Graph
from gunrock_cli.graph.model.memory import require_memory
from gunrock_cli.operators.gather_all import gather_shape, kinds_of_both
from gunrock_cli.primitives.base import Accesses, Primitive, Traffic, Validation, Work
from gunrock_cli.primitives.frontier import NO_FRONTIER
from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.passing import order_of_weighted, weighted_macro
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.references import HitsReference, Products, ScipyProducts, excess_at_stop
from gunrock_cli.primitives.renumbering import (
    SAVED_NS,
    ChosenOrder,
    Order,
    Ordered,
    expected_iterations,
    hot_macro,
    order_of,
)
from gunrock_cli.primitives.shown import Outputs, Shown
from gunrock_cli.primitives.two_sides import (
    TOLERANCE,
    accesses_of_sides,
    both_sides,
    long_lists,
    order_of_sides,
    orders_of_sides,
    pays_on_sides,
    rounding,
    shown,
    traffic_of_sides,
)
from gunrock_cli.primitives.variant import Macros, Member, Problem, Variant

START_SLOTS = (4, 5)
"""Slots of the kernel's totals for the half-steps before the first."""
TOTALS = 12
FASTEST = 0.17
"""The smallest ratio of an iteration's change to the one before, if neighbors are scattered: on R-MAT 8
iterations come down to 1e-6 [D-renumber-2]."""
SAVED_OF_SIDES = (0.3, 0.3)
"""``renumbering.SAVED`` for HITS; not measured beyond the cache, where PageRank saves more
[D-renumber-2]."""
LEAST_GROWTH = 1 - 1e-3
"""The share of the reference's growth by which another system's fixed point must grow in an iteration."""


@dataclass(frozen=True)
class HitsOptions(Ordered, Options):
    """The options of a HITS run as asked."""

    tolerance: float = option(
        1e-6,
        "Stop when an iteration changed the authorities by less than this, in --norm. "
        "float32 settles around 1e-7. 0: always --max-iterations.",
        minimum=0.0,
        shared=True,
    )
    max_iterations: int = option(50, "Stop after this many iterations.", minimum=0, shared=True, limit=0)
    norm: Literal["L1", "L2"] = option(
        "L1",
        "What is 1 of the hubs and of the authorities: their sum, or their length. "
        "Without edges both are all 0.",
        changes_answer=True,
        shared=True,
    )
    weighted: bool = option(
        False,
        "An edge counts as much as it weighs; no weight may be negative.",
        changes_answer=True,
        own=True,
    )
    precision: Literal["float32", "float64"] = option(
        "float32",
        "Of hubs and authorities; long lists and norms are summed in float64.",
        define="GR_RANK_DOUBLE",
        changes_answer=True,
        expert=True,
    )
    order: Order = order_of_sides()

    @property
    def width(self) -> int:
        """Bytes that a vertex passes on."""
        return np.dtype(self.precision).itemsize


@dataclass(frozen=True, kw_only=True)
class HitsChosen(HitsOptions):
    """The options that a run takes."""

    order: ChosenOrder


class InTurn(Variant[HitsChosen]):
    """Authorities are gathered over in-edges, then hubs over out-edges."""

    kernel = "hits"
    answer = ("hubs", "authorities")
    sides_apart = True

    @property
    def launch(self) -> Tuning:
        return gather_shape(self.graph)

    @property
    def renumbers(self) -> bool:
        return self.options.by_degree

    @property
    def layout_saves(self) -> tuple[float, float]:
        return SAVED_OF_SIDES

    @property
    def defines(self) -> Macros:
        return {
            "GR_LISTS": kinds_of_both(self.graph).value,
            **hot_macro(self.graph, self.renumbers),
            **weighted_macro(self.options.weighted),
        }

    def members(self) -> Mapping[str, Member]:
        n, chosen = self.graph.n, self.options
        values = Room(n, chosen.precision, filled=1)
        return {
            "hubs": Room(n, chosen.precision, filled=0) if self.renumbers else values,
            "authorities": Room(n, chosen.precision, filled=0),
            "hub_values": values if self.renumbers else None,
            "rounds": Room(2 * n, chosen.precision, filled=1),
            "totals": Room(TOTALS, np.float64, filled=0),
            **long_lists(self.graph),
            **orders_of_sides(self.graph),
            "tolerance": chosen.tolerance,
            "max_iterations": chosen.max_iterations,
            "squares": int(chosen.norm == "L2"),
            **self._weights(),
        }

    def _weights(self) -> Mapping[str, Member]:
        """The weights of both kinds of lists, the greatest of which is 1."""
        graph = self.graph
        if not self.options.weighted:
            return {"in_weights": None, "out_weights": None}
        assert graph.reverse is not None
        kinds = [graph.csr] if graph.undirected else [graph.csr, graph.reverse]
        width = np.dtype(self.options.precision).itemsize
        require_memory(graph.xp, len(kinds) * width * graph.m, f"{graph.name}: weights of its edges")
        scaled = [_scaled(lists, self.options.precision) for lists in kinds]
        return {"in_weights": scaled[-1], "out_weights": scaled[0]}

    def allocate(self, shared: Mapping[str, Any] | None = None) -> Problem:
        """Allocate the members. In the graph's own order the gathered values are the answer itself."""
        problem = super().allocate(shared)
        return problem if self.renumbers else {**problem, "hub_values": problem["hubs"]}

    def start(self, problem: Problem, source: int) -> None:
        for slot in START_SLOTS:
            problem["totals"][2 * slot] = self.graph.n  # the sum of n ones, and of their squares


def _scaled(lists: Csr, precision: str) -> Array:
    """The weights divided by the greatest."""
    values = lists.values
    assert values is not None
    greatest = float(values.max()) if lists.m else 0.0
    return (values / np.float64(greatest or 1)).astype(precision)


class Hits(Primitive):
    name = "hits"
    summary = "HITS: hubs and authorities by power iteration; with --undirected both are the same."
    takes = HitsOptions
    sweeps = True
    source = None
    needs = Needs(reverse=True, directed=True)
    frontier = NO_FRONTIER
    shows = Shown(columns=("hubs", "authorities"))

    def plan(self, graph: Graph, asked: HitsOptions) -> InTurn:
        def pays() -> bool:
            iterations = expected_iterations(asked.max_iterations, asked.tolerance, FASTEST)
            return pays_on_sides(graph, asked.width, 2 * iterations, SAVED_NS)

        by_weight = asked.weighted
        order = order_of_weighted(graph, asked.order) if by_weight else order_of(asked.order, pays)
        return InTurn(graph, HitsChosen.resolved(asked, order=order))

    def reads_weights(self, options: HitsOptions) -> bool:
        return options.weighted

    def work(self, graph: Graph, options: HitsOptions, outputs: dict[str, Array]) -> Work:
        return Work(vertices_visited=graph.n, edges_visited=graph.m)

    def finish_work(self, work: Work, options: HitsOptions, steps: int, mean_ms: float) -> Work:
        iterations = (steps - 1) // 2  # one step to begin with, then two per iteration
        metrics = {**work.metrics, "iterations": iterations}
        if iterations:
            metrics |= {"iteration_ms": mean_ms / iterations, "half_step_ms": mean_ms / iterations / 2}
        return replace(work, metrics=metrics, iterations=iterations)

    def traffic(self, graph: Graph, options: HitsOptions, work: Work) -> Traffic | None:
        edge = 8 if options.weighted else 4
        return traffic_of_sides(graph, options.width, int(work.metrics["iterations"]), edge)

    def accesses(self, graph: Graph, options: HitsOptions, work: Work) -> Accesses | None:
        edge = 4 + options.width if options.weighted else 4
        return accesses_of_sides(graph, options.width, int(work.metrics["iterations"]), edge)

    def validate(
        self, graph: Graph, options: HitsOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        return self.check(graph, options, source, outputs, ScipyProducts(graph, options.weighted))

    def check(
        self, graph: Graph, options: HitsOptions, source: int | None, outputs: Outputs, products: Products
    ) -> Validation:
        """Check, in the norm asked for, within 1e-6 and the rounding of the precision, that the answer is
        either

        - the iterate of a float64 power iteration at which the same rules stop it, or one of those
          around it if rounding decides which, or
        - a fixed point, by one more iteration from the answer, within the tolerance as well, whose hubs
          grow as much as the reference's: other systems stop by other rules, and if several
          communities are equally strong, end at other mixtures of them.

        All numbers are sums of positive numbers, so roundings add up to no more than their count."""
        if graph.n == 0:
            return Validation("pass", "scipy")
        found = both_sides(outputs, graph.n)
        if found is None:
            return Validation("fail", "scipy", "not a finite hub and authority for every vertex")
        reference = HitsReference(graph, options.norm, products)
        error = rounding(outputs)
        most, tolerance = options.max_iterations, options.tolerance
        early = excess_at_stop(
            reference.iterates(),
            reference.start(),
            tolerance,
            most,
            error,
            lambda expected: reference.distance(found, expected),
        )
        if early <= TOLERANCE:
            return Validation("pass", "scipy")
        again = reference.next(found)
        residual = reference.distance(found, again)
        if residual <= TOLERANCE + tolerance + 2 * error:
            needed = LEAST_GROWTH * reference.growth(reference.limit(most))
            if reference.growth(found) >= needed:
                return Validation("pass", "scipy")
        worst = int(np.abs(found - again).max(axis=1).argmax())
        return Validation(
            "fail",
            "scipy",
            f"hubs and authorities are off by {early:.3g} in {options.norm} where the iteration "
            f"stops, and one more moves them by {residual:.3g}; vertex {worst}: {shown(found, worst)}, "
            f"next {shown(again, worst)}",
        )


PRIMITIVE = Hits()
