"""Code shared by primitives that rank hubs and authorities, and so gather over both kinds of lists."""

from __future__ import annotations

from typing import Any

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.primitives.base import Accesses, Traffic
from gunrock_cli.primitives.renumbering import Renumbered, order_option, renumbering_pays
from gunrock_cli.primitives.shown import Outputs

TOLERANCE = 1e-6
"""The largest distance of an answer from the reference, without rounding and the stopping rule."""
ROUNDINGS = 4
"""Roundings of a value in a half-step: of the values that its neighbors pass on, of their sum, and of
itself."""


def long_lists(graph: Graph) -> dict[str, Room]:
    """Members of ``Problem`` that note lists too long for their group."""
    return {
        "long_in_lists": Room(graph.n, np.int32),
        "long_in_counts": Room(2, np.int32, filled=0),
        "long_out_lists": Room(graph.n, np.int32),
        "long_out_counts": Room(2, np.int32, filled=0),
    }


def order_of_sides() -> Any:
    """Declare ``--order`` for hubs and authorities."""
    return order_option("hubs and authorities", "out-degree as hubs and in-degree as authorities")


def pays_on_sides(graph: Graph, width: int, passes: int, saved_ns: float) -> bool:
    """True if ``--order degree`` pays for itself when vertices pass on ``width`` bytes in each of this
    many passes, two per iteration."""
    return renumbering_pays(graph, width * graph.n, passes, sides_apart=True, saved_ns=saved_ns)


def orders_of_sides(graph: Graph) -> dict[str, Array | None]:
    """Members of ``Problem``: the vertex behind each number on either side, if numbered by degree."""
    if isinstance(graph, Renumbered):
        return {"hub_order": graph.order, "authority_order": graph.end_order}
    return {"hub_order": None, "authority_order": None}


def traffic_of_sides(graph: Graph, width: int, iterations: int, edge: int = 4) -> Traffic:
    """The traffic of an iteration, which reads every stored edge (of ``edge`` bytes) and the end of each
    list twice, once over in-lists and once over out-lists, as the second half needs the first. It also
    reads and writes the value of ``width`` bytes that each hub and each authority passes on."""
    row = graph.csr.row_offsets.dtype.itemsize
    passing = graph.csr.longer_than(0) + int((in_degrees(graph) > 0).sum())
    return Traffic(
        read=2 * (edge * graph.m + row * (graph.n + 1)) + width * passing,
        written=width * passing,
        passes=iterations,
    )


def accesses_of_sides(graph: Graph, width: int, iterations: int, edge: int = 4) -> Accesses:
    """The accesses of an iteration, which reads every edge (of ``edge`` bytes) twice and gathers a value
    of ``width`` bytes for it; on either side, it reads each vertex's row and own value, and writes that
    value."""
    row = graph.csr.row_offsets.dtype.itemsize
    moved = 2 * (edge * graph.m + (row + 2 * width) * graph.n)
    return Accesses(moved, 2 * graph.m, width * graph.n, passes=iterations)


def in_degrees(graph: Graph) -> Array:
    """The number of edges that lead to each vertex, counted over out-edges if there is no reverse."""
    if graph.reverse is not None:
        return graph.reverse.degrees()
    return graph.xp.bincount(graph.csr.column_indices, minlength=graph.n)


def both_sides(outputs: Outputs, n: int) -> np.ndarray[Any, Any] | None:
    """Hubs and authorities as the columns of one float64 array, or None if the outputs are not these."""
    columns = [outputs[name] for name in ("hubs", "authorities")]
    if any(column.shape != (n,) or not np.isfinite(column).all() for column in columns):
        return None
    found: np.ndarray[Any, Any] = np.column_stack(columns).astype(np.float64)
    return found


def rounding(outputs: Outputs) -> float:
    """The largest relative error that an iteration, of two half-steps, may add to a value."""
    kinds = [outputs[name].dtype for name in ("hubs", "authorities")]
    return 2 * ROUNDINGS * max(float(np.finfo(kind).eps) for kind in kinds if kind.kind == "f")


def shown(values: np.ndarray[Any, Any], vertex: int) -> str:
    """A vertex of ``both_sides``, as a message shows it."""
    return f"hub {float(values[vertex, 0]):.9g} and authority {float(values[vertex, 1]):.9g}"
