"""The lengths of a graph's neighbour lists, which decide how an operator walks them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Csr, Graph, to_numpy

HUB_RATIO = 8.0
"""A graph counts as mesh-like if its longest neighbour list is below this multiple of the mean."""


def most_entries(graph: Graph) -> int:
    """The most entries that lists of neighbors may have together."""
    return int(np.iinfo(graph.csr.row_offsets.dtype).max)


def has_no_hubs(graph: Graph) -> bool:
    """True if no list is much longer than the others, judged by degrees alone."""
    return graph.m == 0 or graph.csr.longest < HUB_RATIO * graph.m / graph.n


MOST_NEIGHBORS = 24
"""The longest mean list with which thousands of small levels, as on a mesh, are expected [D-ahead-8]."""


def has_many_levels(graph: Graph) -> bool:
    """True if a traversal is expected to take as many steps as on a mesh, judged by degrees alone.
    (Uniform random graphs have no hubs either, but few levels.)"""
    return has_no_hubs(graph) and graph.m <= MOST_NEIGHBORS * graph.n


def has_short_lists(graph: Graph) -> bool:
    return graph.m <= 8 * graph.n


REGULAR = 0.95
"""Lists are nearly equal in length if the mean is at least this share of the longest."""


def is_regular(graph: Graph) -> bool:
    """True if nearly all vertices have the same number of neighbours, as in a lattice: then a vertex is
    seldom found by a longer way first."""
    return graph.m >= REGULAR * graph.csr.longest * graph.n


SHORT = 63
"""The longest list that one thread may walk repeatedly."""


def longest_list(graph: Graph) -> int:
    """The number of entries in the longest list, 0 without lists."""
    return graph.csr.longest


def has_only_short_lists(graph: Graph) -> bool:
    return longest_list(graph) <= SHORT


def lanes_of_lists(graph: Graph) -> int:
    """The number of threads that look through a list together, if no list is long [D-settle-1]."""
    return 1 if has_short_lists(graph) else 4


WINDOWS, WINDOW, FIRST = 17, 64, 4
"""``is_around_hub`` asks so many times so many vertices about so many of their neighbors. (Windows are no
power of two apart: the numbers of an R-MAT graph say how many neighbors a vertex has.)"""


def is_around_hub(graph: Graph) -> bool:
    """True if most vertices are next to a neighbor of the longest list's vertex, and lists are not short:
    then most edges need not be read [D-cc-6, D-bound-4]. (Of a graph in parts the first is asked.)"""
    csr = graph.csr.sample()
    if not graph.undirected or has_short_lists(graph) or len(csr.row_offsets) < 2:
        return False
    near = np.zeros(graph.n, bool)
    hub = int(csr.degrees().argmax())
    near[to_numpy(csr.column_indices[int(csr.row_offsets[hub]) : int(csr.row_offsets[hub + 1])])] = True
    found = some = 0
    for begin in range(0, csr.n, max(WINDOW, csr.n // WINDOWS)):
        around, asked = _around(csr, near, begin)
        found += around
        some += asked
    return 2 * found > some


def _around(csr: Csr, near: np.ndarray[Any, Any], begin: int) -> tuple[int, int]:
    """How many vertices of a window are near or next to one who is, and how many have neighbors."""
    rows = to_numpy(csr.row_offsets[begin : begin + WINDOW + 1])
    entries = to_numpy(csr.column_indices[int(rows[0]) : int(rows[-1])])
    lengths = np.diff(rows)
    if not len(entries):
        return 0, 0
    places = np.arange(FIRST)
    there = places < lengths[:, None]
    first = entries[np.where(there, (rows[:-1] - rows[0])[:, None] + places, 0)]
    vertex = csr.first + begin
    around = near[vertex : vertex + len(lengths)] | (there & near[first]).any(axis=1)
    return int(around.sum()), int((lengths > 0).sum())
