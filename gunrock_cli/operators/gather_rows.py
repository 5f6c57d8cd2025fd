"""The host's half of ``kernels/operators/gather_rows.cuh``."""

from __future__ import annotations

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.operators.gather_all import Lists, kinds_of_lists

ROW = 32
"""The number of values in a vertex's row: with float32, a line of 128 bytes."""


def suits_octets(graph: Graph) -> bool:
    """True if each group of eight lanes should fold a list of in-neighbours alone: if no list is long, so
    that none waits for others. (A core has no lanes.)"""
    return graph.xp is not np and kinds_of_lists(graph) is not Lists.UNEVEN
