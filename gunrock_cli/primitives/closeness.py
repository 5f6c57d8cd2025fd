"""Closeness centrality: how near a vertex is to all that reach it, in hops.

``scores[v]`` is one over v's mean distance from the vertices that reach it, times their share of all
other vertices (Wasserman and Faust 1994), 0 if none does; ``reached[v]`` is their number, and
``sums[v]`` the sum of their distances. With ``--harmonic`` a score is the sum of one over the distances.
In directed graphs distances are those along the edges to v.

From a sample of sources, scores are estimates (Eppstein and Wang 2004). By Hoeffding's bound, with a
certainty of 95 % no vertex's mean distance, or mean of one over the distances, is off by more than the
metric ``error`` times the largest distance, or by more than ``error``, if all vertices reach each
other."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.jsontypes import Metric
from gunrock_cli.primitives.base import Traffic, Validation, Work
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.many_sources import (
    Apart,
    Batched,
    Searched,
    Together,
    checked,
    drawn,
    hops_to,
    searching,
    searching_in_parts,
)
from gunrock_cli.primitives.options import option
from gunrock_cli.primitives.parts.base import OnSeveralDevices
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs, Shown
from gunrock_cli.primitives.sources_in_parts import SourcesInParts
from gunrock_cli.primitives.variant import Problem

UNCERTAIN = 0.05
"""The chance that an estimate is off by more than the bound."""
ROUNDING = 1e-12
"""The relative difference that another order of sums may make."""


@dataclass(frozen=True)
class ClosenessOptions(Batched):
    """The options of closeness."""

    harmonic: bool = option(
        False,
        "Add up one over each distance, which also suits parts apart.",
        changes_answer=True,
        shared=True,
    )
    sample: int | None = option(
        None,
        "Search from this many vertices, drawn at random (always the same ones): scores are then "
        "estimates, with a bound of their error. Unset: from all vertices.",
        minimum=1,
        changes_answer=True,
        own=True,
    )


def sources_of(graph: Graph, options: ClosenessOptions) -> Array:
    """The vertices to search from."""
    return drawn(graph, graph.n if options.sample is None else options.sample)


def mean_scores(xp: ModuleType, reached: Array, sums: Array, others: Array) -> Array:
    """One over the mean distance from those that reach a vertex, times their share of all ``others``."""
    return (reached / xp.maximum(sums, 1)) * (reached / xp.maximum(others, 1))


def harmonic_scores(xp: ModuleType, found: Array, others: Array, n: int) -> Array:
    """The sum over all other vertices, from that over the sources among them."""
    return found * ((n - 1) / xp.maximum(others, 1))


class Closeness(OnSeveralDevices):
    name = "closeness"
    summary = "Closeness centrality in hops, harmonic or not; exact, or estimated from a sample."
    takes = ClosenessOptions
    source = None
    sweeps = True
    in_portions = True
    needs = Needs(reverse=True)
    shows = Shown(further=("reached", "sums"))
    frontier = Frontier(advance_under=None)

    def plan(self, graph: Graph, asked: ClosenessOptions) -> Together | Apart:
        return searching(graph, asked, _searched(graph, asked))

    def plan_in_parts(self, graph: Graph, asked: ClosenessOptions) -> SourcesInParts:
        return searching_in_parts(graph, asked, _searched(graph, asked))

    def work(self, graph: Graph, options: ClosenessOptions, outputs: dict[str, Array]) -> Work:
        count = len(sources_of(graph, options))
        metrics: dict[str, Metric] = {"sources": count}
        if count < graph.n:
            metrics["error"] = math.sqrt(math.log(2 * graph.n / UNCERTAIN) / (2 * count))
        return Work(metrics=metrics)

    def traffic(self, graph: Graph, options: ClosenessOptions, work: Work) -> Traffic:
        """An edge of every vertex is read, and its answer written."""
        return Traffic(read=4 * graph.n, written=(8 if options.harmonic else 16) * graph.n)

    def validate(
        self, graph: Graph, options: ClosenessOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        """Compare some vertices with searches against the edges from there, by SciPy."""
        sources = np.asarray(sources_of(graph, options), np.int64)
        some = checked(graph, range(graph.n))
        for v in some:
            hops = hops_to(graph, v)[sources]
            wrong = wrong_at(outputs, v, hops, v in sources, options, graph.n)
            if wrong:
                return Validation("fail", "scipy", f"vertex {v}: {wrong}")
        return Validation("pass", "scipy", sources=len(some))


def _searched(graph: Graph, asked: ClosenessOptions) -> Searched:
    """Distances folded at the vertices that searches find; every source also finds itself."""
    sources = sources_of(graph, asked)

    def outputs(problem: Problem) -> dict[str, Array]:
        xp = graph.xp
        own = xp.zeros(graph.n, np.int64)
        own[xp.asarray(sources, dtype=np.int64)] = 1
        others = len(sources) - own
        if asked.harmonic:
            return {"scores": harmonic_scores(xp, problem["harmonic"], others, graph.n)}
        reached, sums = problem["reached"] - own, problem["sums"]
        return {"scores": mean_scores(xp, reached, sums, others), "reached": reached, "sums": sums}

    folded = ("harmonic",) if asked.harmonic else ("reached", "sums")
    return Searched(sources, outputs, folded)


def wrong_at(
    outputs: Mapping[str, Array],
    v: int,
    hops: np.ndarray[Any, Any],
    is_source: bool,
    options: ClosenessOptions,
    n: int,
) -> str:
    """What is wrong with the answer at a vertex that sources reach in so many hops, -1 if they do not;
    empty if nothing is. Among the sources is the vertex itself if it ``is_source``."""
    expected = folded(hops, is_source, n, options)
    for name, value in expected.items():
        if name in outputs and not math.isclose(outputs[name][v].item(), value, rel_tol=ROUNDING):
            return f"{name} is {outputs[name][v].item()}, not {value}"
    return ""


def folded(
    hops: np.ndarray[Any, Any], is_source: bool, n: int, options: ClosenessOptions
) -> dict[str, float]:
    """The answer at a vertex, as for ``wrong_at``."""
    found = hops[hops > 0]
    others = np.array([len(hops) - is_source])
    if options.harmonic:
        total = np.array([(1 / found).sum()])
        return {"scores": harmonic_scores(np, total, others, n).item()}
    reached, sums = np.array([len(found)]), np.array([found.sum(dtype=np.int64)])
    scores = mean_scores(np, reached, sums, others)
    return {"scores": scores.item(), "reached": len(found), "sums": sums.item()}


PRIMITIVE = Closeness()
