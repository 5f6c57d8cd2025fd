"""How long a graph's lists of neighbours are: which decides how an operator walks them."""

from __future__ import annotations

from gunrock_cli.graph.model import Graph

HUB_RATIO = 8.0
"""Longest over mean neighbour list below which a graph counts as mesh-like."""


def has_no_hubs(graph: Graph) -> bool:
    """By degrees alone: no list is much longer than the others."""
    return graph.m == 0 or graph.csr.longest < HUB_RATIO * graph.m / graph.n


MOST_NEIGHBORS = 24
"""Mean list beyond which no mesh's thousands of small levels are expected [D-ahead-8]."""


def has_many_levels(graph: Graph) -> bool:
    """Whether a traversal is expected to take as many steps as a mesh's, by degrees alone. (Uniform
    random graphs have no hubs either, and few levels.)"""
    return has_no_hubs(graph) and graph.m <= MOST_NEIGHBORS * graph.n


def has_short_lists(graph: Graph) -> bool:
    return graph.m <= 8 * graph.n


REGULAR = 0.95
"""Of the longest list, what the mean has at least where lists are as good as equally long."""


def is_regular(graph: Graph) -> bool:
    """Whether nearly all vertices have as many neighbours, as in a lattice: then a vertex is seldom found
    by a longer way first."""
    return graph.m >= REGULAR * graph.csr.longest * graph.n


SHORT = 63
"""The longest list that one thread may walk, again and again."""


def longest_list(graph: Graph) -> int:
    """Entries of the longest, 0 where there are none."""
    return graph.csr.longest


def has_only_short_lists(graph: Graph) -> bool:
    return longest_list(graph) <= SHORT


def lanes_of_lists(graph: Graph) -> int:
    """How many threads look through a list together, where none is long [D-settle-1]."""
    return 1 if has_short_lists(graph) else 4
