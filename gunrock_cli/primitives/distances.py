"""Distances from many sources, in hops or by weight.

With ``--per source``, for each source, in the order of ``sources``: ``reached``, the number of vertices
that it reaches, itself included; ``sums``, the sum of their distances, and ``harmonic``, that of one over
those above zero; ``eccentricities``, the largest. With ``--counts D``, ``counts[i, d]`` is the number of
vertices at each distance d up to D from the i-th source. With ``--per pair``, ``distances[v, i]`` is that
from the i-th source to v, without a path -1, or infinity for weights that are floats. With
``--nearest K``, ``nearest[i]`` are the K vertices nearest to the i-th source, besides it, of equally near
ones those of smaller numbers, and ``distances[i]`` how far they are; -1 in the place of a vertex if there
are fewer. Neither D nor K gives more columns than there are vertices.

Searches by hops share their passes over the edges; ``bfs`` from the same sources makes them in turn.
Those by weight, and to the nearest, run side by side (lengths.py)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Array, Graph, to_numpy
from gunrock_cli.graph.vertex_list import listed_vertices
from gunrock_cli.primitives.base import Traffic, Validation, Work
from gunrock_cli.primitives.edge_weights import check_weights
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.lengths import FOLDED, Lengths
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
    searching_in_parts,
)
from gunrock_cli.primitives.options import option
from gunrock_cli.primitives.parts.base import OnSeveralDevices
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.references import reference_labels
from gunrock_cli.primitives.shown import Outputs, Shown
from gunrock_cli.primitives.sources_in_parts import SourcesInParts
from gunrock_cli.primitives.sssp.distances import reached_by
from gunrock_cli.primitives.sssp.reference import FLOAT_TOLERANCE, dijkstra_lengths
from gunrock_cli.primitives.variant import Problem

PAIRS = {"distances": "depths", "sources": "starts"}
"""The kernel's names of the outputs."""
ROUNDING = 1e-12
"""The relative difference that another order of sums may make."""


@dataclass(frozen=True)
class DistancesOptions(Batched):
    """The options of distances."""

    per: Literal["source", "pair"] = option(
        "source",
        "What has values: each source, by adding distances up, or each pair of a source and a vertex.",
        changes_answer=True,
    )
    sources: str | None = option(
        None,
        "Search from these: 0,5,9, or @FILE. Commas or blanks separate them in a file.",
        lists_vertices=True,
    )
    sample: int | None = option(
        None,
        "Search from this many, drawn at random (always the same).",
        minimum=1,
        unset=f"{USUAL}, or all vertices if there are fewer",
        changes_answer=True,
    )
    within: float | None = option(
        None, "Go no farther than this.", minimum=0, changes_answer=True, unset="any distance"
    )
    weighted: bool = option(False, "By weight, not in hops.", changes_answer=True, own=True)
    counts: int | None = option(
        None,
        "Also count the vertices of each source at each distance up to this.",
        minimum=0,
        changes_answer=True,
        own=True,
        expert=True,
    )
    nearest: int | None = option(
        None,
        "Find only this many vertices, nearest to each source.",
        minimum=1,
        changes_answer=True,
        own=True,
    )

    @property
    def by_blocks(self) -> bool:
        """True if each block searches on its own (lengths.py)."""
        return self.weighted or self.nearest is not None


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
        if options.nearest is not None:
            return {"source": "sources", "nearest": "nearest", "distance": "distances"}
        if options.per == "pair":
            return {}
        counts = {} if options.counts is None else {"at": "counts"}
        return {"source": "sources", **{name: name for name in FOLDED}, **counts}

    def column_names(self, options: Any) -> tuple[str, ...]:
        if options.per == "source" or options.sources is None or options.nearest is not None:
            return ()
        names = [f"source {source}" for source in options.sources.split(",")]
        if len(set(names)) < len(names):
            names = [f"{name} ({number})" for number, name in enumerate(names)]
        return tuple(names)


