"""Checks of personalized ranks: by the change that one more iteration would make."""

from __future__ import annotations

from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.pagerank.variants import L1_TOLERANCE, ROUNDINGS
from gunrock_cli.primitives.ppr.options import TOLERANCE, PprChosen, PprOptions, seeds_of
from gunrock_cli.primitives.ppr.walks import ends_of_walks
from gunrock_cli.primitives.references import Products, power_iteration
from gunrock_cli.primitives.shown import Outputs

LONG_SUMS = 1e-12
"""The relative difference allowed between sums of many float64 that were added up in different orders."""


def check_answer(
    graph: Graph, options: PprChosen, source: int | None, outputs: Outputs, products: Products
) -> Validation:
    """Judge ranks by the change that one more iteration, in float64 and over out-edges, would make.

    For power: a change of c bounds the distance (L1) from the true ranks by c / (1 - damping). The
    tolerance and the rounding of the precision limit it; if --max-iterations ended the run earlier, ranks
    are compared with the iterate of that number. For push the change, over 1 - damping, is the unsettled
    rank: nowhere negative, nowhere more than epsilon times the degree. Walks are followed again."""
    ranks = graph.xp.asarray(outputs["ranks"])
    restart = restart_of(graph, options, source)
    if ranks.shape != restart.shape or not np.isfinite(ranks).all():
        return Validation("fail", "scipy", "not a finite rank for every vertex and seed")
    if options.walks is not None:
        return check_walks(graph, options, source, ranks)
    found = ranks.astype(np.float64)
    epsilon = float(np.finfo(ranks.dtype).eps) if ranks.dtype.kind == "f" else 0.0
    fresh, change = next(
        power_iteration(graph, options.damping, restart, found, products, options.weighted)
    )
    if change <= allowed_change(options, epsilon):
        return Validation("pass", "scipy")
    if options.pushes:
        return check_push(graph, options, found, fresh, epsilon)
    return check_iterate(graph, options, restart, found, change, epsilon, products)


def restart_of(graph: Graph, options: PprOptions, source: int | None) -> np.ndarray[Any, Any]:
    """The distribution over the vertices from which the walk restarts; for a batch, one in each
    column."""
    seeds = graph.xp.asarray(seeds_of(options, source), np.int32)
    if options.batch:
        columns = graph.xp.zeros((graph.n, len(seeds)))
        columns[seeds, graph.xp.arange(len(seeds))] = 1
        return columns
    restart = graph.xp.zeros(graph.n)
    restart[seeds] = 1 / len(seeds)
    return restart


def allowed_change(options: PprChosen, epsilon: float) -> float:
    """The change that one more iteration may make to ranks that have reached the limit: by the tolerance,
    and by the precision's rounding."""
    damping, tolerance = options.damping, tolerance_of(options)
    return float(damping * tolerance + (1 - damping) * L1_TOLERANCE + (1 + damping) * ROUNDINGS * epsilon)


def tolerance_of(options: PprChosen) -> float:
    """The tolerance; push has none, and answers to compare with it converge by the default."""
    return TOLERANCE if options.tolerance is None else options.tolerance


def check_iterate(
    graph: Graph,
    options: PprChosen,
    restart: np.ndarray[Any, Any],
    found: np.ndarray[Any, Any],
    change: float,
    epsilon: float,
    products: Products,
) -> Validation:
    """Check that ranks that one more iteration would change by ``change`` are those at which
    --max-iterations stopped the run."""
    damping, tolerance = options.damping, tolerance_of(options)
    assert options.max_iterations is not None
    iterates = power_iteration(graph, damping, restart, products=products, weighted=options.weighted)
    expected, last, iteration = restart, np.inf, 0
    while last >= tolerance and iteration < options.max_iterations:
        expected, last = next(iterates)
        iteration += 1
    off = float(np.abs(found - expected).sum(axis=0).max())
    rounding = ROUNDINGS * epsilon / (1 - damping)
    if off <= L1_TOLERANCE + rounding + (2 * tolerance if last < tolerance else 0.0):
        return Validation("pass", "scipy")
    return Validation(
        "fail",
        "scipy",
        f"one more iteration would change the ranks by {change:.3g} in L1, and they are "
        f"off by {off:.3g} from those after {iteration} iterations",
    )


def check_push(
    graph: Graph,
    options: PprChosen,
    found: np.ndarray[Any, Any],
    fresh: np.ndarray[Any, Any],
    epsilon: float,
) -> Validation:
    """Check that at every vertex the amount that one more iteration would add is within the bound of a
    push."""
    assert options.epsilon is not None
    damping, degrees = options.damping, graph.csr.degrees()
    unsettled = (fresh - found) / (1 - damping)
    bound = options.epsilon * np.maximum(degrees, 1)
    rounding = (ROUNDINGS * epsilon + LONG_SUMS) * (found + fresh) / (1 - damping)
    wrong = np.flatnonzero((unsettled < -rounding) | (unsettled > bound + rounding))
    if len(wrong) == 0:
        return Validation("pass", "scipy")
    v = int(wrong[0])
    return Validation(
        "fail",
        "scipy",
        f"{len(wrong)} vertices keep what they must not: vertex {v} "
        f"{float(unsettled[v]):.3g}, of at most {float(bound[v]):.3g}",
    )


def check_walks(graph: Graph, options: PprChosen, source: int | None, ranks: Any) -> Validation:
    """Check that as many walks end at each vertex as its rank says, by following them again."""
    expected = ends_of_walks(graph, options, source) / float(options.walks or 1)
    wrong = graph.xp.flatnonzero(ranks != expected.astype(ranks.dtype))
    if len(wrong) == 0:
        return Validation("pass", "numpy")
    v = int(wrong[0])
    return Validation(
        "fail",
        "numpy",
        f"{len(wrong)} ranks are not where walks end: vertex {v} {float(ranks[v]):.6g}, expected "
        f"{float(expected[v]):.6g}",
    )
