"""Personalized PageRank: the share of time that a walk spends at every vertex if it restarts at its seeds
now and then, and whenever there is no edge to follow.

By default ranks are gathered over in-edges, for one set of seeds or, with ``--batch``, for many seeds at
once; ``--method push`` moves unsettled rank along out-edges, and looks only at the part of the graph that
it reaches; ``--method walks`` estimates ranks by where random walks end."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import numpy as np

from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.jsontypes import Metric
from gunrock_cli.operators.gather_rows import ROW
from gunrock_cli.primitives.base import Accesses, Primitive, Validation, Work
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.ppr.check import check_answer
from gunrock_cli.primitives.ppr.choose import choose
from gunrock_cli.primitives.ppr.options import PprChosen, PprOptions
from gunrock_cli.primitives.ppr.variants import Ranking, ranking_of
from gunrock_cli.primitives.ppr.walks import error_of
from gunrock_cli.primitives.question import Needs, Source
from gunrock_cli.primitives.references import ScipyProducts
from gunrock_cli.primitives.shown import Outputs, Shown


class Ranks(Shown):
    """A column for each seed of a batch."""

    def column_names(self, options: PprChosen) -> tuple[str, ...]:
        if not options.batch:
            return ()
        assert options.seeds is not None
        names = [f"seed {seed}" for seed in options.seeds.split(",")]
        if len(set(names)) < len(names):
            names = [f"{name} ({number})" for number, name in enumerate(names)]
        return tuple(names)


class PersonalizedPageRank(Primitive):
    name = "ppr"
    summary = "Personalized PageRank: ranks as seen from a set of seeds, or from many seeds at once."
    takes = PprOptions
    sweeps = True
    needs = Needs(reverse=True)
    shows = Ranks()
    source = Source(("seeds", "batch"))
    frontier = Frontier(advance_under=MappingProxyType({"method": "push"}))

    def reads_weights(self, options: PprOptions) -> bool:
        return options.weighted

    def reads_reverse(self, options: PprOptions) -> bool:
        return options.gathers

    def plan(self, graph: Graph, asked: PprOptions) -> Ranking:
        return ranking_of(graph, choose(graph, asked))

    def work(self, graph: Graph, options: PprChosen, outputs: dict[str, Array]) -> Work:
        ranks = outputs["ranks"]
        if options.pushes:
            reached = int((ranks > 0).sum())
            unsettled = max(0.0, 1 - float(ranks.sum(dtype=np.float64)))
            return Work(vertices_visited=reached, metrics={"unsettled": unsettled})
        if options.walks is not None:
            metrics: dict[str, Metric] = {
                "walks": options.walks,
                "error": error_of(graph.n, options.walks),
            }
            return Work(vertices_visited=int((ranks > 0).sum()), metrics=metrics)
        return Work(vertices_visited=graph.n, edges_visited=graph.m)

    def finish_work(self, work: Work, options: PprChosen, steps: int, mean_ms: float) -> Work:
        if options.walks is not None:
            return work
        # one step to begin with; then one per iteration, or settle and push
        iterations = (steps - 1) // (2 if options.pushes else 1)
        metrics = {**work.metrics, "iterations": iterations}
        if iterations:
            metrics["iteration_ms"] = mean_ms / iterations
        if options.batch:
            metrics["ms_per_seed"] = mean_ms / options.batch
        return replace(work, metrics=metrics, iterations=iterations)

    def accesses(self, graph: Graph, options: PprChosen, work: Work) -> Accesses | None:
        """Estimate as for PageRank; in a batch a neighbor's shares are their own row. (There is no floor:
        most of the graph is out of reach at first, on a mesh to the end, and need not be read.)"""
        if not options.gathers:
            return None
        size = options.width
        row = graph.csr.row_offsets.dtype.itemsize
        passes = int(work.metrics["iterations"])
        if options.batch:
            rows = ROW * size
            return Accesses((4 + rows) * graph.m + (row + 2 * rows) * graph.n, 0, rows * graph.n, passes)
        each = 4 + size if options.weighted else 4
        return Accesses(each * graph.m + (row + 2 * size) * graph.n, graph.m, size * graph.n, passes)

    def validate(
        self, graph: Graph, options: PprChosen, source: int | None, outputs: Outputs
    ) -> Validation:
        return check_answer(graph, options, source, outputs, ScipyProducts(graph, options.weighted))


PRIMITIVE = PersonalizedPageRank()
