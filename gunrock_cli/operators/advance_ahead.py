"""The host's half of ``kernels/operators/advance_ahead.cuh``: how traversals run whose blocks go
several levels ahead between two barriers of the grid."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model import Array, Graph
from gunrock_cli.graph.parted import GraphInParts
from gunrock_cli.operators.gather_padded import WIDTH, room_for, suits_padding
from gunrock_cli.operators.launch_shapes import AHEAD_LONG, AHEAD_SHORT
from gunrock_cli.operators.lists import has_many_levels, has_short_lists

LEVELS = 16
"""Between two barriers on meshes [D-ahead-4]."""
MAX_LEVELS = 1 << 20
REPAYS = 1 << 17
"""Vertices from which small blocks that share lists widely run ahead [D-ahead-10]."""


def lanes_log(graph: Graph) -> int:
    """log2 of the threads that share a list: of the mean degree, rounded up."""
    mean = max(1.0, graph.m / max(1, graph.n))
    return min(5, max(1, math.ceil(math.log2(mean))))


def search_lanes_log(graph: Graph) -> int:
    """The same for a breadth-first search: where lists are long twice as many, as a second look
    costs it more than idle threads [D-ahead-6]."""
    return min(5, lanes_log(graph) + (not has_short_lists(graph)))


def launch_shape(graph: Graph) -> Tuning:
    """Of a kernel whose blocks run ahead."""
    return AHEAD_SHORT if has_short_lists(graph) else AHEAD_LONG


def repays_ahead(graph: Graph) -> bool:
    """Whether running ahead makes up for how it begins: few blocks have all of the first levels, and a
    small one with several threads for each list is at it for long. Of a small graph that is most of the
    time; cores, one for each list, know none of it [D-ahead-10]."""
    widely = graph.m > WIDTH * graph.n and has_short_lists(graph)
    return graph.xp is np or not widely or graph.n >= REPAYS


def pads_ahead(graph: Graph) -> bool:
    """Whether they go over a copy of the lists that has room for four entries of each: on a GPU, where
    nearly all are so short, and the copy has room for where the others lie [D-ahead-9]. (A graph that is
    in parts already is for several devices, which read the lists themselves.)"""
    if graph.xp is np or isinstance(graph, GraphInParts):
        return False
    return graph.csr.row_offsets.dtype == np.int32 and suits_padding(graph.csr)


PADDED = "GR_AHEAD_PADDED"
"""The kernels' macro for it."""


def padded_macro(graph: Graph) -> dict[str, int]:
    """What the kernel is to be told of it."""
    return {PADDED: 1} if pads_ahead(graph) else {}


def padded_rows(graph: Graph) -> Array | None:
    """Room for the copy."""
    return graph.xp.empty(room_for(graph.csr), np.int32) if pads_ahead(graph) else None


def levels_ahead(text: Any, graph: Graph, able: bool, needs: str, pays: bool = True) -> int:
    """``--run-ahead`` resolved. ``able``: whether the other options permit more than 1; ``needs``
    says which ones do; ``pays``: whether many levels are reason enough."""
    if text == "auto":
        return LEVELS if able and pays and has_many_levels(graph) else 1
    levels = int(text) if re.fullmatch(r"[0-9]{1,9}", str(text)) else 0
    if not 1 <= levels <= MAX_LEVELS:
        raise UsageError(f"--run-ahead {text}: give a number of levels from 1, or auto")
    if levels > 1 and not able:
        raise UsageError(f"--run-ahead {text} needs {needs}")
    return levels
