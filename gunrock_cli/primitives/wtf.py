"""Who to follow: whom a user does not follow yet, of those whom its circle of trust follows.

The circle are the vertices that rank best by personalized PageRank from the user; SALSA between them
and all whom they follow scores the latter, and the best are the recommendations. The whole is one
enactor, measured as one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model import Array, Graph
from gunrock_cli.graph.vertex_list import by_number, listed_vertices
from gunrock_cli.operators.gather_all import kinds_of_lists
from gunrock_cli.operators.launch_shapes import GATHER
from gunrock_cli.operators.select import HISTOGRAM_WORDS
from gunrock_cli.primitives.base import (
    Listing,
    Option,
    Options,
    Outputs,
    Primitive,
    Validation,
    Work,
)
from gunrock_cli.primitives.ppr import reset_power
from gunrock_cli.primitives.references import highest, power_iteration, salsa_scores

PHASES = ("ppr", "circle", "salsa", "recommend")
"""What a run consists of, one after the other."""
RELATIVE = 1e-5
"""How far ranks and scores in float32 may be from those in float64, relatively: ranks by a few roundings
in each iteration, which add up to 1 / (1 - damping) of them; scores by one."""


class WhoToFollow(Primitive):
    name = "wtf"
    summary = "Who to follow: recommendations from a user's circle of trust, by PageRank and SALSA."
    needs_reverse = True
    lists_answer = True
    vertex_outputs = ("recommendations", "circle")
    shared_options = ("circle", "salsa_iterations", "recommendations", "damping", "tolerance",
                      "max_iterations")
    options = (
        Option("user", None, kind=int, minimum=0, help="Recommend to this vertex; default: --src."),
        Option("users", None, kind=str, lists_vertices=True,
               help="To several, one after the other: 3,5,9, or @FILE with vertices apart by commas or "
               "blanks."),
        Option("circle", 500, kind=int, minimum=0, maximum=10_000,
               help="Size of the circle of trust: the vertices other than the user that rank best."),
        Option("salsa-iterations", 10, kind=int, minimum=1,
               help="Times that scores go from the circle to whom it follows (and back in between)."),
        Option("recommendations", 20, kind=int, minimum=0, maximum=10_000, help="How many."),
        Option("damping", 0.85, kind=float, minimum=0.0, maximum=0.999,
               help="Of personalized PageRank: the chance to follow an edge rather than to begin anew."),
        Option("tolerance", 1e-6, kind=float, minimum=0.0,
               help="Of personalized PageRank: stop when an iteration changed the ranks, which sum to 1, "
               "by less than this in all (L1). 0: always --max-iterations."),
        Option("max-iterations", 100, kind=int, minimum=0,
               help="Of personalized PageRank: stop after so many."),
    )

    def named_sources(self, graph: Graph, options: Options) -> list[int]:
        user, users = options["user"], options["users"]
        if user is not None and users is not None:
            raise UsageError("--user names one, --users several: leave one of them out")
        if users is not None:
            return listed_vertices(graph, users, "--users", repeated=True)
        return [] if user is None else listed_vertices(graph, by_number(str(user)), "--user")

    def defines(self, graph: Graph, options: Options) -> dict[str, str | int]:
        return {"GR_LISTS": kinds_of_lists(graph).value}

    def constants(self, graph: Graph, options: Options) -> dict[str, int]:
        return {"HISTOGRAM_WORDS": HISTOGRAM_WORDS}

    def kernel_file(self, graph: Graph, options: Options) -> Path:
        return self.variant_file("pipeline")

    def launch(self, graph: Graph, options: Options) -> Tuning | None:
        return GATHER

    def problem(self, graph: Graph, options: Options) -> dict[str, Array | int | float]:
        xp, n = graph.xp, graph.n
        return {
            "scores": xp.empty(n, np.float32),
            "recommendations": xp.empty(options["recommendations"], np.int32),
            "circle": xp.empty(options["circle"], np.int32),
            "clock": xp.empty(len(PHASES) + 1, np.uint64),
            "ranks": xp.empty(n, np.float32), "shares": xp.empty(2 * n, np.float32),
            "totals": xp.empty(6, np.float64),
            "seed_bits": xp.empty((n + 31) // 32, np.uint32), "seed_weight": 1.0,
            "long_lists": xp.empty(n, np.int32), "long_counts": xp.empty(2, np.int32),
            "followers": xp.empty(n, np.int32), "authorities": xp.empty(n, np.int32),
            "sums": xp.empty(2 * n, np.uint64), "passed": xp.empty(n, np.float64),
            "hubs": xp.empty(1, np.int64), "histograms": xp.empty(2 * HISTOGRAM_WORDS, np.uint32),
            "user": 0, "damping": options["damping"], "tolerance": options["tolerance"],
            "max_iterations": options["max_iterations"], "circle_size": options["circle"],
            "salsa_iterations": options["salsa_iterations"], "wanted": options["recommendations"],
        }

    def reset(self, problem: dict[str, Any], graph: Graph, options: Options, source: int) -> None:
        reset_power(problem, graph, graph.xp.asarray([source], np.int32))
        problem["user"] = source
        for name in ("scores", "followers", "sums", "hubs", "histograms"):
            problem[name].fill(0)
        for name in ("recommendations", "circle"):
            problem[name].fill(-1)

    def outputs(self, problem: dict[str, Any], graph: Graph, options: Options) -> dict[str, Array]:
        clock = problem["clock"].astype(np.int64)
        return {"scores": problem["scores"], "recommendations": problem["recommendations"],
                "circle": problem["circle"], "phases_ms": (clock[1:] - clock[:-1]) / 1e6}

    def work(self, graph: Graph, options: Options, outputs: dict[str, Array]) -> Work:
        """The time of each phase is that of the last run."""
        metrics: dict[str, Any] = {"circle_found": int((outputs["circle"] >= 0).sum()),
                                   "recommended": int((outputs["recommendations"] >= 0).sum())}
        if "phases_ms" in outputs:  # peers have none
            metrics |= {f"{phase}_ms": float(ms)
                        for phase, ms in zip(PHASES, outputs["phases_ms"], strict=True)}
        return Work(vertices_visited=graph.n, metrics=metrics)

    def listing(self, outputs: Outputs) -> Listing:
        found = [int(v) for v in outputs["recommendations"] if v >= 0]
        return Listing(("place", "vertex", "score"), tuple(
            (place, v, float(outputs["scores"][v])) for place, v in enumerate(found, 1)))

    def validate(self, graph: Graph, options: Options, source: int | None,
                 outputs: Outputs) -> Validation:
        """Phase by phase against NumPy and SciPy in float64, each on what the one before it has found:
        the circle against a power iteration that stops by the same rules, or one iteration sooner or
        later; scores against SALSA of that circle; recommendations against a sort of those scores."""
        assert source is not None
        circle, scores, chosen = (np.asarray(outputs[name]) for name in (
            "circle", "scores", "recommendations"))
        wrong = (wrong_circle(graph, options, source, circle[circle >= 0])
                 or wrong_scores(graph, options, source, circle[circle >= 0], scores)
                 or wrong_choice(options, scores, chosen))
        return Validation("fail" if wrong else "pass", "scipy", wrong)


def wrong_circle(graph: Graph, options: Options, user: int, circle: np.ndarray[Any, Any]) -> str:
    """What is wrong with the circle of a user; empty where nothing is. Near ties may go either way."""
    if len(np.unique(circle)) < len(circle) or (circle == user).any() or (circle >= graph.n).any():
        return "circle: not different vertices other than the user"
    inside = np.zeros(graph.n, bool)
    inside[circle] = True
    outside = ~inside
    outside[user] = False
    for ranks in last_iterates(graph, options, user):
        lowest = ranks[circle].min(initial=np.inf)
        missed = ranks[outside].max(initial=0.0)
        full = len(circle) == min(options["circle"], graph.n - 1)
        if full and lowest >= missed * (1 - RELATIVE):
            return ""
        if not full and lowest > 0 and missed <= np.finfo(np.float32).tiny:
            return ""
    return f"circle: {len(circle)} vertices, and not those that rank best"


def last_iterates(graph: Graph, options: Options, user: int) -> list[np.ndarray[Any, Any]]:
    """The ranks at which a power iteration in float64 stops, and those before and behind them: rounding
    may shift the stop."""
    start = np.zeros(graph.n)
    start[user] = 1
    iterates = power_iteration(graph, options["damping"], start)
    found, change, iteration = [start], np.inf, 0
    while change >= options["tolerance"] and iteration < options["max_iterations"]:
        ranks, change = next(iterates)
        found, iteration = [*found[-1:], ranks], iteration + 1
    if change < options["tolerance"] and iteration < options["max_iterations"]:
        found.append(next(iterates)[0])
    return found if change < options["tolerance"] else found[-1:]


def wrong_scores(graph: Graph, options: Options, user: int, circle: np.ndarray[Any, Any],
                 scores: np.ndarray[Any, Any]) -> str:
    """The same of the scores that this circle leads to."""
    from scipy.sparse import csr_array

    csr = graph.csr
    matrix = csr_array((np.ones(graph.m), csr.column_indices, csr.row_offsets), shape=(graph.n, graph.n))
    expected = salsa_scores(matrix[circle], options["salsa_iterations"])
    expected[matrix[[user]].indices] = 0
    expected[user] = 0
    if scores.shape != expected.shape:
        return f"scores: shape {scores.shape}, expected {expected.shape}"
    wrong = np.flatnonzero(~np.isclose(scores, expected, rtol=RELATIVE, atol=1e-15))
    if len(wrong) == 0:
        return ""
    return (f"{len(wrong)} scores differ: vertex {wrong[0]}: {scores[wrong[0]]:.6g}, expected "
            f"{expected[wrong[0]]:.6g}")


def wrong_choice(options: Options, scores: np.ndarray[Any, Any], chosen: np.ndarray[Any, Any]) -> str:
    """The same of the recommendations that these scores lead to."""
    expected = highest(scores, options["recommendations"])
    found = chosen[chosen >= 0]
    if np.array_equal(found, expected):
        return ""
    return f"recommendations: {found[:5].tolist()}..., expected {expected[:5].tolist()}..."


PRIMITIVE = WhoToFollow()
