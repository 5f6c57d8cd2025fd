"""The lengths of a graph's neighbour lists, which decide how an operator walks them."""

from __future__ import annotations

from gunrock_cli.graph.model.graph import Graph

HUB_RATIO = 8.0
"""A graph counts as mesh-like if its longest neighbour list is below this multiple of the mean."""


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
