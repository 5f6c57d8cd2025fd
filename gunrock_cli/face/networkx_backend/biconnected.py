"""Biconnected components, cut vertices and bridges, in NetworkX's form."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import pairwise

import numpy as np

from gunrock_cli.face.networkx_backend.components import check_directions
from gunrock_cli.face.networkx_backend.graph import GunrockGraph
from gunrock_cli.face.networkx_backend.runs import prepared, ran
from gunrock_cli.face.result import Answer
from gunrock_cli.graph.model.graph import to_numpy


def articulation_points(G: GunrockGraph) -> Iterator[Hashable]:
    """The nodes without which a component would fall apart, in the order of nodes."""
    return iter(G.named(_run(G).articulation_points) if len(G) else [])


def biconnected_components(G: GunrockGraph) -> Iterator[set[Hashable]]:
    """The components' sets of nodes; a node without edges, loops aside, is in none."""
    return iter(_components(G))


def is_biconnected(G: GunrockGraph) -> bool:
    """True if all nodes are in one component."""
    components = _components(G)
    return len(components) == 1 and len(components[0]) == len(G)


def bridges(G: GunrockGraph, root: Hashable | None = None) -> Iterator[tuple[Hashable, Hashable]]:
    """The edges without which a component would fall apart, with ``root`` only its component.
    NotImplementedError for multigraphs."""
    return iter(_bridges(G, root))


def has_bridges(G: GunrockGraph, root: Hashable | None = None) -> bool:
    """True if there is a bridge, with ``root`` in its component. NotImplementedError for multigraphs."""
    return bool(_bridges(G, root))


def _run(G: GunrockGraph) -> Answer:
    check_directions(G, directed=False)
    return ran(prepared("biconnected", G))


def _components(G: GunrockGraph) -> list[set[Hashable]]:
    """In the order of their first edges."""
    found = _run(G)
    components = to_numpy(found.components).astype(np.int64)
    some = components >= 0
    members = np.unique(components[some] * len(G) + to_numpy(found.sources)[some])
    nodes = G.named(members % max(len(G), 1))
    ends = np.cumsum(np.bincount(members // max(len(G), 1))).tolist()
    return [set(nodes[begin:end]) for begin, end in pairwise([0, *ends])]


def _bridges(G: GunrockGraph, root: Hashable | None) -> list[tuple[Hashable, Hashable]]:
    import networkx as nx

    if G.is_multigraph():
        raise NotImplementedError("gunrock: bridges are of graphs without parallel edges")
    found = to_numpy(_run(G).bridges)
    if root is not None:
        start = G.vertex(root)
        if start is None:
            raise nx.NodeNotFound(f"Root node {root} is not in graph")
        found = found[to_numpy(ran(prepared("bfs", G), start).labels)[found[:, 0]] >= 0]
    return list(zip(G.named(found[:, 0]), G.named(found[:, 1]), strict=True))
