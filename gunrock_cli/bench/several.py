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


MEASURED: dict[str, tuple[Run, Run]] = {
    "bfs": (Run(0.1812e9, 0.167, 0.118), Run(2.1038e9, 4.285, 1.662)),
    "cc": (Run(0.0635e9, 0.174, 0.158), Run(2.1038e9, 3.030, 0.881)),
    "pagerank": (Run(0.0635e9, 0.449, 0.262), Run(2.1038e9, 30.7, 15.8)),
}
"""By primitive, a smaller R-MAT graph and a larger one [D-several-1]; of PageRank an iteration."""


@dataclass(frozen=True)
class Faster:
    """So many devices, and why."""

    devices: int
    why: str


def predicted_ms(primitive: str, graph: Graph, devices: int) -> float | None:
    """What a run takes on so many H200, in a line with what was measured; of more than two each further
    one takes its share of the edges. None of graphs unlike those: smaller ones, directed ones, and those
    without hubs, whose many steps several devices only lengthen."""
    if primitive not in MEASURED or not graph.undirected or has_no_hubs(graph):
        return None
    small, large = MEASURED[primitive]
    if graph.m < small.edges:
        return None
    low, high = (small.one, large.one) if devices == 1 else (small.two, large.two)
    each = (high - low) / (large.edges - small.edges)
    return low - each * small.edges + each * graph.m * (1 if devices == 1 else 2 / devices)


def faster_on_several(primitive: Primitive, graph: Graph, options: Options, backend: Backend,
                      part_bytes: Callable[[int], int]) -> Faster | None:
    """How many of this host's GPUs are to run on a graph that one of them holds; None for that one. The
    others must be idle, and have the bytes that a part takes of so many."""
    one = predicted_ms(primitive.name, graph, 1)
    if backend.name != "cuda" or one is None or not _runs_on_several(primitive, options):
        return None
    for count in range(count_devices(backend), 1, -1):
        several = predicted_ms(primitive.name, graph, count)
        assert several is not None
        if one >= LEAST_GAIN * several and _have_room(count, part_bytes(count)):
            why = (f"{count} devices: {primitive.name} on {graph.name} is predicted to take "
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
