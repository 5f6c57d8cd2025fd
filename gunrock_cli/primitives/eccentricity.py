"""Eccentricities: how many hops the farthest vertex that a vertex reaches is away.

``eccentricities[v]`` is v's; ``reached[v]`` is the number of vertices that v reaches, itself included.
The largest of all is the diameter of a graph whose vertices all reach each other, and the smallest its
radius; of others these are the largest and the smallest within what each vertex reaches."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.primitives.base import Traffic, Validation, Work
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.many_sources import (
    Apart,
    Batched,
    Searched,
    Together,
    checked,
    searching,
    searching_in_parts,
    turned,
)
from gunrock_cli.primitives.parts.base import OnSeveralDevices
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.references import reference_labels
from gunrock_cli.primitives.shown import Outputs, Shown
from gunrock_cli.primitives.sources_in_parts import SourcesInParts
from gunrock_cli.primitives.variant import Problem


class Eccentricity(OnSeveralDevices):
    name = "eccentricity"
    summary = "The distance in hops from each vertex to the farthest that it reaches; radius, diameter."
    takes = Batched
    source = None
    sweeps = True
    in_portions = True
    needs = Needs(reverse=True)
    shows = Shown(further=("reached",))
    frontier = Frontier(advance_under=None)

    def plan(self, graph: Graph, asked: Batched) -> Together | Apart:
        """The greatest depth at which searches against the edges find a vertex."""
        return searching(turned(graph), asked, _searched(graph, "PER_VERTEX"))

    def plan_in_parts(self, graph: Graph, asked: Batched) -> SourcesInParts:
        """The greatest depth of each search."""
        return searching_in_parts(graph, asked, _searched(graph, "PER_SOURCE"))

    def work(self, graph: Graph, options: Batched, outputs: dict[str, Array]) -> Work:
        if not graph.n:
            return Work()
        found = outputs["eccentricities"]
        return Work(metrics={"diameter": int(found.max()), "radius": int(found.min())})

    def traffic(self, graph: Graph, options: Batched, work: Work) -> Traffic:
        """An edge of every vertex is read, and its answer written."""
        return Traffic(read=4 * graph.n, written=12 * graph.n)

    def validate(
        self, graph: Graph, options: Batched, source: int | None, outputs: Outputs
    ) -> Validation:
        """Compare some vertices with searches by SciPy."""
        some = checked(graph, range(graph.n))
        for v in some:
            wrong = wrong_at(outputs, v, reference_labels(graph, v))
            if wrong:
                return Validation("fail", "scipy", f"vertex {v}: {wrong}")
        return Validation("pass", "scipy", sources=len(some))


def _searched(graph: Graph, per: str) -> Searched:
    def outputs(problem: Problem) -> dict[str, Array]:
        return {"eccentricities": problem["farthest"], "reached": problem["reached"]}

    everywhere = graph.xp.arange(graph.n, dtype=np.int32)
    return Searched(everywhere, outputs, ("farthest", "reached"), per)


def wrong_at(outputs: Mapping[str, Array], v: int, hops: Array) -> str:
    """What is wrong with the answer for a vertex with these hops to all others, -1 without a path; empty
    if nothing is."""
    expected = {"eccentricities": int(hops.max()), "reached": int((hops >= 0).sum())}
    for name, value in expected.items():
        if name in outputs and int(outputs[name][v]) != value:
            return f"{name} is {int(outputs[name][v])}, not {value}"
    return ""


PRIMITIVE = Eccentricity()
