"""The edge weights that a primitive can work with."""

from __future__ import annotations

from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.tiny_weights import MUST_BE_LARGER, too_small


def check_weights(graph: Graph, negative: str | None = None) -> None:
    """Refuse a graph without weights, or with a weight that is not finite or too small to be kept; if
    ``negative`` gives a reason, also one with a weight below zero."""
    values, xp = graph.csr.values, graph.xp
    if values is None:
        raise UsageError("the graph has no weights; use --weights random:1:64 or --weights unit")
    if graph.m == 0:
        return
    if values.dtype.kind == "f" and not bool(xp.isfinite(values).all()):
        place = int(xp.argmin(xp.isfinite(values)))
        problem = "must be finite"
    elif negative is not None and xp.less(values.min(), 0):
        place = int(xp.argmin(values))
        problem = negative
    elif (small := too_small(values)) is not None:
        place, problem = small, MUST_BE_LARGER
    else:
        return
    row = int(xp.searchsorted(graph.csr.row_offsets, place, side="right")) - 1
    column = int(graph.csr.column_indices[place])
    raise InputError(
        f"{graph.name}: the edge from {row} to {column} (vertices count from 0) has "
        f"weight {values[place]}: {problem}; --weights replaces them all"
    )