class Distances(OnSeveralDevices):
    name = "distances"
    summary = "Distances from many sources: their sums, all of them, or the nearest vertices."
    takes = DistancesOptions
    source = None
    sweeps = True
    in_portions = True
    needs = Needs(reverse=True)
    shows = DistancesShown(vertices=("sources", "nearest"), nearest_first=True)
    frontier = Frontier(advance_under=None)

    def reads_weights(self, options: DistancesOptions) -> bool:
        return options.weighted

    def reads_reverse(self, options: DistancesOptions) -> bool:
        return not options.by_blocks

    def plan(self, graph: Graph, asked: DistancesOptions) -> Together | Apart | Lengths:
        chosen, sources = _resolved(graph, asked)
        if chosen.by_blocks:
            return _lengths(graph, chosen, sources)
        return searching(graph, chosen, _searched(graph, chosen, sources))

    def plan_in_parts(self, graph: Graph, asked: DistancesOptions) -> SourcesInParts:
        chosen, sources = _resolved(graph, asked)
        if chosen.by_blocks:
            alone = _lengths(graph, chosen, sources)
            return SourcesInParts(graph, alone.options, alone=alone)
        return searching_in_parts(graph, chosen, _searched(graph, chosen, sources))

    def work(self, graph: Graph, options: DistancesOptions, outputs: dict[str, Array]) -> Work:
        count = len(outputs["sources"])
        if options.nearest is not None:
            return Work(int((outputs["nearest"] >= 0).sum()), metrics={"sources": count})
        if options.per == "source":
            found, farthest = outputs["reached"], outputs["eccentricities"]
        else:
            found, farthest = reached_by(graph.xp, outputs["distances"]), outputs["distances"]
        if options.weighted:
            return Work(int(found.sum()), metrics={"sources": count})
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
        each = 8 * options.nearest if options.nearest else 4 * graph.n if options.per == "pair" else 28
        return Traffic(read=4 * graph.n, written=sources * each)

    def validate(
        self, graph: Graph, options: DistancesOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        """Compare some sources with searches by SciPy."""
        sources = searched_from(graph, options)
        some = checked(graph, sources)
        tolerance = FLOAT_TOLERANCE if options.weighted and not _whole(graph) else 0.0
        for place in some:
            source = int(sources[place])
            lengths = _reference(graph, options, source)
            if tolerance and options.within and _is_near(lengths, options.within, tolerance):
                continue  # float32 sums may fall on either side of the radius
            wrong = wrong_at(outputs, place, source, within(lengths, options.within), tolerance)
            if wrong:
                return Validation("fail", "scipy", f"source {source}: {wrong}")
        return Validation("pass", "scipy", sources=len(some))


def _whole(graph: Graph) -> bool:
    return graph.csr.values is None or graph.csr.values.dtype == np.int32


def _reference(graph: Graph, options: DistancesOptions, source: int) -> Array:
    """The distances by SciPy, without a path -1, or infinity if weights are floats."""
    if not options.weighted:
        return reference_labels(graph, source)
    found = dijkstra_lengths(graph, source)
    return np.where(np.isfinite(found), found, -1).astype(np.int64) if _whole(graph) else found


def _is_near(lengths: Array, radius: float, tolerance: float) -> bool:
    return bool((np.abs(lengths - radius) <= tolerance * radius).any())


def _resolved(graph: Graph, asked: DistancesOptions) -> tuple[DistancesOptions, Array | list[int]]:
    """The options with sources by number, and the sources."""
    sources = sources_of(graph, asked)
    lists_them = asked.sources is not None or asked.per == "pair"  # whose columns are named by them
    named = ",".join(map(str, sources)) if lists_them and len(sources) else None
    if asked.counts is not None and (asked.by_blocks or asked.per == "pair"):
        raise UsageError(f"--counts {asked.counts} is by hops, for each source; leave it out")
    _check_radius(graph, asked)
    return replace(asked, sources=named), sources


def _searched(graph: Graph, asked: DistancesOptions, sources: Array | list[int]) -> Searched:
    within = FAR if asked.within is None else int(min(asked.within, FAR))
    names = {**FOLDED, "sources": "starts"} if asked.per == "source" else PAIRS
    if asked.counts is not None:
        names = {**names, "counts": "at"}

    def outputs(problem: Problem) -> dict[str, Array]:
        return {name: problem[member] for name, member in names.items()}

    per = "PER_SOURCE" if asked.per == "source" else "PER_PAIR"
    depths = 0 if asked.counts is None else min(asked.counts + 1, max(1, graph.n))
    return Searched(sources, outputs, tuple(FOLDED.values()), per, within, depths)


def _check_radius(graph: Graph, options: DistancesOptions) -> None:
    """Refuse a radius between two distances that there can be."""
    radius = options.within
    if radius is None or radius == int(radius):
        return
    if not options.weighted:
        raise UsageError(f"--within {radius:g}: hops are whole numbers")
    if _whole(graph):
        raise UsageError(f"--within {radius:g}: all weights are whole numbers, and so are distances")


def _lengths(graph: Graph, asked: DistancesOptions, sources: Array | list[int]) -> Lengths:
    for key, value in (("batch", asked.batch), ("searches", asked.searches)):
        if value not in ("auto", "apart"):
            way = "--weighted" if asked.weighted else "--nearest"
            raise UsageError(f"--{key} {value} is for searches together, and not for {way}; leave it out")
    if asked.nearest is not None and asked.per == "pair":
        raise UsageError("--per pair gives all distances, and --nearest a few: leave out one")
    if asked.weighted:
        check_weights(graph, "shortest paths need weights that are not negative")
    return Lengths(graph, replace(asked, batch="auto", searches="apart"), sources)


def within(lengths: Array, radius: float | None) -> Array:
    """Distances as an answer has them, without those beyond a radius: changed in place."""
    whole = lengths.dtype.kind == "i"
    most = np.iinfo(lengths.dtype).max if whole else float(np.finfo(lengths.dtype).max)
    if radius is not None and radius < most:  # beyond it is no length
        lengths[lengths > lengths.dtype.type(radius)] = -1 if whole else np.inf
    return lengths


def wrong_at(
    outputs: Mapping[str, Array], place: int, source: int, lengths: Array, tolerance: float = 0.0
) -> str:
    """What is wrong with the answer for the source of this place, whose distances these are, without a
    path -1, or infinity for floats; empty if nothing is. All arrays are in the same memory;
    ``tolerance`` is relative."""
    if "nearest" in outputs:
        nearest, own = (to_numpy(outputs[name][place]) for name in ("nearest", "distances"))
        return wrong_nearest(nearest, own, source, to_numpy(lengths), tolerance)
    if "distances" in outputs:
        own = outputs["distances"][:, place]
        wrong = own != lengths
        if tolerance:
            wrong[wrong] = ~np.isclose(own[wrong], lengths[wrong], rtol=tolerance, atol=0)
        places = wrong.nonzero()[0]
        return f"{len(places)} distances differ, first of vertex {int(places[0])}" if len(places) else ""
    reached = lengths[reached_by(np, lengths)]
    if "counts" in outputs:
        row = outputs["counts"][place]
        wrong = [d for d, count in enumerate(row.tolist()) if count != int((reached == d).sum())]
        if wrong:
            return f"counts at distance {wrong[0]} is {int(row[wrong[0]])}"
    found = reached[reached > 0].astype(np.float64)
    expected = {
        "reached": len(reached),
        "sums": float(found.sum()),
        "harmonic": float((1 / found).sum()),
        "eccentricities": float(reached.max()),
    }
    for name, value in expected.items():
        given = outputs[name][place].item() if name in outputs else value
        if not math.isclose(given, value, rel_tol=max(ROUNDING, tolerance)):
            return f"{name} is {given}, not {value:.15g}"
    return ""


def wrong_nearest(nearest: Array, distances: Array, source: int, lengths: Array, tolerance: float) -> str:
    """``wrong_at`` for the row of a source's nearest vertices, on the host."""
    others = reached_by(np, lengths)
    others[source] = False
    near = np.flatnonzero(others)
    near = near[np.lexsort((near, lengths[near]))][: len(nearest)]
    count = int((nearest >= 0).sum())
    none = -1 if distances.dtype.kind == "i" else np.inf
    if count != len(near) or (nearest[count:] != -1).any() or (distances[count:] != none).any():
        return f"nearest has {count} vertices, not {len(near)}, or more distances"
    own, found = distances[:count], nearest[:count]
    if tolerance == 0:
        right = (found == near) & (own == lengths[near])
    else:
        slack = tolerance * lengths[near]
        right = (np.abs(own - lengths[near]) <= slack) & (np.abs(own - lengths[found]) <= slack)
        right &= len(np.unique(found)) == count
    if right.all():
        return ""
    first = int(np.flatnonzero(~right)[0])
    return (
        f"nearest {first} is vertex {found[first]} at distance {own[first]:g}, not {near[first]} at "
        f"{lengths[near[first]]:g}"
    )


PRIMITIVE = Distances()
