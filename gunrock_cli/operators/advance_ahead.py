"""The host's half of ``kernels/operators/advance_ahead.cuh``: traversals whose blocks run several levels
ahead between two grid barriers."""

from __future__ import annotations

import math
from typing import Final, Literal

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.parts.parted import GraphInParts
from gunrock_cli.operators.gather_padded import room_for, suits_padding
from gunrock_cli.operators.launch_shapes import (
    AHEAD_LONG,
    AHEAD_SHORT,
    AHEAD_SHORT_WEIGHTED,
    AHEAD_UNEVEN,
    AHEAD_UNEVEN_WEIGHTED,
)
from gunrock_cli.operators.lists import (
    has_many_levels,
    has_no_hubs,
    has_short_lists,
    is_regular,
    longest_list,
)

LEVELS = 16
"""Levels between two barriers on meshes [D-ahead-4]."""
LEVELS_OF_LATTICES = 64
"""Levels between two barriers if lists are short and nearly equal in length [D-ahead-10]."""
MAX_LEVELS = 1 << 20
MOST_WEIGHTED = 50_000_000
"""The most bytes of a copy of lists and weights: about what the L2 of an H100 or H200 holds."""


def lanes_log(graph: Graph) -> int:
    """log2 of the threads that share a list: log2 of the mean degree, rounded up."""
    mean = max(1.0, graph.m / max(1, graph.n))
    return min(5, max(1, math.ceil(math.log2(mean))))


def search_lanes_log(graph: Graph) -> int:
    """log2 of the threads that share a list in a search: twice as many if lists are long, as a second
    look costs more than idle threads do [D-ahead-6]."""
    return min(5, lanes_log(graph) + (not has_short_lists(graph)))


def flow_lanes_log(graph: Graph) -> int:
    """log2 of the threads that share a list in a dataflow: half as many, as the values that a vertex
    waits for come one after the other [D-flow-5]."""
    return max(1, lanes_log(graph) - 1)


def launch_shape(graph: Graph, weighted: bool = False) -> Tuning:
    """The launch shape of a kernel whose blocks run ahead, over weighted edges or not."""
    if not has_short_lists(graph):
        return AHEAD_LONG
    if is_regular(graph):
        return AHEAD_SHORT_WEIGHTED if weighted else AHEAD_SHORT
    return AHEAD_UNEVEN_WEIGHTED if weighted else AHEAD_UNEVEN


def pads_ahead(graph: Graph, weighted: bool = False) -> bool:
    """True if blocks read a copy of the lists that has room for four entries in each: on a GPU, if nearly
    all lists are that short, and the copy has room for the places of the others [D-ahead-9]. With
    weights, which double its size, only if the cache holds it, and not if all lists are equally long
    [D-ahead-11]. (A graph that is already in parts is for several devices, which read the lists
    themselves.)"""
    if graph.xp is np or isinstance(graph, GraphInParts):
        return False
    if weighted and (is_regular(graph) or 4 * _words(graph, weighted) > MOST_WEIGHTED):
        return False
    return graph.csr.row_offsets.dtype == np.int32 and suits_padding(graph.csr)


PADDED = "GR_AHEAD_PADDED"
"""The kernels' macro for the copy."""


def ahead_macros(graph: Graph, weighted: bool = False) -> dict[str, int]:
    """The macros that tell a GPU's kernel if lists are long, as ``launch_shape`` has it, if there is a
    copy, and if that has weights, too."""
    long_lists = graph.xp is not np and not has_short_lists(graph)
    return {
        **({"GR_AHEAD_LONG": 1} if long_lists else {}),
        **({PADDED: 1 + weighted} if pads_ahead(graph, weighted) else {}),
    }


def padded_room(graph: Graph, weighted: bool = False) -> Room | None:
    """Room for the copy, or None."""
    return Room(_words(graph, weighted), np.int32) if pads_ahead(graph, weighted) else None


def _words(graph: Graph, weighted: bool) -> int:
    return room_for(graph.csr) * (1 + weighted)


AS_SEEN: Final = "auto"
"""A resolved option: a search begins in step, and runs ahead while its frontiers call for it."""
LONGEST = 128
"""The longest list that a block may walk alone while others wait: this takes some tens of microseconds,
like a few levels. (Longer lists keep all blocks busy alike if they are within ``HUB_RATIO`` of the
mean.)"""


def has_lists_for_blocks(graph: Graph) -> bool:
    """True if no list is so long that all blocks would wait for the one that walks it."""
    return has_no_hubs(graph) or longest_list(graph) <= LONGEST


def levels_as_seen(graph: Graph) -> int:
    """The number of levels for a search that runs ahead as it sees fit."""
    return LEVELS_OF_LATTICES if pads_ahead(graph) and is_regular(graph) else LEVELS


def levels_ahead(
    wanted: int | Literal["auto"], graph: Graph, able: bool, needs: str, relay: bool = False
) -> int | Literal["auto"]:
    """Resolve ``--run-ahead``. ``able``: the other options permit more than 1; ``needs`` names the
    options that do; ``relay``: ``auto`` can be left to the search."""
    if wanted == "auto":
        if able and relay and has_lists_for_blocks(graph):
            return AS_SEEN
        return levels_as_seen(graph) if able and has_many_levels(graph) else 1
    if wanted > 1 and not able:
        raise UsageError(f"--run-ahead {wanted} needs {needs}")
    return wanted
