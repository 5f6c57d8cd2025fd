"""The host's half of ``kernels/operators/gather_all.cuh``."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Csr, Graph
from gunrock_cli.operators.launch_shapes import GATHER, GATHER_FROM_HUBS

LONGEST_EVEN = 64
"""The longest list that keeps no other waiting."""
MEAN_SHORT = 8
"""The mean length up to which each thread sums lists on its own."""
MANY_ENTRIES = 1_000_000
"""The number of entries from which uneven lists are summed by one large block per multiprocessor
[D-shape-1]."""


class Lists(StrEnum):
    """Ways to sum over lists of neighbours, by their names in ``gather_all.cuh``."""

    SHORT = "SHORT_LISTS"
    EVEN = "EVEN_LISTS"
    UNEVEN = "UNEVEN_LISTS"


def kinds_of_lists(graph: Graph) -> Lists:
    """The way to sum that suits the lengths of a graph's lists of in-neighbours."""
    assert graph.reverse is not None
    return kind_of(graph.reverse)


def kind_of(lists: Csr) -> Lists:
    """The way to sum that suits the lengths of any lists."""
    longest = lists.longest
    if longest > LONGEST_EVEN:
        return Lists.UNEVEN
    return Lists.SHORT if lists.m <= MEAN_SHORT * lists.n else Lists.EVEN


def kinds_of_both(graph: Graph) -> Lists:
    """The way that suits both in-lists and out-lists, for a kernel that gathers over either: of two ways,
    the one for longer lists."""
    if graph.xp is np:
        return Lists.SHORT  # a core sums any list alone: one program serves all graphs
    order = list(Lists)
    return max(kinds_of_lists(graph), kind_of(graph.csr), key=order.index)


def gather_shape(graph: Graph) -> Tuning:
    """The launch shape of a kernel that sums over lists of in-neighbours."""
    large = graph.m >= MANY_ENTRIES and kinds_of_lists(graph) is Lists.UNEVEN
    return GATHER_FROM_HUBS if large else GATHER
