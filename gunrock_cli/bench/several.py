"""Whether several GPUs are predicted to be faster than one, from runs that were measured on one and on
two."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gunrock_cli.engine.backend import Backend
from gunrock_cli.engine.devices import count_devices, idle_bytes
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model import Graph
from gunrock_cli.operators.lists import has_no_hubs
from gunrock_cli.primitives.base import Options, Primitive

LEAST_GAIN = 1.2
"""How many times as fast several must be: cutting the graph takes longer than what less would save."""
_TO_CUT = 3
"""Parts that the GPU which has the graph holds beside it, about, while the parts are cut."""


@dataclass(frozen=True)
class Run:
    """One that was measured: edges of the graph, ms on one device and on two."""

    edges: float
    one: float
    two: float


_R21, _R26 = 181_154_404, 2_103_821_912  # R-MAT 21 of edge factor 48, 26 of 16
BY_DEGREE = " by degree"
"""Behind the name of a primitive whose one device has the vertices in an order of its own."""
MEASURED: dict[str, tuple[Run, Run]] = {
    "bfs": (Run(_R21, 0.167, 0.118), Run(_R26, 4.285, 1.662)),
    "cc": (Run(_R21, 0.0636, 0.133), Run(_R26, 2.89, 0.876)),
    "pagerank": (Run(63_539_152, 0.449, 0.262), Run(_R26, 30.7, 17.1)),
    "pagerank" + BY_DEGREE: (Run(_R21, 0.821, 0.648), Run(_R26, 17.5, 17.1)),
}
"""A smaller R-MAT graph and a larger one [D-several-1]; of PageRank an iteration, on two devices by the
graph's numbers, as it was before several gathered by degree."""
_OF_A_RUN = {"pagerank": "an iteration of pagerank"}
"""What the times are of, where not of the whole run."""


@dataclass(frozen=True)
class Faster:
    """So many devices, and why."""

    devices: int
    why: str


def predicted_ms(measured: str, graph: Graph, devices: int) -> float | None:
    """What a run takes on so many H200, in a line with what was ``measured``; of more than two each
    further one takes its share of the edges, and no run less than its share of the time of two. None of
    graphs unlike those: smaller ones, directed ones, and those without hubs, whose many steps several
    devices only lengthen."""
    if measured not in MEASURED or not graph.undirected or has_no_hubs(graph):
        return None
    small, large = MEASURED[measured]
    if graph.m < small.edges:
        return None
    low, high = (small.one, large.one) if devices == 1 else (small.two, large.two)
    each = (high - low) / (large.edges - small.edges)
    fixed, edges = low - each * small.edges, each * graph.m
    if devices <= 2:
        return fixed + edges
    return 2 / devices * edges + max(fixed, 2 / devices * fixed)


def faster_on_several(primitive: Primitive, graph: Graph, options: Options, backend: Backend,
                      part_bytes: Callable[[int], int]) -> Faster | None:
    """How many of this host's GPUs are to run on a graph that one of them holds; None for that one. The
    others must be idle, and have the bytes that a part takes of so many."""
    there = count_devices(backend) if backend.name == "cuda" else 1
    if there == 1 or predicted_ms(primitive.name, graph, 1) is None \
            or not _runs_on_several(primitive, options):
        return None
    alone = primitive.check_options(graph, dict(options))
    measured = primitive.name + (BY_DEGREE if primitive.renumbers(alone) else "")
    one = predicted_ms(measured, graph, 1)
    if one is None:
        return None
    for count in range(there, 1, -1):
        several = predicted_ms(measured, graph, count)
        assert several is not None
        if one >= LEAST_GAIN * several and _have_room(count, part_bytes(count)):
            run = _OF_A_RUN.get(primitive.name, primitive.name)
            why = (f"{count} devices: {run} on {graph.name} is predicted to take "
                   f"{several:.3g} ms on them, {one:.3g} on one")
            return Faster(count, why)
    return None


def _have_room(count: int, needed: int) -> bool:
    return all(idle_bytes(number) >= (needed if number else _TO_CUT * needed)
               for number in range(count))


def _runs_on_several(primitive: Primitive, options: Options) -> bool:
    try:
        return primitive.in_parts is not None and bool(primitive.in_parts.accept(options))
    except UsageError:
        return False
