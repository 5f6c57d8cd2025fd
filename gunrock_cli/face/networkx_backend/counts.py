"""Triangles, clustering and core numbers, in NetworkX's form."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from gunrock_cli.face.networkx_backend.graph import GunrockGraph
from gunrock_cli.face.networkx_backend.runs import prepared, ran, without
from gunrock_cli.graph.model.graph import to_numpy


def triangles(G: GunrockGraph, nodes: Any = None) -> Any:
    """The triangles of each node by node, or of one node; loops do not count. NotImplementedError for
    directed and multigraphs, and for ``nodes`` that the graph lacks."""
    _is_simple(G)
    found = to_numpy(ran(prepared("triangles", G)).triangles) if G.graph.m else np.zeros(len(G), int)
    return _of(G, nodes, found.tolist())


def clustering(G: GunrockGraph, nodes: Any = None, weight: Any = None) -> Any:
    """The share of the pairs of each node's neighbors that are neighbors themselves, as for
    ``triangles``; without a ``weight``."""
    _is_simple(G)
    without(weight=weight)
    return _of(G, nodes, _clustering(G))


def average_clustering(
    G: GunrockGraph, nodes: Any = None, weight: Any = None, count_zeros: bool = True
) -> float:
    """The mean of ``clustering``; unless ``count_zeros``, of those above 0. ZeroDivisionError without
    any."""
    _is_simple(G)
    without(weight=weight)
    found = _of(G, nodes, _clustering(G))
    shares = list(found.values()) if isinstance(found, dict) else [found]
    if not count_zeros:
        shares = [share for share in shares if share > 0]
    return float(sum(shares) / len(shares))


def transitivity(G: GunrockGraph) -> float:
    """The share of the paths of two edges whose ends are neighbors; 0 without any. NotImplementedError
    for directed and multigraphs."""
    _is_simple(G)
    return float(to_numpy(ran(prepared("clustering", G)).transitivity)[0]) if G.graph.m else 0


def core_number(G: GunrockGraph) -> dict[Hashable, int]:
    """Each node's core number. NotImplementedError for directed and multigraphs, and for loops."""
    _is_simple(G)
    if G.graph.csr.loops():
        raise NotImplementedError("gunrock: core numbers are of graphs without loops")
    cores = to_numpy(ran(prepared("kcore", G)).cores) if len(G) else np.empty(0, np.int32)
    return dict(zip(G.nodes, cores.tolist(), strict=True))


def _is_simple(G: GunrockGraph) -> None:
    if G.is_directed() or G.is_multigraph():
        raise NotImplementedError("gunrock counts in undirected graphs without parallel edges")


def _clustering(G: GunrockGraph) -> list[float]:
    if not G.graph.m:
        return [0] * len(G)
    coefficients: list[float] = to_numpy(ran(prepared("clustering", G)).coefficients).tolist()
    return coefficients


def _of(G: GunrockGraph, nodes: Any, values: list[Any]) -> Any:
    """The values of all nodes or of some by node, or of a single one."""
    if nodes is None:
        return dict(zip(G.nodes, values, strict=True))
    one = G.vertex(nodes)
    if one is not None:
        return values[one]
    if not isinstance(nodes, Iterable):
        raise NotImplementedError(f"gunrock: {nodes!r} is no node")
    places = {node: G.vertex(node) for node in nodes}
    if None in places.values():
        raise NotImplementedError("gunrock: some nodes are not in the graph")
    return {node: values[place] for node, place in places.items() if place is not None}
