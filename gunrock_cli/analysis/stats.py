"""Describe a graph: sizes, degrees, components, diameter, and a guess at its class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypedDict

import numpy as np

from gunrock_cli.analysis.diameter import Diameter, find_diameter
from gunrock_cli.analysis.levels import Levels, level_search, runs_in_parts
from gunrock_cli.graph.model.graph import Array, Graph, to_numpy
from gunrock_cli.graph.parts.parted import GraphInParts
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.sources.generate.parameters import GENERATORS
from gunrock_cli.graph.sources.progress import Progress, silent

PERCENTILES = (5, 25, 50, 75, 90, 95, 99)
PAPER_DEGREE = 64  # "80% of nodes have degree less than 64"
TAIL = 6
_WORK = 2e9  # edges that the searches for the diameter may traverse, per device class
_FASTER_GPU = 20


class DegreeStats(TypedDict):
    """Out-degrees."""

    min_degree: int
    mean_degree: float
    max_degree: int
    degree_deviation: float
    degree_percentiles: dict[str, int]
    share_under_64: float
    isolated: int


class Connectivity(TypedDict):
    """Components and diameter of a graph made undirected."""

    components: int
    largest_component: int
    diameter: int | None
    diameter_is_exact: bool
    diameter_upper_bound: int | None
    diameter_searches: int


class Identity(TypedDict):
    """The graph that is described."""

    name: str
    hash: str
    vertices: int
    edges: int
    undirected: bool
    weighted: bool
    stand_in: bool
    changes: Mapping[str, int | bool] | None


class GraphClass(TypedDict("_Named", {"class": str})):
    """A guess at a graph's class."""

    class_is_guess: bool


class GraphStats(Identity, DegreeStats, GraphClass, Connectivity):
    """A graph's statistics."""


def graph_stats(
    graph: Graph, *, diameter: bool = True, max_searches: int | None = None, progress: Progress = silent
) -> GraphStats:
    """The statistics of a graph, by the names of ``gunrock stats --json`` (docs/graphs.md).

    Components and diameter are those of the graph made undirected; the diameter is the largest
    component's, either exact or a lower bound, and reported as such. ``max_searches`` limits the
    searches for it (None: by the size of the graph).
    """
    progress("degrees", None)
    degrees = degree_stats(graph)
    identity: Identity = {
        "name": graph.name,
        "hash": graph.hash,
        "vertices": graph.n,
        "edges": graph.m,
        "undirected": graph.undirected,
        "weighted": graph.weighted,
        "stand_in": bool(graph.origin.get("stand_in", False)),
        "changes": graph.described()["changes"],
    }
    found = connectivity(graph, diameter, max_searches, progress)
    return {**identity, **degrees, **_class(graph, degrees), **found}


def degree_stats(graph: Graph) -> DegreeStats:
    """Minimum, mean, maximum, percentiles and shares of the out-degrees."""
    degrees = to_numpy(graph.csr.degrees())
    if not len(degrees):
        return {
            "min_degree": 0,
            "mean_degree": 0.0,
            "max_degree": 0,
            "degree_deviation": 0.0,
            "degree_percentiles": {},
            "share_under_64": 1.0,
            "isolated": 0,
        }
    levels = np.percentile(degrees, PERCENTILES, method="inverted_cdf")
    return {
        "min_degree": int(degrees.min()),
        "mean_degree": round(graph.m / graph.n, 4),
        "max_degree": int(degrees.max()),
        "degree_deviation": round(float(degrees.std()), 4),
        "degree_percentiles": {
            f"p{share}": int(level) for share, level in zip(PERCENTILES, levels, strict=True)
        },
        "share_under_64": round(float((degrees < PAPER_DEGREE).mean()), 6),
        "isolated": int((degrees == 0).sum()),
    }


def guess_class(median: int, high: int) -> str:
    """Guess a class from the degrees' median and 99th percentile: scale-free if the tail is long, else
    mesh-like. A few hubs alone (as in some census meshes) do not make a graph scale-free."""
    return "scale-free" if high > TAIL * max(median, 1) else "mesh-like"


def _class(graph: Graph, degrees: DegreeStats) -> GraphClass:
    levels = degrees["degree_percentiles"]
    shape = guess_class(levels.get("p50", 0), levels.get("p99", 0))
    earlier = graph.origin.get("made_from")
    origins = [graph.origin, *([earlier] if isinstance(earlier, Mapping) else [])]
    generated = any(origin.get("kind") in GENERATORS for origin in origins)
    made = generated or graph.origin.get("stand_in")
    return {"class": f"{'generated' if made else 'real'}, {shape}", "class_is_guess": True}


