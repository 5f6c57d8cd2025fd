"""The host's half of ``kernels/operators/advance_ahead.cuh``: how traversals run whose blocks go
several levels ahead between two barriers of the grid."""

from __future__ import annotations

import math
import re
from typing import Any

from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model import Graph
from gunrock_cli.operators.launch_shapes import AHEAD_LONG, AHEAD_SHORT
from gunrock_cli.operators.lists import has_many_levels, has_short_lists

LEVELS = 16
"""Between two barriers on meshes [D-ahead-4]."""
MAX_LEVELS = 1 << 20


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


def levels_ahead(text: Any, graph: Graph, able: bool, needs: str) -> int:
    """``--run-ahead`` resolved. ``able``: whether the other options permit more than 1; ``needs``
    says which ones do."""
    if text == "auto":
        return LEVELS if able and has_many_levels(graph) else 1
    levels = int(text) if re.fullmatch(r"[0-9]{1,9}", str(text)) else 0
    if not 1 <= levels <= MAX_LEVELS:
        raise UsageError(f"--run-ahead {text}: give a number of levels from 1, or auto")
    if levels > 1 and not able:
        raise UsageError(f"--run-ahead {text} needs {needs}")
    return levels
