"""Predicting if several GPUs are faster than one, from runs measured on one, two and four."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gunrock_cli.engine.backend import Backend
from gunrock_cli.engine.devices import count_devices, idle_bytes
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.operators.lists import has_no_hubs
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.parts.base import OnSeveralDevices

LEAST_GAIN = 1.2
"""The smallest speedup for which several devices are used: cutting the graph takes longer than a smaller
gain would save."""
_TO_CUT = 3
"""About how many parts the GPU with the graph also holds while the parts are cut."""


@dataclass(frozen=True)
class Run:
    """A measured run: edges of the graph, and ms on each number of devices."""

    edges: float
    ms: dict[int, float]


_R21, _R25, _R26 = 181_154_404, 1_047_186_550, 2_103_821_912  # R-MAT 21 of edge factor 48, others of 16
BY_DEGREE = " by degree"
"""Appended to a primitive's name if its one device has the vertices in its own order."""
MEASURED: dict[str, tuple[Run, Run]] = {
    "bfs": (Run(_R21, {1: 0.0875, 2: 0.0980, 4: 0.0894}), Run(_R26, {1: 2.48, 2: 1.36, 4: 0.836})),
    "sssp": (Run(_R21, {1: 1.35, 2: 0.828, 4: 0.584}), Run(_R25, {1: 16.1, 2: 8.16, 4: 5.08})),
    "bc": (Run(_R21, {1: 1.34, 2: 0.883, 4: 0.667}), Run(_R25, {1: 21.0, 2: 11.5, 4: 7.73})),
    "cc": (Run(_R21, {1: 0.0625, 2: 0.123, 4: 0.117}), Run(_R26, {1: 1.65, 2: 0.828, 4: 0.683})),
    "pagerank": (Run(63_539_152, {1: 0.449, 2: 0.262}), Run(_R26, {1: 30.7, 2: 17.1})),
    "pagerank" + BY_DEGREE: (
        Run(_R21, {1: 0.773, 2: 0.425, 4: 0.289}),
        Run(_R26, {1: 15.8, 2: 8.16, 4: 4.66}),
    ),
}
"""A smaller R-MAT graph and a larger one [D-several-1]; for PageRank an iteration. The code that ran on
four was older than the code that ran on one and two."""
_OF_A_RUN = {"pagerank": "an iteration of pagerank"}
"""The subject of the times, if not the whole run."""


@dataclass(frozen=True)
class Faster:
    """The number of devices, and why."""

    devices: int
    why: str


def predicted_ms(measured: str, graph: Graph, devices: int) -> float | None:
    """The time of a run on that many H200, on a line through what was ``measured`` on as many, or on the
    next smaller measured number. None for graphs unlike the measured ones: smaller or directed ones, and
    those without hubs, whose many steps several devices only lengthen."""
    if measured not in MEASURED or not graph.undirected or has_no_hubs(graph):
        return None
    small, large = MEASURED[measured]
    if graph.m < small.edges:
        return None
    on = max(count for count in small.ms if count <= devices)
    each = (large.ms[on] - small.ms[on]) / (large.edges - small.edges)
    return small.ms[on] + each * (graph.m - small.edges)


def faster_on_several(
    primitive: Primitive,
    graph: Graph,
    options: Options,
    backend: Backend,
    part_bytes: Callable[[int], int],
) -> Faster | None:
    """The number of this host's GPUs that should run on a graph that one of them holds: the fewest that
    are fastest; None for one. The others must be idle and have room for a part's bytes."""
    there = count_devices(backend) if backend.name == "cuda" else 1
    if (
        there == 1
        or predicted_ms(primitive.name, graph, 1) is None
        or not _runs_on_several(primitive, graph, options)
    ):
        return None
    alone = primitive.plan(graph, options)
    measured = primitive.name + (BY_DEGREE if alone.renumbers else "")
    one = predicted_ms(measured, graph, 1)
    if one is None:
        return None
    best: tuple[float, int] | None = None
    for count in range(2, there + 1):
        several = predicted_ms(measured, graph, count)
        assert several is not None
        if (
            one >= LEAST_GAIN * several
            and (best is None or several < best[0])
            and _have_room(count, part_bytes(count))
        ):
            best = several, count
    if best is None:
        return None
    run = _OF_A_RUN.get(primitive.name, primitive.name)
    return Faster(
        best[1],
        f"{best[1]} devices: {run} on {graph.name} is predicted to take "
        f"{best[0]:.3g} ms on them, {one:.3g} on one",
    )


def _have_room(count: int, needed: int) -> bool:
    return all(idle_bytes(number) >= (needed if number else _TO_CUT * needed) for number in range(count))


def _runs_on_several(primitive: Primitive, graph: Graph, options: Options) -> bool:
    if not isinstance(primitive, OnSeveralDevices):
        return False
    try:
        primitive.plan_in_parts(graph, options)
    except UsageError:
        return False
    return True
