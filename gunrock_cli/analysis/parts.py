"""Statistics of a graph cut into parts: their balance, and the edges between them."""

from __future__ import annotations

from typing import Any, TypedDict

import numpy as np

from gunrock_cli.graph.model.graph import Csr, Graph, row_ids, to_numpy
from gunrock_cli.graph.parts.parted import GraphInParts, RowsInParts
from gunrock_cli.graph.parts.partition import Partition, partition_of
from gunrock_cli.operators.lists import has_many_levels

_EDGES_AT_A_TIME = 1 << 26


class OnePart(TypedDict):
    """A part's vertices, the edges that lead to them, the others' vertices at which those begin, the
    bytes of these rows, and those of a piece of a bitmap."""

    vertices: int
    edges: int
    ghosts: int
    bytes: int
    told_bytes: int


class PartStats(TypedDict):
    """The parts of a graph, and what they have in common."""

    devices: int
    partition: str
    cut: float
    edge_balance: float
    vertex_balance: float
    parts: list[OnePart]


def part_stats(graph: Graph, parts: int, kind: str = "auto") -> PartStats:
    """The statistics by the names of ``gunrock stats --devices --json`` (docs/devices.md): ``cut``, the
    share of edges whose ends have different owners; the largest part over the mean; and for each part its
    vertices, the edges that lead to them, ghosts (others' vertices at which those edges begin), the bytes
    of these rows, and the bytes of its piece of a bitmap, which it sends to every other device after a
    step."""
    if isinstance(graph, GraphInParts):
        return _of_parts(graph)
    xp, lists = graph.xp, graph.reverse if graph.reverse is not None else graph.csr
    partition = partition_of(graph, parts, kind, mesh=has_many_levels(graph))
    owner = partition.owners(xp)
    edges, cut = np.zeros(parts, np.int64), 0
    ghosts = xp.zeros((parts, graph.n), bool)
    for begin in range(0, graph.m, _EDGES_AT_A_TIME):
        end = min(graph.m, begin + _EDGES_AT_A_TIME)
        head, tail = owner[row_ids(lists.row_offsets, begin, end)], lists.column_indices[begin:end]
        edges += to_numpy(xp.bincount(head, minlength=parts))
        far = head != owner[tail]
        ghosts[head[far], tail[far]] = True
        cut += int(far.sum())
    return _described(lists, partition, edges, cut, to_numpy(ghosts.sum(axis=1)))


def _of_parts(graph: GraphInParts) -> PartStats:
    """The statistics of the parts of a graph, each examined where it is."""
    lists = graph.reverse
    assert isinstance(lists, RowsInParts)
    cut, ghosts = 0, np.zeros(len(lists.parts), np.int64)
    for place, rows in enumerate(lists.parts):
        first, last = graph.partition.bounds[place : place + 2]
        with graph.places.at(place):
            others = graph.xp.zeros(graph.n, bool)
            for begin in range(0, rows.m, _EDGES_AT_A_TIME):
                tail = rows.column_indices[begin : begin + _EDGES_AT_A_TIME]
                others[tail] = True
                cut += int(((tail < first) | (tail >= last)).sum())
            others[first:last] = False
            ghosts[place] = int(others.sum())
    edges = np.array([rows.m for rows in lists.parts])
    return _described(lists, graph.partition, edges, cut, ghosts)


def _described(
    lists: Csr, partition: Partition, edges: np.ndarray[Any, Any], cut: int, ghosts: np.ndarray[Any, Any]
) -> PartStats:
    vertices = np.diff(partition.bounds)
    width = lists.row_offsets.dtype.itemsize
    entry = 4 if lists.values is None else 8
    return {
        "devices": partition.parts,
        "partition": partition.kind,
        "cut": round(cut / lists.m, 6) if lists.m else 0.0,
        "edge_balance": _balance(edges),
        "vertex_balance": _balance(vertices),
        "parts": [
            {
                "vertices": int(own),
                "edges": int(count),
                "ghosts": int(others),
                "bytes": int(width * (own + 1) + entry * count),
                "told_bytes": int(-(-own // 32) * 4),
            }
            for own, count, others in zip(vertices, edges, ghosts, strict=True)
        ],
    }


def _balance(sizes: np.ndarray[Any, Any]) -> float:
    """The largest size over the mean."""
    return round(float(sizes.max() / max(sizes.mean(), 1e-9)), 4) if sizes.any() else 1.0
