"""Who to follow: of those whom a user's circle of trust follows, whom the user does not follow yet.

The circle consists of the vertices that rank best by personalized PageRank from the user. SALSA between
them and all whom they follow scores the latter, and the best are the recommendations. All of it is one
enactor, measured as one. With ``--batch`` one enactor serves many users, in groups of 32.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model import Array, Graph, to_numpy
from gunrock_cli.graph.vertex_list import by_number, listed_vertices
from gunrock_cli.operators.advance import Advance
from gunrock_cli.operators.gather_all import kinds_of_lists
from gunrock_cli.operators.gather_rows import ROW
from gunrock_cli.operators.launch_shapes import GATHER
from gunrock_cli.operators.select import HISTOGRAM_WORDS, ROW_HISTOGRAM_WORDS, ROW_STATE_WORDS
from gunrock_cli.primitives.base import Listing, Options, Outputs, Primitive, Validation, Work
from gunrock_cli.primitives.options import Option
from gunrock_cli.primitives.references import (
    Products,
    ScipyProducts,
    highest,
    power_iteration,
    salsa_scores,
)
from gunrock_cli.primitives.seeds import begin_at, drawn_seeds

PHASES = ("ppr", "circle", "salsa", "recommend")
"""The parts of a run, one after the other."""
RELATIVE = 1e-5
"""How far ranks and scores in float32 may be from those in float64, relatively: ranks by a few roundings
in each iteration, which add up to 1 / (1 - damping) of them; scores by one."""
MOST_CHECKED = 8
"""How many users of a batch are checked: spread over all, as the reference takes each on its own."""


class WhoToFollow(Primitive):
    name = "wtf"
    summary = "Who to follow: recommendations from a user's circle of trust, by PageRank and SALSA."
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
    options = (
        Option("user", None, kind=int, minimum=0, help="Recommend to this vertex; default: --src."),
        Option(
            "users",
            None,
            kind=str,
            lists_vertices=True,
            help="To several, one after the other: 3,5,9, or @FILE with vertices separated by "
            "commas or blanks.",
        ),
        Option(
            "batch",
            None,
            kind=int,
            minimum=1,
            maximum=1024,
            help="This many users at once, in one run: those of --users, or as many vertices with "
            "out-edges, drawn at random (always the same ones).",
        ),
        Option(
            "circle",
            500,
            kind=int,
            minimum=0,
            maximum=10_000,
            help="Size of the circle of trust: the vertices other than the user that rank best.",
        ),
        Option(
            "salsa-iterations",
            10,
            kind=int,
            minimum=1,
            help="Times that scores go from the circle to whom it follows (and back in between).",
        ),
        Option("recommendations", 20, kind=int, minimum=0, maximum=10_000, help="How many."),
        Option(
            "damping",
            0.85,
            kind=float,
            minimum=0.0,
            maximum=0.999,
            help="Of personalized PageRank: the chance to follow an edge rather than to begin anew.",
        ),
        Option(
            "tolerance",
            1e-6,
            kind=float,
            minimum=0.0,
            help="Of personalized PageRank: stop when an iteration changed the ranks, which sum to 1, "
            "by less than this in all (L1). 0: always --max-iterations.",
        ),
        Option(
            "max-iterations",
            100,
            kind=int,
            minimum=0,
            help="Of personalized PageRank: stop after so many.",
        ),
    )

    def named_sources(self, graph: Graph, options: Options) -> list[int]:
        user, users = options["user"], options["users"]
        if user is not None and users is not None:
            raise UsageError("--user names one, --users several: leave one of them out")
        if users is not None:
            return listed_vertices(graph, users, "--users", repeated=True)
        return [] if user is None else listed_vertices(graph, by_number(str(user)), "--user")

    def reads_source(self, options: Options) -> bool:
        return options["batch"] is None

    def check_options(self, graph: Graph, options: Options) -> dict[str, Any]:
        """The users of a batch are resolved to a list of vertices."""
        if options["batch"] is None:
            return dict(options)
        return {**options, "users": ",".join(map(str, users_at_once(graph, options)))}

    def row_columns(self, options: Options) -> Mapping[str, str]:
        """For a batch, a list; for one user, a score of each vertex."""
        return BATCH_COLUMNS if options["batch"] else {}

    def advances(self, graph: Graph, options: Options) -> Advance:
        return Advance.BALANCED if not options["batch"] else Advance.NONE

    def defines(self, graph: Graph, options: Options) -> dict[str, str | int]:
        return {} if options["batch"] else {"GR_LISTS": kinds_of_lists(graph).value}

    def constants(self, graph: Graph, options: Options) -> dict[str, int]:
        if options["batch"]:
            return {
                "ROW": ROW,
                "ROW_HISTOGRAM_WORDS": ROW_HISTOGRAM_WORDS,
                "ROW_STATE_WORDS": ROW_STATE_WORDS,
            }
        return {"HISTOGRAM_WORDS": HISTOGRAM_WORDS}

    def kernel_file(self, graph: Graph, options: Options) -> Path:
        return self.variant_file("batch" if options["batch"] else "pipeline")

    def launch(self, graph: Graph, options: Options) -> Tuning | None:
        return GATHER

    def problem(self, graph: Graph, options: Options) -> dict[str, Array | int | float]:
        xp, n = graph.xp, graph.n
        settings = {
            "damping": options["damping"],
            "tolerance": options["tolerance"],
            "max_iterations": options["max_iterations"],
            "circle_size": options["circle"],
            "salsa_iterations": options["salsa_iterations"],
            "wanted": options["recommendations"],
        }
        if options["batch"]:
            return {**batch_arrays(graph, options), **settings}
        return {
            **settings,
            "scores": xp.empty(n, np.float32),
            "recommendations": xp.empty(options["recommendations"], np.int32),
            "circle": xp.empty(options["circle"], np.int32),
            "clock": xp.empty(len(PHASES) + 1, np.uint64),
            "ranks": xp.empty(n, np.float32),
            "shares": xp.empty(2 * n, np.float32),
            "totals": xp.empty(6, np.float64),
            "seed_bits": xp.empty((n + 31) // 32, np.uint32),
            "seed_weight": 1.0,
            "long_lists": xp.empty(n, np.int32),
            "long_counts": xp.empty(2, np.int32),
            "followers": xp.empty(n, np.int32),
            "authorities": xp.empty(n, np.int32),
            "sums": xp.empty(2 * n, np.uint64),
            "passed": xp.empty(n, np.float64),
            "counts": xp.empty(5, np.int64),
            "histograms": xp.empty(2 * HISTOGRAM_WORDS, np.uint32),
            "user": 0,
        }

    def reset(self, problem: dict[str, Any], graph: Graph, options: Options, source: int) -> None:
        if options["batch"]:  # the kernel clears what each group leaves
            for name in ("recommendations", "circle"):
                problem[name].fill(-1)
            for name in ("long_in_count", "long_out_count"):
                problem[name].fill(0)
            return
        problem["user"] = source
        for name in ("scores", "followers", "sums", "counts", "histograms"):
            problem[name].fill(0)
        for name in ("shares", "totals", "long_counts"):
            problem[name].fill(0)
        begin_at(problem, graph, graph.xp.asarray([source], np.int32))
        for name in ("recommendations", "circle"):
            problem[name].fill(-1)

    def outputs(self, problem: dict[str, Any], graph: Graph, options: Options) -> dict[str, Array]:
        clock = problem["clock"].astype(np.int64).reshape(-1, len(PHASES) + 1)
        phases = {"phases_ms": (clock[:, 1:] - clock[:, :-1]).sum(axis=0) / 1e6}
        if options["batch"]:
            rows, users = len(problem["users"]), problem["users"][: options["batch"]]
            chosen, scores, circles = (
                problem[name].reshape(rows, options[size])[: len(users)]
                for name, size in (
                    ("recommendations", "recommendations"),
                    ("scores", "recommendations"),
                    ("circle", "circle"),
                )
            )
            return {**batch_outputs(users, chosen, scores, circles), **phases}
        return {
            "scores": problem["scores"],
            "recommendations": problem["recommendations"],
            "circle": problem["circle"],
            **phases,
        }

    def work(self, graph: Graph, options: Options, outputs: dict[str, Array]) -> Work:
        """The time of each phase is the last run's."""
        circle = outputs["circles" if options["batch"] else "circle"]
        metrics: dict[str, Any] = {"users": options["batch"]} if options["batch"] else {}
        metrics |= {
            "circle_found": int((circle >= 0).sum()),
            "recommended": int((outputs["recommendations"] >= 0).sum()),
        }
        if "phases_ms" in outputs:  # peers have none
            metrics |= {
                f"{phase}_ms": float(ms) for phase, ms in zip(PHASES, outputs["phases_ms"], strict=True)
            }
        return Work(vertices_visited=graph.n, metrics=metrics)

    def finish_work(self, work: Work, options: Options, steps: int, mean_ms: float) -> Work:
        if not options["batch"]:
            return work
        return replace(work, metrics={**work.metrics, "ms_per_user": mean_ms / options["batch"]})

    def listing(self, outputs: Outputs) -> Listing:
        found = [int(v) for v in outputs["recommendations"] if v >= 0]
        return Listing(
            ("place", "vertex", "score"),
            tuple((place, v, float(outputs["scores"][v])) for place, v in enumerate(found, 1)),
        )

    def listings(
        self, options: Options, source: int | None, outputs: Outputs
    ) -> list[tuple[int, Listing]]:
        if not options["batch"]:
            return super().listings(options, source, outputs)
        columns = [outputs[name] for name in ("places", "recommendations", "scores")]
        return [
            (
                user,
                Listing(
                    ("place", "vertex", "score"),
                    tuple(
                        zip(
                            *(column[outputs["users"] == user].tolist() for column in columns),
                            strict=True,
                        )
                    ),
                ),
            )
            for user in _numbers(options["users"])
        ]

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        return self.check(graph, options, source, outputs, ScipyProducts(graph))

    def check(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs, products: Products
    ) -> Validation:
        """Phase by phase against NumPy and SciPy in float64, each phase on what the one before it found:
        the circle against a power iteration that stops by the same rules, or one iteration sooner or
        later; scores against SALSA of that circle; recommendations against a sort of those scores."""
        host = graph.without_reverse().to(np)
        outputs = {name: to_numpy(array) for name, array in outputs.items()}
        ranks = partial(last_iterates, graph, options, products=products)
        if options["batch"]:
            return check_batch(host, options, outputs, ranks)
        assert source is not None
        circle, scores, chosen = (outputs[name] for name in ("circle", "scores", "recommendations"))
        wrong = (
            wrong_circle(host, options, source, circle[circle >= 0], ranks)
            or wrong_scores(host, options, source, circle[circle >= 0], scores)
            or wrong_choice(options, scores, chosen)
        )
        return Validation("fail" if wrong else "pass", "scipy", wrong)


