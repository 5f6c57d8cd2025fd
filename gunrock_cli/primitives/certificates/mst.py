"""The proof of minimum spanning forests."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.primitives.certificates.base import Answer, Certificate
from gunrock_cli.primitives.question import Needs

_NONE = 2**31 - 1


class MstCertificate(Certificate):
    name = "mst"
    needs = Needs(weights=True)
    conditions = MappingProxyType(
        {
            "CIRCLE": "the edges close a circle",
            "APART": "an edge joins two trees",
            "LIGHTER": "an edge is left out that comes before one on the path between its ends",
            "STRANGE": "the graph has no such edge",
        }
    )

    def arrays(
        self, graph: Graph, options: Any, source: int, outputs: Answer, problem: Answer
    ) -> dict[str, Any] | None:
        if "sources" not in outputs:  # a peer breaks ties differently
            return None
        xp, n = graph.xp, graph.n
        sources, targets, weights = (outputs[name] for name in ("sources", "targets", "weights"))
        ends = sources.astype(np.uint64) << np.uint64(32) | targets.astype(np.uint64)
        if len(ends) and (
            int(sources.min()) < 0
            or int(targets.max()) >= n
            or bool((sources >= targets).any())
            or bool((ends[1:] <= ends[:-1]).any())
        ):
            return None  # the ends are no list of edges: the reference says so
        order = xp.argsort(weights, kind="stable")
        levels, trees = _contractions(xp, n, sources[order], targets[order])
        starts = np.cumsum([0, *(len(up) for up, _ in levels)])
        empty = [(xp.empty(0, np.int32), xp.empty(0, np.int32))]
        up, ranks = (xp.concatenate(parts) for parts in zip(*(levels or empty), strict=True))
        return {
            "up": up,
            "ranks": ranks,
            "starts": xp.asarray(starts),
            "depth": len(levels),
            "trees": trees,
            "ends": ends[order],
            "weights": weights[order],
            "found": xp.zeros(len(ends), np.uint32),
            "count": len(ends),
        }


def _contractions(xp: Any, n: int, a: Array, b: Array) -> tuple[list[tuple[Array, Array]], int]:
    """The contractions of edges in their order. Each is a pair of arrays: the node that each node belongs
    to after it follows its first edge, and that edge's rank (-1: none). Also returns the number of nodes
    left at the end."""
    levels = []
    rank = xp.arange(len(a), dtype=np.int32)
    while len(rank):
        first = xp.full(n, _NONE, np.int32)
        xp.minimum.at(first, a, rank)
        xp.minimum.at(first, b, rank)
        node = xp.flatnonzero(first < _NONE)
        edge = xp.searchsorted(rank, first[node])
        itself = xp.arange(n)
        parent = itself.copy()
        parent[node] = xp.where(a[edge] == node, b[edge], a[edge])
        parent = xp.where((parent[parent] == itself) & (itself < parent), itself, parent)
        while bool((parent[parent] != parent).any()):
            parent = parent[parent]
        roots = parent == itself
        up = (xp.cumsum(roots) - 1).astype(np.int32)[parent]
        levels.append((up, xp.where(first < _NONE, first, np.int32(-1))))
        n = int(roots.sum())
        a, b = up[a], up[b]
        apart = a != b
        a, b, rank = a[apart], b[apart], rank[apart]
    return levels, n


CERTIFICATE = MstCertificate()
