"""SALSA: hubs and authorities of a directed or bipartite graph by random walks (Lempel and Moran 2001).

A walk goes forward along a random edge and back along a random one. Hub scores are the distribution of a
walk after every second step if it begins evenly at vertices with out-edges; authority scores are that of
a walk that begins at vertices with in-edges. In the limit, within each connected part of the two sides,
authorities are proportional to their in-degrees and hubs to their out-degrees.

With ``--seeds`` there is one walk. It begins at the seeds as hubs and, whenever it comes back to that
side, restarts with probability ``--restart``: hub scores are then its distribution on that side,
authority scores its last one on the other."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.primitives.base import Accesses, Primitive, Traffic, Validation, Work
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.references import Products, SalsaReference, ScipyProducts, excess_at_stop
from gunrock_cli.primitives.salsa.choose import choose
from gunrock_cli.primitives.salsa.options import SalsaChosen, SalsaOptions
from gunrock_cli.primitives.salsa.variants import Walks, start_at, walks_of
from gunrock_cli.primitives.shown import Outputs, Shown
from gunrock_cli.primitives.two_sides import (
    TOLERANCE,
    accesses_of_sides,
    both_sides,
    rounding,
    shown,
    traffic_of_sides,
)


class Salsa(Primitive):
    name = "salsa"
    summary = (
        "SALSA: hubs and authorities by random walks forward and back; --undirected: "
        "edges lead both ways."
    )
    takes = SalsaOptions
    sweeps = True
    source = None
    needs = Needs(reverse=True, directed=True)
    frontier = Frontier(advance_under=MappingProxyType({"variant": "edges"}), queued=False)
    shows = Shown(columns=("hubs", "authorities"))

    def plan(self, graph: Graph, asked: SalsaOptions) -> Walks:
        return walks_of(graph, choose(graph, asked))

    def work(self, graph: Graph, options: SalsaChosen, outputs: dict[str, Array]) -> Work:
        return Work(vertices_visited=graph.n, edges_visited=graph.m)

    def finish_work(self, work: Work, options: SalsaChosen, steps: int, mean_ms: float) -> Work:
        # one step to begin with, plus half an iteration if both walks are gathered
        pairs = not options.by_edges and options.seeds is None
        iterations = (steps - 1 - pairs) // 2
        metrics = {**work.metrics, "iterations": iterations}
        if iterations:
            metrics["iteration_ms"] = mean_ms / iterations
        if iterations and not options.by_edges:
            metrics["half_step_ms"] = mean_ms / (2 * iterations + pairs)
        return replace(work, metrics=metrics, iterations=iterations)

    def traffic(self, graph: Graph, options: SalsaChosen, work: Work) -> Traffic | None:
        return traffic_of_sides(graph, options.width, int(work.metrics["iterations"]))

    def accesses(self, graph: Graph, options: SalsaChosen, work: Work) -> Accesses | None:
        """None for the frontier of edges, whose gathers and atomics differ in number."""
        if options.by_edges:
            return None
        return accesses_of_sides(graph, options.width, int(work.metrics["iterations"]))

    def validate(
        self, graph: Graph, options: SalsaChosen, source: int | None, outputs: Outputs
    ) -> Validation:
        return self.check(graph, options, source, outputs, ScipyProducts(graph))

    def check(
        self, graph: Graph, options: SalsaChosen, source: int | None, outputs: Outputs, products: Products
    ) -> Validation:
        """Check, in L1 and within 1e-6 and the rounding of the precision, that the answer is the iterate
        at which float64 walks stop by the same rules, or one next to it if rounding decides which."""
        if graph.n == 0:
            return Validation("pass", "scipy")
        found = both_sides(outputs, graph.n)
        if found is None:
            return Validation("fail", "scipy", "not a finite hub and authority for every vertex")
        seeds = options.seeds
        start = None if seeds is None else graph.xp.asarray(start_at(graph, seeds))
        reference = SalsaReference(graph, start, options.restart or 0.0, products)
        nearest: list[tuple[float, np.ndarray[Any, Any]]] = []

        def distance(expected: np.ndarray[Any, Any]) -> float:
            off = float(np.abs(found - expected).sum(axis=0).max())
            if not nearest or off < nearest[0][0]:
                nearest[:] = [(off, expected)]
            return off

        off = excess_at_stop(
            reference.iterates(),
            reference.start(),
            options.tolerance,
            options.max_iterations,
            rounding(outputs),
            distance,
        )
        if off <= TOLERANCE:
            return Validation("pass", "scipy")
        least, expected = nearest[0]
        worst = int(np.abs(found - expected).max(axis=1).argmax())
        return Validation(
            "fail",
            "scipy",
            f"hubs and authorities are off by {least:.3g} in L1; vertex {worst}: "
            f"{shown(found, worst)}, expected {shown(expected, worst)}",
        )


PRIMITIVE = Salsa()
