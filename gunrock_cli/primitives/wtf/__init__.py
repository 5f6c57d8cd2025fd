"""Who to follow: recommends users whom a user's circle of trust follows and the user does not follow yet.

The circle consists of the vertices that rank best by personalized PageRank from the user. SALSA between
them and all whom they follow scores the latter, and the best are the recommendations. One enactor does
all of this and is measured as one. With ``--batch`` one enactor serves many users, in groups of 32."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.graph.vertex_list import by_number, listed_vertices
from gunrock_cli.primitives.base import Listing, Outputs, Primitive, Validation, Work
from gunrock_cli.primitives.references import ScipyProducts
from gunrock_cli.primitives.wtf.check import check_answer
from gunrock_cli.primitives.wtf.choose import choose
from gunrock_cli.primitives.wtf.options import WtfOptions
from gunrock_cli.primitives.wtf.rows import BATCH_COLUMNS
from gunrock_cli.primitives.wtf.variants import PHASES, Batch, Pipeline, Recommending

_HEADINGS = ("place", "vertex", "score")


class WhoToFollow(Primitive):
    name = "wtf"
    summary = "Who to follow: recommendations from a user's circle of trust, by PageRank and SALSA."
    takes = WtfOptions
    sweeps = True
    needs_reverse = True
    instead_of_source = ("user", "users", "batch")
    lists_answer = True
    vertex_outputs = ("recommendations", "circle", "users", "circles")
    shared_options = (
        "users",
        "batch",
        "circle",
        "salsa_iterations",
        "recommendations",
        "damping",
        "tolerance",
        "max_iterations",
    )
    limits = ("max_iterations",)

    def named_sources(self, graph: Graph, options: WtfOptions) -> list[int]:
        user, users = options.user, options.users
        if user is not None and users is not None:
            raise UsageError("--user names one, --users several: leave one of them out")
        if users is not None:
            return listed_vertices(graph, users, "--users", repeated=True)
        return [] if user is None else listed_vertices(graph, by_number(str(user)), "--user")

    def reads_source(self, options: WtfOptions) -> bool:
        return options.batch is None

    def row_columns(self, options: WtfOptions) -> Mapping[str, str]:
        """A list's columns for a batch; none for one user, whose answer is a score per vertex."""
        return BATCH_COLUMNS if options.batch else {}

    def plan(self, graph: Graph, asked: WtfOptions, alone: bool = True) -> Recommending:
        chosen = choose(graph, asked)
        return Batch(graph, chosen) if chosen.batch else Pipeline(graph, chosen)

    def work(self, graph: Graph, options: WtfOptions, outputs: dict[str, Array]) -> Work:
        """Add the time of each phase, from the last run."""
        circle = outputs["circles" if options.batch else "circle"]
        metrics: dict[str, Any] = {"users": options.batch} if options.batch else {}
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

    def listing(self, outputs: Outputs) -> Listing:
        found = [int(v) for v in outputs["recommendations"] if v >= 0]
        rows = ((place, v, float(outputs["scores"][v])) for place, v in enumerate(found, 1))
        return Listing(_HEADINGS, tuple(rows))

    def listings(
        self, options: WtfOptions, source: int | None, outputs: Outputs
    ) -> list[tuple[int, Listing]]:
        if not options.batch:
            return super().listings(options, source, outputs)
        columns = [outputs[name] for name in ("places", "recommendations", "scores")]
        tables = []
        for user in options.users_of_batch:
            own = outputs["users"] == user
            rows = zip(*(column[own].tolist() for column in columns), strict=True)
            tables.append((user, Listing(_HEADINGS, tuple(rows))))
        return tables

    def validate(
        self, graph: Graph, options: WtfOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        return check_answer(graph, options, source, outputs, ScipyProducts(graph))


PRIMITIVE = WhoToFollow()
