"""Checks of recommendations: phase by phase, each on the result of the phase before."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph, to_numpy
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.references import Products, highest, power_iteration, salsa_scores
from gunrock_cli.primitives.shown import Outputs
from gunrock_cli.primitives.wtf.options import WtfOptions

RELATIVE = 1e-5
"""The relative error of float32 ranks and scores against float64: a few roundings of ranks in each
iteration, which add up to 1 / (1 - damping) of them; one rounding of scores."""
MOST_CHECKED = 8
"""The number of users of a batch that are checked: spread over all, as the reference takes them one by
one."""


def check_answer(
    graph: Graph, options: WtfOptions, source: int | None, outputs: Outputs, products: Products
) -> Validation:
    """Check phase by phase against NumPy and SciPy in float64, each phase on the result of the one
    before: the circle against a power iteration that stops by the same rules, or one iteration sooner or
    later; scores against SALSA of that circle; recommendations against a sort of those scores."""
    host = graph.without_reverse().to(np)
    outputs = {name: to_numpy(array) for name, array in outputs.items()}
    ranks = partial(last_iterates, graph, options, products=products)
    if options.batch:
        return check_batch(host, options, outputs, ranks)
    assert source is not None
    circle, scores, chosen = (outputs[name] for name in ("circle", "scores", "recommendations"))
    wrong = (
        wrong_circle(host, options, source, circle[circle >= 0], ranks)
        or wrong_scores(host, options, source, circle[circle >= 0], scores)
        or wrong_choice(options, scores, chosen)
    )
    return Validation("fail" if wrong else "pass", "scipy", wrong)


LastRanks = Callable[[int], list[np.ndarray[Any, Any]]]
"""The ``last_iterates`` of a user."""


def check_batch(graph: Graph, options: WtfOptions, outputs: Outputs, ranks: LastRanks) -> Validation:
    """Check each user's answer on its own, for a limited number of users."""
    users = np.array(options.users_of_batch)
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
    graph: Graph, options: WtfOptions, user: int, circle: np.ndarray[Any, Any], last_ranks: LastRanks
) -> str:
    """The error in a user's circle, or an empty string. Near ties may go either way."""
    if len(np.unique(circle)) < len(circle) or (circle == user).any() or (circle >= graph.n).any():
        return "circle: not different vertices other than the user"
    inside = np.zeros(graph.n, bool)
    inside[circle] = True
    outside = ~inside
    outside[user] = False
    for ranks in last_ranks(user):
        lowest = ranks[circle].min(initial=np.inf)
        missed = ranks[outside].max(initial=0.0)
        full = len(circle) == min(options.circle, graph.n - 1)
        if full and lowest >= missed * (1 - RELATIVE):
            return ""
        if not full and lowest > 0 and missed <= np.finfo(np.float32).tiny:
            return ""
    return f"circle: {len(circle)} vertices, and not those that rank best"


def last_iterates(
    graph: Graph, options: WtfOptions, user: int, products: Products
) -> list[np.ndarray[Any, Any]]:
    """The ranks at which a power iteration in float64 stops, and those just before and after, as rounding
    may shift the stop. On the host, wherever the graph is."""
    start = graph.xp.zeros(graph.n)
    start[user] = 1
    iterates = power_iteration(graph, options.damping, start, products=products)
    found, change, iteration = [start], np.inf, 0
    while change >= options.tolerance and iteration < options.max_iterations:
        ranks, change = next(iterates)
        found, iteration = [*found[-1:], ranks], iteration + 1
    if change < options.tolerance and iteration < options.max_iterations:
        found.append(next(iterates)[0])
    wanted = found if change < options.tolerance else found[-1:]
    return [to_numpy(ranks) for ranks in wanted]


def wrong_scores(
    graph: Graph,
    options: WtfOptions,
    user: int,
    circle: np.ndarray[Any, Any],
    scores: np.ndarray[Any, Any],
) -> str:
    """The error in the scores that this circle leads to, or an empty string."""
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
    graph: Graph, options: WtfOptions, user: int, circle: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any]:
    """The expected score of every vertex, in float64: 0 for the user, for those the user follows, and out
    of the circle's reach."""
    from scipy.sparse import csr_array

    csr = graph.csr
    matrix = csr_array((np.ones(graph.m), csr.column_indices, csr.row_offsets), shape=(graph.n, graph.n))
    expected = salsa_scores(matrix[circle], options.salsa_iterations)
    expected[matrix[[user]].indices] = 0
    expected[user] = 0
    return expected


def wrong_best(
    graph: Graph,
    options: WtfOptions,
    user: int,
    circle: np.ndarray[Any, Any],
    chosen: np.ndarray[Any, Any],
    scores: np.ndarray[Any, Any],
) -> str:
    """The error in a circle's recommendations and their scores, or an empty string; near ties may go
    either way."""
    expected = expected_scores(graph, options, user, circle)
    full = min(options.recommendations, int((expected > 0).sum()))
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


def wrong_choice(options: WtfOptions, scores: np.ndarray[Any, Any], chosen: np.ndarray[Any, Any]) -> str:
    """The error in the recommendations that these scores lead to, or an empty string."""
    expected = highest(scores, options.recommendations)
    found = chosen[chosen >= 0]
    if np.array_equal(found, expected):
        return ""
    return f"recommendations: {found[:5].tolist()}..., expected {expected[:5].tolist()}..."
