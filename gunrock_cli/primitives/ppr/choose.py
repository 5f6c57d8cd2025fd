"""Resolves the options of personalized PageRank: seeds are named, contradictions are refused."""

from __future__ import annotations

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.vertex_list import listed_vertices
from gunrock_cli.primitives.passing import order_of_weighted
from gunrock_cli.primitives.ppr.options import (
    EPSILON,
    MAX_ITERATIONS,
    TOLERANCE,
    WALK_SEED,
    WALKS,
    PprChosen,
    PprOptions,
)
from gunrock_cli.primitives.renumbering import expected_iterations, order_of, renumbering_pays
from gunrock_cli.primitives.seeds import drawn_seeds

FASTEST = 0.21
"""The smallest ratio of an iteration's change to the one before, if neighbors are scattered: on R-MAT 9
iterations come down to 1e-6 [D-renumber-2]."""


def choose(graph: Graph, asked: PprOptions) -> PprChosen:
    """The options of a run on this graph."""
    _refuse_the_other_methods(asked)
    tolerance = TOLERANCE if asked.tolerance is None else asked.tolerance
    most = MAX_ITERATIONS if asked.max_iterations is None else asked.max_iterations
    epsilon = EPSILON if asked.epsilon is None else asked.epsilon
    by_walks = asked.method == "walks"

    def pays() -> bool:
        """True if ``--order degree`` pays; not for a batch, whose rows are lines of memory in any
        order."""
        iterations = expected_iterations(most, tolerance, FASTEST)
        return asked.batch is None and renumbering_pays(graph, graph.n * asked.width, iterations)

    if asked.weighted:
        _refuse_beside_weights(asked)
        order = order_of_weighted(graph, asked.order)
    else:
        order = order_of(asked.order, pays, "" if asked.gathers else f"--method {asked.method}")
    return PprChosen.resolved(
        asked,
        seeds=_seeds(graph, asked),
        tolerance=tolerance if asked.gathers else None,
        max_iterations=most if asked.gathers else None,
        epsilon=epsilon if asked.pushes else None,
        walks=(asked.walks or WALKS) if by_walks else None,
        walk_seed=(asked.walk_seed or WALK_SEED) if by_walks else None,
        order=order,
    )


def _refuse_the_other_methods(asked: PprOptions) -> None:
    """UsageError for an option of another method."""
    methods = {
        "tolerance": "power",
        "max_iterations": "power",
        "epsilon": "push",
        "walks": "walks",
        "walk_seed": "walks",
    }
    for key, method in methods.items():
        given = getattr(asked, key)
        if given is not None and method != asked.method:
            shown = f"{given:g}" if isinstance(given, float) else given
            raise UsageError(
                f"--{key.replace('_', '-')} {shown} is for --method {method}, not {asked.method}; "
                "leave it out"
            )


def _refuse_beside_weights(asked: PprOptions) -> None:
    """UsageError for an option that does not go with --weighted."""
    if asked.pushes:
        raise UsageError("--weighted is for --method power or walks; leave out --method push")
    if asked.batch is not None:
        raise UsageError("--weighted takes one set of seeds: leave out --batch")


def _seeds(graph: Graph, asked: PprOptions) -> str | None:
    """The seeds by number; None if each run names its own."""
    batch = asked.batch
    if batch is not None and not asked.gathers:
        raise UsageError(f"--method {asked.method} takes one set of seeds: leave out --batch")
    if asked.seeds is None and batch is None:
        return None
    if graph.n == 0:
        raise UsageError(f"{graph.name} has no vertices, so no seeds")
    if asked.seeds is None:
        assert batch is not None
        return ",".join(map(str, drawn_seeds(graph, batch)))
    seeds = listed_vertices(graph, asked.seeds, "--seeds", repeated=True)
    if batch is not None and len(seeds) != batch:
        raise UsageError(f"--batch {batch}: --seeds has {len(seeds)}")
    return ",".join(map(str, seeds))
