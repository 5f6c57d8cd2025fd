"""Searches from single nodes, and their lengths in NetworkX's form: by hops, or by weights, exact for
whole weights, otherwise in single precision."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

import numpy as np

from gunrock_cli.face.networkx_backend.graph import GunrockGraph
from gunrock_cli.face.networkx_backend.lengths import check_lengths, within
from gunrock_cli.face.networkx_backend.runs import prepared, ran
from gunrock_cli.graph.model.graph import Array, array_module, to_numpy

FEW = np.iinfo(np.uint16).max


def start_of(G: GunrockGraph, node: Hashable, refusal: str, kind: str = "NodeNotFound") -> int:
    """Return the vertex of a node; raise NetworkX's error for an unknown one."""
    import networkx as nx

    start = G.vertex(node)
    if start is None:
        raise getattr(nx, kind)(refusal.format(node))
    return start


def check_weight(weight: Any) -> None:
    """Raise NotImplementedError for weights by a function."""
    if weight is not None and not isinstance(weight, str):
        raise NotImplementedError("gunrock: a weight is the name of an attribute")


def lengths_from(G: GunrockGraph, start: int, weight: Any) -> Array:
    """The lengths of shortest paths from a vertex, of shape (n,), in the memory of the run; hops if
    ``weight`` is None. Negative or infinite if unreached."""
    if weight is None:
        return ran(prepared("bfs", G), start).labels
    check_weight(weight)
    found = ran(prepared("sssp", G), start).distances
    check_lengths(G, found)
    return found


def reached_by(G: GunrockGraph, lengths: Array, cutoff: float | None, weight: Any) -> Array:
    """Bool, shape (n,): True for the vertices that NetworkX gives for a cutoff."""
    if cutoff is None or cutoff == math.inf:
        return within(G, lengths, None)
    if weight is None:
        return within(G, lengths, max(0, math.ceil(cutoff)))  # NetworkX goes on while it is below
    if cutoff < 0:
        raise NotImplementedError("gunrock: no cutoff below 0")
    return within(G, lengths, cutoff)


def as_theirs(G: GunrockGraph, lengths: Array, weight: Any) -> Array:
    """The lengths in the type of the graph's own weights."""
    return lengths if weight is None or G.edges is None else lengths.astype(np.float64)


def nearest_first(G: GunrockGraph, reached: Array, lengths: Array) -> dict[Hashable, Any]:
    """A dictionary of the reached nodes, sorted in the lengths' memory."""
    vertices = reached.nonzero()[0]
    found = lengths[vertices]
    order = _order_of(found)
    return dict(zip(G.named(vertices[order]), to_numpy(found[order]).tolist(), strict=True))


def _order_of(lengths: Array) -> Array:
    """The order of rising lengths; equal ones keep their order."""
    module = array_module(lengths)
    if module is np and lengths.dtype.kind == "i" and lengths.max(initial=0) <= FEW:
        lengths = lengths.astype(np.uint16)  # a radix sort, in a third of the time
    return module.argsort(lengths, kind="stable")
