"""The width of slices and the bound that suit a graph: multiples of its mean weight / mean degree."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.operators.advance_ahead import AS_SEEN
from gunrock_cli.operators.lists import has_no_hubs, has_short_lists
from gunrock_cli.primitives.sssp.distances import INT_UNREACHED, weights_of

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

WITH_HUBS, MESH_ON_CPU = 8.0, 16.0
"""Automatic delta, in multiples of mean weight / mean degree (ids: docs/decisions/)."""
AFTER_BOUND, AFTER_BOUND_EDGES = 64.0, 1 << 24
"""Automatic delta on a GPU if near and far take over from a bound, on graphs with fewer edges than this:
there the number of steps is the cost [D-delta-3]."""
PUSHED_EDGES = 1 << 23
"""A GPU pushes a graph with hubs and fewer edges all at once [D-delta-5]; if slices are asked for, they
are as wide as after a bound [D-delta-4]."""
BOUNDED_EDGES = 1 << 20
"""The same for a graph whose middle is a hub, for which a bound leaves out most edges: a GPU relaxes no
more than these in the time of the bound's own steps [D-bound-4]."""
AHEAD_SHORT, AHEAD_LONG = 37.0, 16.0
"""Automatic delta if blocks run ahead, by the length of lists [D-delta-2]."""
AHEAD_ON_CPU = 16.0
"""Automatic delta if blocks run ahead on a CPU, where barriers are cheap compared with the detours that
cores find [D-cores-3]."""
BOUND, BOUND_ON_CPU = 6.0, 3.0
"""Automatic bound, in multiples of mean weight / mean degree (on a GPU; on a CPU, where reading a weight
takes as long as looking up an edge's end), unless it is below a few times the smallest weight [D-bound-1,
D-bound-2]."""
FEWEST_LEAST, MOST_LEAST = 2, 5
"""That multiple of the smallest weight: larger if weights are spread [D-bound-3]."""
MESH_ON_GPU = 1024.0
"""Automatic delta of a mesh on a GPU, in multiples of mean weight / mean degree squared: as measured, the
best delta grows faster than the degree falls [D-delta-1]."""


def auto_delta(graph: Graph, run_ahead: str = "off", bounded: bool = False) -> float:
    """A multiple of mean weight / mean degree; any positive number if there are no edges.

    Gunrock and Davidson multiply by 32. With hubs the work is the cost: a narrow slice relaxes hardly any
    edge twice. On meshes the cost on a GPU is the number of steps, which are nearly empty: a wide slice
    takes fewer. A CPU's steps are never empty. Blocks that run ahead take few steps anyway, and relax
    edges in vain if the slice is wide."""
    if graph.m == 0:
        return 1.0
    if run_ahead == "on":
        on_gpu = AHEAD_SHORT if has_short_lists(graph) else AHEAD_LONG
        factor = AHEAD_ON_CPU if graph.xp is np else on_gpu
    elif run_ahead == AS_SEEN:
        factor = WITH_HUBS
    elif not has_no_hubs(graph):
        few_edges = graph.m < (AFTER_BOUND_EDGES if bounded else PUSHED_EDGES)
        factor = AFTER_BOUND if few_edges and graph.xp is not np else WITH_HUBS
    else:
        factor = MESH_ON_CPU if graph.xp is np else MESH_ON_GPU * graph.n / graph.m
    return factor * weight_per_degree(graph) or 1.0


def auto_bound(graph: Graph) -> float:
    """The distance from the first hub within which vertices are settled first. If weights are nearly
    equal, a bound many steps away would be beyond most of the graph: all edges would be followed, with
    hardly any left to look back over."""
    by_mean = (BOUND_ON_CPU if graph.xp is np else BOUND) * weight_per_degree(graph)
    least = least_weight(graph)
    if not least > 0:
        return by_mean
    spread = by_mean / BOUND * graph.m / graph.n / least  # on a GPU the mean over the smallest
    steps = min(MOST_LEAST, FEWEST_LEAST + max(0, round(math.log(spread, 4))))
    return max(by_mean, steps * least)


def raised_by(bound: float, least: float, dtype: DTypeLike) -> float:
    """The distance by which the bound is raised each time that it leaves too many edges over: at least
    one, in integers."""
    raised = max(bound / 2, least)
    return max(1.0, raised // 1) if dtype == np.int32 else raised


def weight_per_degree(graph: Graph) -> float:
    """Mean weight / mean degree; any positive number if there are no edges."""
    if graph.m == 0:
        return 1.0
    return float(weights_of(graph).mean(dtype=np.float64)) * graph.n / graph.m


def least_weight(graph: Graph) -> float:
    """The smallest weight; 0 if there are no edges."""
    return float(weights_of(graph).min()) if graph.m else 0.0


def in_range(graph: Graph, distance: float) -> float:
    """A distance from an option, converted to the type of the weights and its range."""
    if weights_of(graph).dtype == np.int32:
        return float(round(min(max(1.0, distance), INT_UNREACHED - 1.0)))
    limits = np.finfo(np.float32)
    return min(max(float(limits.tiny), distance), float(limits.max))
