"""Distances in hops from many sources, whose searches share their passes over the edges.

With ``--per source``, for each source, in the order of ``sources``: ``reached``, the number of vertices
that it reaches, itself included; ``sums``, the sum of their distances, and ``harmonic``, that of one over
them; ``eccentricities``, the largest. With ``--per pair``, ``distances[v, i]`` is the distance from the
i-th source to v, -1 without a path. ``bfs`` from the same sources runs one search after the other."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.graph.vertex_list import listed_vertices
from gunrock_cli.primitives.base import Primitive, Traffic, Validation, Work
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.many_sources import (
    FAR,
    USUAL,
    Apart,
    Batched,
    Searched,
    Together,
    checked,
    drawn,
    searching,
)
from gunrock_cli.primitives.options import option
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.references import reference_labels
from gunrock_cli.primitives.shown import Outputs, Shown
from gunrock_cli.primitives.variant import Problem

FOLDED = {"reached": "reached", "sums": "sums", "harmonic": "harmonic", "eccentricities": "farthest"}
PAIRS = {"distances": "depths", "sources": "starts"}
"""The kernels' names of the outputs."""
ROUNDING = 1e-12
"""The relative difference that another order of sums may make."""


@dataclass(frozen=True)
class DistancesOptions(Batched):
    """The options of distances."""

    per: Literal["source", "pair"] = option(
        "source",
        "What the answer has values for: each source, to which distances are added up, or each pair of "
        "a source and a vertex.",
        changes_answer=True,
    )
    sources: str | None = option(
        None,
        "Search from these: 0,5,9, or @FILE. Commas or blanks separate them in a file.",
        lists_vertices=True,
    )
    sample: int | None = option(
        None,
        "Search from this many vertices, drawn at random (always the same ones).",
        minimum=1,
        unset=f"{USUAL}, or all vertices if there are fewer",
        changes_answer=True,
    )
    within: int | None = option(
        None, "Go no farther than this many hops.", minimum=0, changes_answer=True, unset="any number"
    )


def sources_of(graph: Graph, options: DistancesOptions) -> Array | list[int]:
    """The vertices to search from."""
    if options.sources is None:
        return drawn(graph, USUAL if options.sample is None else options.sample)
    if options.sample is not None:
        raise UsageError("--sources says where to start, and so does --sample: leave one of them out")
    return listed_vertices(graph, options.sources, "--sources", repeated=True)


def searched_from(graph: Graph, options: DistancesOptions) -> Array:
    """The sources of a run by its resolved options, which name them by number even if vertices have
    names."""
    if options.sources is None:
        return sources_of(graph, options)
    return np.array(options.sources.split(","), np.int32)


class DistancesShown(Shown):
    """A row for each source, or a column."""

    def row_columns(self, options: DistancesOptions) -> Mapping[str, str]:
        if options.per == "pair":
            return {}
        return {"source": "sources", **{name: name for name in FOLDED}}

    def column_names(self, options: Any) -> tuple[str, ...]:
        if options.per == "source" or options.sources is None:
            return ()
        names = [f"source {source}" for source in options.sources.split(",")]
        if len(set(names)) < len(names):
            names = [f"{name} ({number})" for number, name in enumerate(names)]
        return tuple(names)


class Distances(Primitive):
    name = "distances"
    summary = "Distances in hops from many sources at once, added up for each source or all of them."
    takes = DistancesOptions
    source = None
    sweeps = True
    in_portions = True
    needs = Needs(reverse=True)
    shows = DistancesShown(vertices=("sources",), nearest_first=True)
    frontier = Frontier(advance_under=None)

    def plan(self, graph: Graph, asked: DistancesOptions) -> Together | Apart:
        sources = sources_of(graph, asked)
        lists_them = asked.sources is not None or asked.per == "pair"  # whose columns are named by them
        named = ",".join(map(str, sources)) if lists_them and len(sources) else None
        names = {**FOLDED, "sources": "starts"} if asked.per == "source" else PAIRS

        def outputs(problem: Problem) -> dict[str, Array]:
            return {name: problem[member] for name, member in names.items()}

        within = FAR if asked.within is None else asked.within
        per = "PER_SOURCE" if asked.per == "source" else "PER_PAIR"
        what = Searched(sources, outputs, tuple(FOLDED.values()), per, within)
        return searching(graph, replace(asked, sources=named), what)

    def work(self, graph: Graph, options: DistancesOptions, outputs: dict[str, Array]) -> Work:
        count = len(outputs["sources"])
        if options.per == "source":
            found, farthest = outputs["reached"], outputs["eccentricities"]
        else:
            found, farthest = outputs["distances"] >= 0, outputs["distances"]
        return Work(
            vertices_visited=int(found.sum()),
            depth=int(farthest.max()) if farthest.size else 0,
            metrics={"sources": count},
        )

    def finish_work(self, work: Work, options: DistancesOptions, steps: int, mean_ms: float) -> Work:
        sources = int(work.metrics["sources"])
        return replace(work, metrics={**work.metrics, "ms_per_source": mean_ms / max(1, sources)})

    def traffic(self, graph: Graph, options: DistancesOptions, work: Work) -> Traffic:
        """An edge of every vertex is read, and the answer written."""
        sources = int(work.metrics["sources"])
        return Traffic(read=4 * graph.n, written=sources * (4 * graph.n if options.per == "pair" else 28))

    def validate(
        self, graph: Graph, options: DistancesOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        """Compare some sources with searches by SciPy."""
        sources = searched_from(graph, options)
        some = checked(graph, sources)
        for place in some:
            hops = reference_labels(graph, int(sources[place]))
            if options.within is not None:
                hops[hops > options.within] = -1
            wrong = wrong_at(outputs, place, hops)
            if wrong:
                return Validation("fail", "scipy", f"source {sources[place]}: {wrong}")
        return Validation("pass", "scipy", sources=len(some))


def wrong_at(outputs: Mapping[str, Array], place: int, hops: Array) -> str:
    """What is wrong with the answer for the source of this place, whose hops these are, -1 without a
    path; empty if nothing is. All arrays are in the same memory."""
    if "distances" in outputs:
        wrong = (outputs["distances"][:, place] != hops).nonzero()[0]
        return f"{len(wrong)} distances differ, first of vertex {int(wrong[0])}" if len(wrong) else ""
    found = hops[hops > 0].astype(np.int64)
    expected = {
        "reached": len(found) + 1,
        "sums": int(found.sum()),
        "harmonic": float((1 / found).sum()),
        "eccentricities": int(hops.max()),
    }
    for name, value in expected.items():
        if name in outputs and not math.isclose(outputs[name][place].item(), value, rel_tol=ROUNDING):
            return f"{name} is {outputs[name][place].item()}, not {value}"
    return ""


PRIMITIVE = Distances()
