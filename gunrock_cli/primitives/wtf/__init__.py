"""Who to follow: recommends users whom a user's circle of trust follows and the user does not follow yet.

The circle consists of the vertices that rank best by personalized PageRank from the user. SALSA between
them and all whom they follow scores the latter, and the best are the recommendations. One enactor does
all of this and is measured as one. With ``--batch`` one enactor serves many users, in groups of 32."""

from __future__ import annotations

from dataclasses import replace

from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.jsontypes import Metric
from gunrock_cli.primitives.base import Primitive, Validation, Work
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.references import ScipyProducts
from gunrock_cli.primitives.shown import Outputs
from gunrock_cli.primitives.wtf.check import check_answer
from gunrock_cli.primitives.wtf.choose import choose
from gunrock_cli.primitives.wtf.options import WtfOptions
from gunrock_cli.primitives.wtf.shown import Recommendations
from gunrock_cli.primitives.wtf.source import User
from gunrock_cli.primitives.wtf.variants import PHASES, Batch, Pipeline, Recommending


class WhoToFollow(Primitive):
    name = "wtf"
    summary = "Who to follow: recommendations from a user's circle of trust, by PageRank and SALSA."
    takes = WtfOptions
    sweeps = True
    needs = Needs(reverse=True)
    source = User(("user", "users", "batch"))
    shows = Recommendations(vertices=("recommendations", "circle", "users", "circles"))

    def plan(self, graph: Graph, asked: WtfOptions) -> Recommending:
        chosen = choose(graph, asked)
        return Batch(graph, chosen) if chosen.batch else Pipeline(graph, chosen)

    def work(self, graph: Graph, options: WtfOptions, outputs: dict[str, Array]) -> Work:
        """Add the time of each phase, from the last run."""
        circle = outputs["circles" if options.batch else "circle"]
        metrics: dict[str, Metric] = {"users": options.batch} if options.batch else {}
        metrics |= {
            "circle_found": int((circle >= 0).sum()),
            "recommended": int((outputs["recommendations"] >= 0).sum()),
        }
        if "phases_ms" in outputs:  # peers have none
            metrics |= {
                f"{phase}_ms": float(ms) for phase, ms in zip(PHASES, outputs["phases_ms"], strict=True)
            }
        return Work(vertices_visited=graph.n, metrics=metrics)

    def finish_work(self, work: Work, options: WtfOptions, steps: int, mean_ms: float) -> Work:
        if not options.batch:
            return work
        return replace(work, metrics={**work.metrics, "ms_per_user": mean_ms / options.batch})

    def validate(
        self, graph: Graph, options: WtfOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        return check_answer(graph, options, source, outputs, ScipyProducts(graph))


PRIMITIVE = WhoToFollow()
