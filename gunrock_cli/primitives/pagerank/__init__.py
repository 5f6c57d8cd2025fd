"""PageRank by power iteration: the share of time that a random surfer spends at every vertex.

By default ranks are gathered over in-edges; ``--push`` scatters them over out-edges, from a frontier of
all vertices or, with ``--filter-converged``, of those that have news for their neighbors."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import numpy as np

from gunrock_cli.graph.model.change import Updated
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.primitives.base import Accesses, Traffic, Validation, Work
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.pagerank.choose import choose, choose_updating
from gunrock_cli.primitives.pagerank.in_parts import PullInParts
from gunrock_cli.primitives.pagerank.options import PUSH, PageRankChosen, PageRankOptions
from gunrock_cli.primitives.pagerank.variants import (
    L1_TOLERANCE,
    ROUNDINGS,
    Iteration,
    Pull,
    Push,
    Updating,
)
from gunrock_cli.primitives.parts.base import OnSeveralDevices
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.references import power_iteration
from gunrock_cli.primitives.shown import Outputs


class PageRank(OnSeveralDevices):
    name = "pagerank"
    summary = "PageRank: ranks by power iteration, gathered over in-edges or pushed over out-edges."
    takes = PageRankOptions
    sweeps = True
    source = None
    goes_on_from = "ranks"
    goes_on_with = ("damping", "tolerance", "max_iterations", "weighted", "precision", "normalized")
    needs = Needs(reverse=True)
    frontier = Frontier(advance_under=PUSH, queued=False)
    within_partition = MappingProxyType({"order": "graph"})

    def reads_reverse(self, options: PageRankOptions) -> bool:
        return not options.pushes

    def reads_weights(self, options: PageRankOptions) -> bool:
        return options.weighted

    def plan(self, graph: Graph, asked: PageRankOptions) -> Iteration:
        if isinstance(graph, Updated) and graph.xp is np:  # [D-change-5]
            return Updating(graph, choose_updating(graph, asked))
        chosen = choose(graph, asked, alone=True)
        return (Push if chosen.push else Pull)(graph, chosen)

    def plan_in_parts(self, graph: Graph, asked: PageRankOptions) -> PullInParts:
        return PullInParts(graph, choose(graph, asked, alone=False))

    def work(self, graph: Graph, options: PageRankChosen, outputs: dict[str, Array]) -> Work:
        return Work(vertices_visited=graph.n, edges_visited=graph.m)

    def finish_work(self, work: Work, options: PageRankChosen, steps: int, mean_ms: float) -> Work:
        # one step to begin with; then one per iteration, or scatter and update
        iterations = (steps - 1) // (2 if options.push else 1)
        metrics = {**work.metrics, "iterations": iterations}
        if iterations:
            metrics["iteration_ms"] = mean_ms / iterations
        return replace(work, metrics=metrics, iterations=iterations)

    def traffic(self, graph: Graph, options: PageRankOptions, work: Work) -> Traffic | None:
        """An iteration reads every stored edge, and its weight if that is followed, the end of each list,
        and a share of every vertex that passes something on; it writes the share of each vertex that
        receives something. None if edges are left out."""
        if options.filter_converged:
            return None
        size = np.dtype(options.precision).itemsize
        row = graph.csr.row_offsets.dtype.itemsize
        passing = graph.csr.degrees() > 0
        if graph.reverse is not None:
            fed = graph.reverse.degrees() > 0
        else:  # when pushing, a directed graph has no in-edges
            fed = graph.xp.zeros(graph.n, bool)
            fed[graph.csr.column_indices] = True
        return Traffic(
            read=(8 if options.weighted else 4) * graph.m
            + row * (graph.n + 1)
            + size * int(passing.sum()),
            written=size * int((passing & fed).sum()),
            passes=int(work.metrics["iterations"]),
        )

    def accesses(self, graph: Graph, options: PageRankOptions, work: Work) -> Accesses | None:
        """An iteration reads every edge, and its part of a rank if weights are followed, and gathers a
        share for it; for each vertex it reads the row and the share, and writes the share. None if edges
        are left out."""
        if options.filter_converged:
            return None
        size = np.dtype(options.precision).itemsize
        row = graph.csr.row_offsets.dtype.itemsize
        each = 4 + size if options.weighted else 4
        moved = each * graph.m + (row + 2 * size) * graph.n
        return Accesses(moved, graph.m, size * graph.n, passes=int(work.metrics["iterations"]))

    def validate(
        self, graph: Graph, options: PageRankOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        """Check, in L1 and within 1e-6 and the rounding of the precision, that the answer is either

        - the iterate at which a float64 power iteration stops by the same rules (if those stopped
          it by the tolerance, rounding may shift the stop: two tolerances more), or
        - the ranks that the iteration converges to, with the error that the tolerance leaves,
          ``tolerance * damping / (1 - damping)``: other systems stop by other rules.

        Rounding adds up over iterations to at most ``ROUNDINGS * epsilon / (1 - damping)``."""
        if graph.n == 0:
            return Validation("pass", "scipy")
        ranks = np.asarray(outputs["ranks"])
        damping, tolerance = options.damping, options.tolerance
        epsilon = float(np.finfo(ranks.dtype).eps) if ranks.dtype.kind == "f" else 0.0
        allowed = L1_TOLERANCE + ROUNDINGS * epsilon / (1 - damping)
        found = ranks.astype(np.float64)
        if found.shape != (graph.n,) or not np.isfinite(found).all():
            return Validation("fail", "scipy", "not a finite rank for every vertex")
        if not options.normalized and found.sum() > graph.n**0.5:
            found /= graph.n  # peers' ranks always sum to 1

        iterates = power_iteration(graph, damping, weighted=options.weighted)
        expected, change, iteration = np.full(graph.n, 1 / graph.n), np.inf, 0
        while change >= tolerance and iteration < options.max_iterations:
            expected, change = next(iterates)
            iteration += 1
        early = float(np.abs(found - expected).sum())
        if early <= allowed + (2 * tolerance if change < tolerance else 0.0):
            return Validation("pass", "scipy")

        if isinstance(graph, Updated):  # the limit ends iterates of another start elsewhere
            allowed += 2 * damping**options.max_iterations
        error = damping / (1 - damping)  # times the last change: the distance to the limit
        while change * error > L1_TOLERANCE / 10:
            expected, change = next(iterates)
        late = float(np.abs(found - expected).sum())
        if late <= allowed + tolerance * error:
            return Validation("pass", "scipy")
        worst = int(np.abs(found - expected).argmax())
        return Validation(
            "fail",
            "scipy",
            f"ranks are off by {early:.3g} in L1 after {iteration} iterations and by {late:.3g} "
            f"from their limit; vertex {worst}: {found[worst]:.9g}, expected {expected[worst]:.9g}",
        )


PRIMITIVE = PageRank()
