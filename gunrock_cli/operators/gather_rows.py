"""The host's half of ``kernels/operators/gather_rows.cuh``."""

from __future__ import annotations

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.operators.gather_all import Lists, kinds_of_lists

ROW = 32
"""Values that a vertex has side by side: with float32, a line of 128 bytes."""


def suits_octets(graph: Graph) -> bool:
    """Whether each group of eight lanes should fold a list of in-neighbours on its own: where none is
    long, so that no list waits for others. (A core has no lanes.)"""
    return graph.xp is not np and kinds_of_lists(graph) is not Lists.UNEVEN