def connectivity(
    graph: Graph, diameter: bool = True, max_searches: int | None = None, progress: Progress = silent
) -> Connectivity:
    """The components of a graph made undirected, and the largest one's diameter (``find_diameter``), by
    at most ``max_searches`` searches (None: by the size of the graph)."""
    nothing: Connectivity = {
        "components": 0,
        "largest_component": 0,
        "diameter": None,
        "diameter_is_exact": False,
        "diameter_upper_bound": None,
        "diameter_searches": 0,
    }
    if not graph.n:
        return nothing
    both_ways = graph if isinstance(graph, GraphInParts) else _undirected(graph)
    if not both_ways.m:
        return {
            **nothing,
            "components": graph.n,
            "largest_component": 1,
            "diameter": 0,
            "diameter_is_exact": True,
            "diameter_upper_bound": 0,
        }
    progress("components", None)
    levels = level_search(both_ways)
    if isinstance(both_ways, GraphInParts):
        count, largest, start = _components_in_parts(both_ways)
    else:
        hub = int(both_ways.csr.degrees().argmax())
        count, largest, start = _components(both_ways, levels, hub)
    found: Connectivity = {**nothing, "components": count, "largest_component": largest}
    if diameter:
        progress("diameter", None)
        limit = max_searches if max_searches is not None else _searches(both_ways)
        bounds: Diameter = find_diameter(graph.xp, levels, start, limit)
        found |= {
            "diameter": bounds.lower,
            "diameter_is_exact": bounds.exact,
            "diameter_upper_bound": bounds.upper,
            "diameter_searches": bounds.searches,
        }
    return found


def exact_diameter(
    graph: Graph, searches: int | None = None, progress: Progress = silent
) -> tuple[Connectivity, Diameter]:
    """The components of a graph made undirected, and the largest one's diameter by as many searches as it
    takes, unless ``searches`` limits them. Without edges the diameter is 0."""
    limit = max(graph.n, 1) if searches is None else searches
    found = connectivity(graph, max_searches=limit, progress=progress)
    lower, upper = found["diameter"] or 0, found["diameter_upper_bound"] or 0
    return found, Diameter(lower, upper, found["diameter_searches"])


def _undirected(graph: Graph) -> Graph:
    if graph.undirected:
        return graph
    return build_graph(
        graph.n,
        graph.csr.sources(),
        graph.csr.column_indices,
        name=graph.name,
        xp=graph.xp,
        graph_hash="",
    )


def _searches(graph: Graph) -> int:
    work = _WORK * (1 if graph.xp is np else _FASTER_GPU)
    return int(min(graph.n, max(12, work / max(graph.m, graph.n))))


def _components(graph: Graph, levels: Levels, hub: int) -> tuple[int, int, int]:
    """Number of components, vertices of the largest, and a vertex in it.

    One search takes the hub's component, usually most of the graph; SciPy does the rest, even if it is
    larger.
    """
    reached = levels(hub) >= 0
    size = int(reached.sum())
    if size == graph.n:
        return 1, size, hub
    rest = graph.xp.flatnonzero(~reached)
    labels, count = _rest_components(graph, rest)
    sizes = np.bincount(labels, minlength=count)
    if int(sizes.max()) <= size:
        return count + 1, size, hub
    inside = int(np.flatnonzero(labels == int(sizes.argmax()))[0])
    return count + 1, int(sizes.max()), int(rest[inside])


def _components_in_parts(graph: GraphInParts) -> tuple[int, int, int]:
    """Number of components, vertices of the largest, and a vertex in it, by the devices that hold the
    graph."""
    labels = runs_in_parts("cc", graph)(0)["components"]
    count = int((labels == graph.xp.arange(graph.n)).sum())
    sizes = graph.xp.bincount(labels)
    name, hub = int(sizes.argmax()), int(graph.csr.degrees().argmax())  # a label is one of its vertices
    return count, int(sizes.max()), hub if int(labels[hub]) == name else name


def _rest_components(graph: Graph, rest: Array) -> tuple[np.ndarray[Any, Any], int]:
    """Component labels of the vertices ``rest``, whose edges lead only to one another."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    csr = replace(graph.csr, values=None).to(np)
    chosen = to_numpy(rest)
    degrees = csr.degrees()[chosen].astype(np.int64)
    offsets = np.concatenate(([0], np.cumsum(degrees)))
    within = np.arange(offsets[-1]) - np.repeat(offsets[:-1], degrees)
    columns = csr.column_indices[np.repeat(csr.row_offsets[chosen], degrees) + within]
    number = np.full(graph.n, -1, np.int32)
    number[chosen] = np.arange(len(chosen), dtype=np.int32)
    part = csr_array(
        (np.ones(len(columns), np.int8), number[columns], offsets), shape=(len(chosen), len(chosen))
    )
    count, labels = connected_components(part, directed=False)
    return labels, int(count)
