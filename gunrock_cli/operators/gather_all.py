"""The host's half of ``kernels/operators/gather_all.cuh``."""

from __future__ import annotations

from enum import StrEnum

from gunrock_cli.graph.model import Graph

LONGEST_EVEN = 64
"""Longest list up to which no list is so long that others wait for it."""
MEAN_SHORT = 8
"""Mean length up to which a thread sums lists by itself."""


class Lists(StrEnum):
    """Ways to sum over lists of neighbours, by the names that ``gather_all.cuh`` has for them."""

    SHORT = "SHORT_LISTS"
    EVEN = "EVEN_LISTS"
    UNEVEN = "UNEVEN_LISTS"


def kinds_of_lists(graph: Graph) -> Lists:
    """Which way to sum suits the lengths of a graph's lists of in-neighbours."""
    assert graph.reverse is not None
    longest = int(graph.reverse.degrees().max()) if graph.n else 0
    if longest > LONGEST_EVEN:
        return Lists.UNEVEN
    return Lists.SHORT if graph.m <= MEAN_SHORT * graph.n else Lists.EVEN
