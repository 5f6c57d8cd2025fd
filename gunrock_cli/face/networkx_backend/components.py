"""Connected components, in NetworkX's form."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from gunrock_cli.face.networkx_backend.graph import GunrockGraph
from gunrock_cli.face.networkx_backend.runs import prepared, ran
from gunrock_cli.graph.model.graph import to_numpy


def connected_components(G: GunrockGraph) -> Iterator[set[Hashable]]:
    """The components' sets of nodes, in the order of their first nodes."""
    return iter(_components(G, directed=False))


def number_connected_components(G: GunrockGraph) -> int:
    """The number of components."""
    check_directions(G, directed=False)
    return number_of_components(G)


def node_connected_component(G: GunrockGraph, n: Hashable) -> set[Hashable]:
    """The nodes of the component of a node. KeyError for an unknown node."""
    check_directions(G, directed=False)
    start = G.vertex(n)
    if start is None:
        raise KeyError(n)
    return set(G.named((ran(prepared("bfs", G), start).labels >= 0).nonzero()[0]))


def is_connected(G: GunrockGraph) -> bool:
    """True if there is one component. NetworkXPointlessConcept for an empty graph."""
    return _is_one(G, directed=False)


def weakly_connected_components(G: GunrockGraph) -> Iterator[set[Hashable]]:
    """The weak components' sets of nodes, in the order of their first nodes."""
    return iter(_components(G, directed=True))


def number_weakly_connected_components(G: GunrockGraph) -> int:
    """The number of weak components."""
    check_directions(G, directed=True)
    return number_of_components(G)


def is_weakly_connected(G: GunrockGraph) -> bool:
    """True if there is one weak component. NetworkXPointlessConcept for an empty graph."""
    return _is_one(G, directed=True)


def strongly_connected_components(G: GunrockGraph) -> Iterator[set[Hashable]]:
    """The strong components' sets of nodes, in the order of their first nodes."""
    return iter(_components(G, directed=True, primitive="scc"))


def number_strongly_connected_components(G: GunrockGraph) -> int:
    """The number of strong components."""
    check_directions(G, directed=True)
    return number_of_components(G, "scc")


def is_strongly_connected(G: GunrockGraph) -> bool:
    """True if there is one strong component. NetworkXPointlessConcept for an empty graph."""
    return _is_one(G, directed=True, primitive="scc")


def _is_one(G: GunrockGraph, directed: bool, primitive: str = "cc") -> bool:
    import networkx as nx

    check_directions(G, directed)
    if not len(G):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return number_of_components(G, primitive) == 1


def _components(G: GunrockGraph, directed: bool, primitive: str = "cc") -> list[set[Hashable]]:
    check_directions(G, directed)
    return G.parts(to_numpy(ran(prepared(primitive, G)).components)) if len(G) else []


def number_of_components(G: GunrockGraph, primitive: str = "cc") -> int:
    """The number of components, without the primitive directions aside, counted where the labels are: a
    component's label is its smallest vertex, which therefore has its own number."""
    if not len(G):
        return 0
    labels = ran(prepared(primitive, G)).components
    return int((labels == G.graph.xp.arange(len(G), dtype=labels.dtype)).sum())


def check_directions(G: GunrockGraph, directed: bool) -> None:
    """Raise NetworkXNotImplemented for the wrong kind of graph: some versions of NetworkX only check
    after they call a backend."""
    import networkx as nx

    if G.is_directed() != directed:
        raise nx.NetworkXNotImplemented(f"not implemented for {'un' if directed else ''}directed type")
