"""Orders of directed graphs without cycles, in NetworkX's form."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import chain, pairwise
from typing import Any

import numpy as np

from gunrock_cli.face.networkx_backend.components import check_directions
from gunrock_cli.face.networkx_backend.graph import GunrockGraph
from gunrock_cli.face.networkx_backend.runs import prepared, ran, without
from gunrock_cli.graph.model.graph import to_numpy


def is_directed_acyclic_graph(G: GunrockGraph) -> bool:
    """True if edges have directions and none of them is on a cycle."""
    if not G.is_directed() or not len(G):
        return G.is_directed()
    return bool((ran(prepared("toposort", G)).levels >= 0).all())


def topological_generations(G: GunrockGraph) -> Iterator[list[Hashable]]:
    """The nodes by generation, of each in the order of nodes. As in NetworkX, whoever iterates meets
    NetworkXError for an undirected graph and, after the last generation, NetworkXUnfeasible if there is
    a cycle."""
    import networkx as nx

    if not G.is_directed():
        return _ending([], nx.NetworkXError("Topological sort not defined on undirected graphs."))
    found = ran(prepared("toposort", G))
    order, levels = to_numpy(found.order), to_numpy(found.levels)
    nodes = G.named(order)
    ends = np.cumsum(np.bincount(levels[order])).tolist()
    generations = [nodes[begin:end] for begin, end in pairwise([0, *ends])]
    if len(order) == len(G):
        return iter(generations)
    cycle = nx.NetworkXUnfeasible("Graph contains a cycle or graph changed during iteration")
    return _ending(generations, cycle)


def topological_sort(G: GunrockGraph) -> Iterator[Hashable]:
    """The nodes by generation, of each in the order of nodes. Errors as of
    ``topological_generations``."""
    return chain.from_iterable(topological_generations(G))


def condensation(G: GunrockGraph, scc: Any = None) -> Any:
    """The graph of strong components, numbered in the order of their first nodes: NetworkX's, with
    ``members`` and ``mapping``. NotImplementedError with ``scc``."""
    import networkx as nx

    check_directions(G, directed=True)
    without(scc=scc)
    found = nx.DiGraph()
    mapping: dict[Hashable, int] = {}
    found.graph["mapping"] = mapping
    if len(G):
        condensed = ran(prepared("scc", G, condense=True))
        for number, part in enumerate(G.parts(to_numpy(condensed.components))):
            found.add_node(number, members=part)
            mapping.update(dict.fromkeys(part, number))
        tails, heads = G.named(condensed.sources), G.named(condensed.targets)
        found.add_edges_from((mapping[u], mapping[v]) for u, v in zip(tails, heads, strict=True))
    return found


def _ending(generations: list[list[Hashable]], error: Exception) -> Iterator[list[Hashable]]:
    yield from generations
    raise error