BATCH_COLUMNS = MappingProxyType(
    {"user": "users", "place": "places", "vertex": "recommendations", "score": "scores"}
)
"""What --save writes for a batch, a row for each recommendation, and the outputs that hold it."""


def users_at_once(graph: Graph, options: Options) -> list[int]:
    """The users of a batch; UsageError where there are not that many different ones."""
    batch = options["batch"]
    if options["user"] is not None:
        raise UsageError("--user names one: with --batch give --users, or neither")
    if graph.n == 0:
        raise UsageError(f"{graph.name} has no vertices, so no users")
    if options["users"] is not None:
        users = listed_vertices(graph, options["users"], "--users")
        if len(users) != batch:
            raise UsageError(f"--batch {batch}: --users has {len(users)}")
        return users
    users = drawn_seeds(graph, batch)
    if len(set(users)) < batch:
        raise UsageError(
            f"--batch {batch}: {graph.name} has too few vertices with out-edges to draw so "
            "many; name others by --users"
        )
    return users


def batch_arrays(graph: Graph, options: Options) -> dict[str, Array | int | float]:
    """The arrays of ``kernels/primitives/wtf/batch.cuh``."""
    xp, n, rows = graph.xp, graph.n, graph.n * ROW
    users = _numbers(options["users"])
    groups = -(-len(users) // ROW)
    padded = np.full(groups * ROW, -1, np.int32)
    padded[: len(users)] = users
    room = max(options["circle"], options["recommendations"])
    return {
        "recommendations": xp.empty(groups * ROW * options["recommendations"], np.int32),
        "scores": xp.empty(groups * ROW * options["recommendations"], np.float32),
        "circle": xp.empty(groups * ROW * options["circle"], np.int32),
        "clock": xp.empty(groups * (len(PHASES) + 1), np.uint64),
        "users": xp.asarray(padded),
        "groups": groups,
        "shares": xp.empty(2 * (rows + ROW), np.float32),
        "totals": xp.empty(6 * ROW, np.float64),
        "long_in_lists": xp.empty(n, np.int32),
        "long_in_count": xp.empty(1, np.int32),
        "long_out_lists": xp.empty(n, np.int32),
        "long_out_count": xp.empty(1, np.int32),
        "marks": xp.empty(n, np.uint64),
        "reached": xp.empty(n, np.uint32),
        "followers": xp.empty(rows, np.uint32),
        "passed": xp.empty(rows, np.uint64),
        "returned": xp.empty(rows, np.float64),
        "authority_scores": xp.empty(rows, np.float32),
        "hubs": xp.empty(ROW, np.int32),
        "histograms": xp.empty(2 * ROW_HISTOGRAM_WORDS, np.uint32),
        "prefixes": xp.empty(ROW_STATE_WORDS, np.uint64),
        "left": xp.empty(ROW_STATE_WORDS, np.int64),
        "picks": xp.empty(ROW * room, np.int32),
        "pick_values": xp.empty(ROW * room, np.float32),
        "pick_counts": xp.empty(2 * ROW, np.int32),
        "room": room,
    }


def batch_outputs(users: Array, chosen: Array, scores: Array, circles: Array) -> dict[str, Array]:
    """A row for each recommendation, user by user, the best first; ``chosen`` and ``scores`` have a row
    for each user, as ``circles`` has, padded with -1."""
    found = chosen >= 0
    whose, places = found.nonzero()
    return {
        "users": users[whose],
        "places": (places + 1).astype(np.int32),
        "recommendations": chosen[found],
        "scores": scores[found],
        "circles": circles,
    }


def one_after_the_other(users: Sequence[int], found: Sequence[Outputs], size: int) -> dict[str, Array]:
    """The same for answers found one by one, each with a score for every vertex and a circle that is
    shorter than ``size`` where it has no more members."""
    counts = [len(each["recommendations"]) for each in found]
    circles = np.full((len(users), size), -1, np.int32)
    for row, each in zip(circles, found, strict=True):
        row[: len(each["circle"])] = each["circle"]
    return {
        "users": np.repeat(np.array(users, np.int32), counts),
        "places": np.concatenate([np.arange(1, count + 1, dtype=np.int32) for count in counts]),
        "recommendations": np.concatenate([each["recommendations"] for each in found]),
        "scores": np.concatenate([each["scores"][each["recommendations"]] for each in found]),
        "circles": circles,
    }


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


LastRanks = Callable[[int], list[np.ndarray[Any, Any]]]
"""One user's ``last_iterates``."""


def check_batch(graph: Graph, options: Options, outputs: Outputs, ranks: LastRanks) -> Validation:
    """Each user's answer is checked on its own, for a limited number of users."""
    users = np.array(_numbers(options["users"]))
    checked = np.unique(np.linspace(0, len(users) - 1, min(len(users), MOST_CHECKED)).astype(int))
    for row in checked.tolist():
        user, circle = int(users[row]), outputs["circles"][row]
        of_user = outputs["users"] == user
        chosen, scores = outputs["recommendations"][of_user], outputs["scores"][of_user]
        wrong = wrong_circle(graph, options, user, circle[circle >= 0], ranks) or wrong_best(
            graph, options, user, circle[circle >= 0], chosen, scores
        )
        if wrong:
            return Validation("fail", "scipy", f"user {user}: {wrong}")
    return Validation("pass", "scipy", sources=len(checked))


def wrong_circle(
    graph: Graph, options: Options, user: int, circle: np.ndarray[Any, Any], last_ranks: LastRanks
) -> str:
    """What is wrong with a user's circle; empty if nothing is. Near ties may go either way."""
    if len(np.unique(circle)) < len(circle) or (circle == user).any() or (circle >= graph.n).any():
        return "circle: not different vertices other than the user"
    inside = np.zeros(graph.n, bool)
    inside[circle] = True
    outside = ~inside
    outside[user] = False
    for ranks in last_ranks(user):
        lowest = ranks[circle].min(initial=np.inf)
        missed = ranks[outside].max(initial=0.0)
        full = len(circle) == min(options["circle"], graph.n - 1)
        if full and lowest >= missed * (1 - RELATIVE):
            return ""
        if not full and lowest > 0 and missed <= np.finfo(np.float32).tiny:
            return ""
    return f"circle: {len(circle)} vertices, and not those that rank best"


def last_iterates(
    graph: Graph, options: Options, user: int, products: Products
) -> list[np.ndarray[Any, Any]]:
    """The ranks at which a power iteration in float64 stops, and those just before and after, as rounding
    may shift the stop. On the host, wherever the graph lies."""
    start = graph.xp.zeros(graph.n)
    start[user] = 1
    iterates = power_iteration(graph, options["damping"], start, products=products)
    found, change, iteration = [start], np.inf, 0
    while change >= options["tolerance"] and iteration < options["max_iterations"]:
        ranks, change = next(iterates)
        found, iteration = [*found[-1:], ranks], iteration + 1
    if change < options["tolerance"] and iteration < options["max_iterations"]:
        found.append(next(iterates)[0])
    wanted = found if change < options["tolerance"] else found[-1:]
    return [to_numpy(ranks) for ranks in wanted]


def wrong_scores(
    graph: Graph, options: Options, user: int, circle: np.ndarray[Any, Any], scores: np.ndarray[Any, Any]
) -> str:
    """The same for the scores that this circle leads to."""
    expected = expected_scores(graph, options, user, circle)
    if scores.shape != expected.shape:
        return f"scores: shape {scores.shape}, expected {expected.shape}"
    wrong = np.flatnonzero(~np.isclose(scores, expected, rtol=RELATIVE, atol=1e-15))
    if len(wrong) == 0:
        return ""
    return (
        f"{len(wrong)} scores differ: vertex {wrong[0]}: {scores[wrong[0]]:.6g}, expected "
        f"{expected[wrong[0]]:.6g}"
    )


def expected_scores(
    graph: Graph, options: Options, user: int, circle: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any]:
    """The expected score of every vertex, in float64: 0 for the user, for those the user follows, and out
    of the circle's reach."""
    from scipy.sparse import csr_array

    csr = graph.csr
    matrix = csr_array((np.ones(graph.m), csr.column_indices, csr.row_offsets), shape=(graph.n, graph.n))
    expected = salsa_scores(matrix[circle], options["salsa_iterations"])
    expected[matrix[[user]].indices] = 0
    expected[user] = 0
    return expected


def wrong_best(
    graph: Graph,
    options: Options,
    user: int,
    circle: np.ndarray[Any, Any],
    chosen: np.ndarray[Any, Any],
    scores: np.ndarray[Any, Any],
) -> str:
    """What is wrong with a circle's recommendations and their scores; near ties may go either way."""
    expected = expected_scores(graph, options, user, circle)
    full = min(options["recommendations"], int((expected > 0).sum()))
    if len(chosen) != full or len(np.unique(chosen)) < full:
        return f"recommendations: {len(np.unique(chosen))} vertices, expected {full}"
    wrong = np.flatnonzero(~np.isclose(scores, expected[chosen], rtol=RELATIVE, atol=1e-15))
    if len(wrong):
        v = int(chosen[wrong[0]])
        return f"scores: vertex {v}: {scores[wrong[0]]:.6g}, expected {expected[v]:.6g}"
    if not np.array_equal(chosen, chosen[np.lexsort((chosen, -scores))]):
        return "recommendations: not in the order of their scores"
    others = expected.copy()
    others[chosen] = 0
    best = int(others.argmax())
    if full and others[best] * (1 - RELATIVE) > scores[-1]:
        return f"recommendations: they lack vertex {best}, of score {others[best]:.6g}"
    return ""


def wrong_choice(options: Options, scores: np.ndarray[Any, Any], chosen: np.ndarray[Any, Any]) -> str:
    """The same for the recommendations that these scores lead to."""
    expected = highest(scores, options["recommendations"])
    found = chosen[chosen >= 0]
    if np.array_equal(found, expected):
        return ""
    return f"recommendations: {found[:5].tolist()}..., expected {expected[:5].tolist()}..."


PRIMITIVE = WhoToFollow()
