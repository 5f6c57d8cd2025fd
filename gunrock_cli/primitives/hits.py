"""HITS: hubs and authorities of a directed graph (Kleinberg 1999), by power iteration.

A good hub points to good authorities, and a good authority is pointed to by good hubs. Each iteration
gathers authorities over in-edges, then hubs from those over out-edges, and normalizes both. The two are
the leading singular vectors of the adjacency matrix. On an undirected graph both sides are the same up to
the last iteration's change: its leading eigenvector.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.gather_all import gather_shape, kinds_of_both
from gunrock_cli.primitives.base import Accesses, Options, Outputs, Primitive, Traffic, Validation, Work
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.references import HitsReference, Products, ScipyProducts, excess_at_stop
from gunrock_cli.primitives.renumbering import SAVED_NS, hot_macro, order_of
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

NORMS = ("L1", "L2")
START_SLOTS = (4, 5)
"""Slots of the kernel's totals: those of the half-steps before the first."""
TOTALS = 12
FASTEST = 0.17
"""The least share of an iteration's change that the next one leaves, where neighbours are scattered: on
R-MAT 8 iterations come down to 1e-6 [D-renumber-2]."""
SAVED_OF_SIDES = (0.3, 0.3)
"""As ``renumbering.SAVED``; not measured beyond the cache, where PageRank saves more [D-renumber-2]."""
LEAST_GROWTH = 1 - 1e-3
"""The share of the reference's growth by which another system's fixed point must grow in an iteration."""


class Hits(Primitive):
    name = "hits"
    summary = "HITS: hubs and authorities by power iteration; with --undirected both are the same."
    sweeps = True
    needs_source = False
    needs_reverse = True
    advance_under = None
    queue_factor = 0.0
    directed = True
    sides_apart = True
    answer = ("hubs", "authorities")
    columns = ("hubs", "authorities")
    shared_options = ("tolerance", "max_iterations", "norm")
    limits = ("max_iterations",)
    options = (
        Option(
            "tolerance",
            1e-6,
            kind=float,
            minimum=0.0,
            help="Stop when an iteration changed the authorities by less than this, in --norm. "
            "float32 settles around 1e-7. 0: always --max-iterations.",
        ),
        Option("max-iterations", 50, kind=int, minimum=0, help="Stop after this many iterations."),
        Option(
            "norm",
            "L1",
            choices=NORMS,
            changes_answer=True,
            help="What is 1 of the hubs and of the authorities: their sum, or their length. "
            "Without edges both are all 0.",
        ),
        Option(
            "precision",
            "float32",
            choices=("float32", "float64"),
            define="GR_RANK_DOUBLE",
            changes_answer=True,
            help="Of hubs and authorities; long lists and norms are summed in float64.",
        ),
        order_of_sides(),
    )

    def check_options(self, graph: Graph, options: Options) -> dict[str, Any]:
        width = np.dtype(options["precision"]).itemsize
        order = order_of(
            options["order"], lambda: pays_on_sides(graph, options, width, FASTEST, 0, SAVED_NS)
        )
        return {**options, "order": order}

    def renumbers(self, options: Options) -> bool:
        return bool(options["order"] == "degree")

    def layout_saves(self, options: Options) -> tuple[float, float] | None:
        return SAVED_OF_SIDES

    def defines(self, graph: Graph, options: Options) -> dict[str, str | int]:
        return {"GR_LISTS": kinds_of_both(graph).value, **hot_macro(graph, self.renumbers(options))}

    def launch(self, graph: Graph, options: Options) -> Tuning | None:
        return gather_shape(graph)

    def problem(self, graph: Graph, options: Options) -> dict[str, Array | int | float]:
        xp, n, precision = graph.xp, graph.n, options["precision"]
        hubs = xp.empty(n, precision)
        return {
            "hubs": hubs,
            "authorities": xp.empty(n, precision),
            "hub_values": xp.empty(n, precision) if self.renumbers(options) else hubs,
            "rounds": xp.empty(2 * n, precision),
            "totals": xp.empty(TOTALS, np.float64),
            **long_lists(graph),
            **orders_of_sides(graph),
            "tolerance": options["tolerance"],
            "max_iterations": options["max_iterations"],
            "squares": int(options["norm"] == "L2"),
        }

    def reset(self, problem: dict[str, Any], graph: Graph, options: Options, source: int) -> None:
        for name in ("hubs", "authorities"):
            problem[name].fill(0)
        for name in ("hub_values", "rounds"):
            problem[name].fill(1)
        for name in ("long_in_counts", "long_out_counts", "totals"):
            problem[name].fill(0)
        for slot in START_SLOTS:
            problem["totals"][2 * slot] = graph.n  # the sum of n ones, and of their squares

    def work(self, graph: Graph, options: Options, outputs: dict[str, Array]) -> Work:
        return Work(vertices_visited=graph.n, edges_visited=graph.m)

    def finish_work(self, work: Work, options: Options, steps: int, mean_ms: float) -> Work:
        iterations = (steps - 1) // 2  # one step to begin with, then two per iteration
        metrics = {**work.metrics, "iterations": iterations}
        if iterations:
            metrics |= {"iteration_ms": mean_ms / iterations, "half_step_ms": mean_ms / iterations / 2}
        return replace(work, metrics=metrics, iterations=iterations)

    def traffic(self, graph: Graph, options: Options, work: Work) -> Traffic | None:
        return traffic_of_sides(
            graph, np.dtype(options["precision"]).itemsize, int(work.metrics["iterations"])
        )

    def accesses(self, graph: Graph, options: Options, work: Work) -> Accesses | None:
        return accesses_of_sides(
            graph, np.dtype(options["precision"]).itemsize, int(work.metrics["iterations"])
        )

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        return self.check(graph, options, source, outputs, ScipyProducts(graph))

    def check(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs, products: Products
    ) -> Validation:
        """In the norm asked for, within 1e-6 and the rounding of the precision, either

        - the iterate of a float64 power iteration at which the same rules stop it, or one of those
          around it where rounding decides which, or
        - a fixed point, by one more iteration from the answer, within the tolerance as well, whose hubs
          grow as much as the reference's: other systems stop by other rules, and where several
          communities are as strong, end at other mixtures of them.

        All numbers are sums of positive ones, so that roundings add up to no more than their number.
        """
        if graph.n == 0:
            return Validation("pass", "scipy")
        found = both_sides(outputs, graph.n)
        if found is None:
            return Validation("fail", "scipy", "not a finite hub and authority for every vertex")
        reference = HitsReference(graph, options["norm"], products)
        error = rounding(outputs)
        most, tolerance = options["max_iterations"], options["tolerance"]
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
            f"hubs and authorities are off by {early:.3g} in {options['norm']} where the iteration "
            f"stops, and one more moves them by {residual:.3g}; vertex {worst}: {shown(found, worst)}, "
            f"next {shown(again, worst)}",
        )


PRIMITIVE = Hits()
