"""Cores and trusses as NetworkX's graphs: parts of the caller's own graph, with all its attributes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from gunrock_cli.face.networkx_backend.graph import GunrockGraph, WholeGraph, convert_from_nx
from gunrock_cli.face.networkx_backend.runs import are_numbers, prepared, ran, without
from gunrock_cli.graph.model.graph import to_numpy


def k_core(G: WholeGraph, k: Any = None, core_number: Any = None) -> Any:
    """The nodes whose core number is at least ``k``, by default the greatest, with the edges among them.
    NotImplementedError for directed and multigraphs, for loops, and with ``core_number``."""
    with _converted(G) as own:
        without(core_number=core_number)
        cores = to_numpy(ran(prepared("kcore", own)).cores).tolist() if len(own) else []
        if k is None:
            k = max(cores)
        are_numbers(k)
        inside: list[Hashable] = [node for node, core in zip(own.nodes, cores, strict=True) if core >= k]
        return G.graph.subgraph(inside).copy()


def k_truss(G: WholeGraph, k: Any) -> Any:
    """The edges whose trussness is at least ``k``, and their nodes. NotImplementedError for directed and
    multigraphs, and for loops."""
    with _converted(G) as own:
        are_numbers(k)
        part = G.graph.copy()
        if own.graph.m:
            found = ran(prepared("ktruss", own))
            tails, heads = own.named(found.sources), own.named(found.targets)
            entries = zip(tails, heads, to_numpy(found.trussness).tolist(), strict=True)
            part.remove_edges_from([(u, v) for u, v, trussness in entries if trussness < k])
        part.remove_nodes_from([node for node, degree in part.degree() if degree == 0])
        return part


@contextmanager
def _converted(G: WholeGraph) -> Iterator[GunrockGraph]:
    """The graph without its attributes. NetworkX has kept ``G`` for later calls, of which none could use
    it."""
    if not isinstance(G, WholeGraph):
        raise NotImplementedError("gunrock: parts are of NetworkX's own graphs")
    try:
        own = convert_from_nx(G.graph)
        if own.is_directed() or own.is_multigraph() or own.graph.to(np).csr.loops():
            raise NotImplementedError("gunrock: cores and trusses are of undirected simple graphs")
        yield own
    finally:
        G.forget()
