"""Resolves the options of SALSA."""

from __future__ import annotations

import numpy as np

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import MAX_VERTICES, Graph
from gunrock_cli.graph.vertex_list import listed_vertices
from gunrock_cli.primitives.renumbering import SAVED_NS, SAVED_NS_OF_PAIRS, expected_iterations, order_of
from gunrock_cli.primitives.salsa.options import RESTART, SalsaChosen, SalsaOptions
from gunrock_cli.primitives.two_sides import in_degrees, pays_on_sides

FASTEST = 0.25
"""The smallest ratio of an iteration's change to the one before, if neighbors are scattered: on R-MAT 10
iterations come down to 1e-6, with seeds 8 [D-renumber-2]."""
FASTEST_FROM_SEEDS = 0.17
MOST_PAIRS = {4: 2**31 - 1, 8: 2**33 - 1}
"""The largest total length of a frontier of edges' lists, by the bytes of an offset."""


def choose(graph: Graph, asked: SalsaOptions) -> SalsaChosen:
    """The options of a run on this graph."""
    scatters_by = "--variant edges" if asked.by_edges else ""
    order = order_of(asked.order, lambda: _pays(graph, asked), scatters_by)
    if asked.seeds is None:
        if asked.restart is not None:
            raise UsageError(f"--restart {asked.restart:g} needs --seeds")
        if asked.by_edges:
            check_pairs(graph)
        return SalsaChosen.resolved(asked, order=order)
    if asked.by_edges:
        raise UsageError("--seeds needs --variant gather")
    seeds = dict.fromkeys(listed_vertices(graph, asked.seeds, "--seeds", repeated=True))
    restart = RESTART if asked.restart is None else asked.restart
    return SalsaChosen.resolved(asked, order=order, seeds=",".join(map(str, seeds)), restart=restart)


def _pays(graph: Graph, asked: SalsaOptions) -> bool:
    """True if gathering by degree makes up for laying out the graph again. Without seeds, a pass comes
    before the first iteration."""
    both = asked.seeds is None
    fastest, saved_ns = (FASTEST, SAVED_NS_OF_PAIRS) if both else (FASTEST_FROM_SEEDS, SAVED_NS)
    passes = 2 * expected_iterations(asked.max_iterations, asked.tolerance, fastest) + both
    return pays_on_sides(graph, asked.width, passes, saved_ns)


def check_pairs(graph: Graph) -> None:
    """Raise UsageError if a frontier of edges cannot hold all pairs of adjacent edges."""
    offset = graph.csr.row_offsets.dtype
    pairs = sum(
        float((degrees.astype(np.float64) ** 2).sum())
        for degrees in (graph.csr.degrees(), in_degrees(graph))
    )
    if pairs > MOST_PAIRS[offset.itemsize] or 2 * graph.m > MOST_PAIRS[4] or 2 * graph.n > MAX_VERTICES:
        raise UsageError(
            f"--variant edges: {graph.name} has {pairs:.3g} pairs of edges that meet, more "
            "than a frontier of edges can reach; use --variant gather"
        )
