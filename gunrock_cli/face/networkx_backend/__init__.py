"""gunrock as a backend of NetworkX: ``nx.pagerank(G, backend="gunrock")``.

NetworkX finds it by the entry point ``networkx.backends``; it uses this module's ``convert_from_nx``,
``convert_to_nx`` and the functions named like its own. An unsupported argument (an option, weights for
PageRank) raises NotImplementedError, and NetworkX then falls back if it is configured to."""

from __future__ import annotations

from gunrock_cli.face.networkx_backend.classics import (
    louvain_communities,
    maximal_independent_set,
    maximal_matching,
    minimum_spanning_edges,
)
from gunrock_cli.face.networkx_backend.functions import (
    betweenness_centrality,
    connected_components,
    descendants,
    descendants_at_distance,
    has_path,
    hits,
    is_connected,
    is_weakly_connected,
    node_connected_component,
    number_connected_components,
    number_weakly_connected_components,
    pagerank,
    single_source_dijkstra_path_length,
    single_source_shortest_path_length,
    weakly_connected_components,
)
from gunrock_cli.face.networkx_backend.graph import convert_from_nx, convert_to_nx
from gunrock_cli.face.networkx_backend.paths import (
    shortest_path,
    shortest_path_length,
    single_source_dijkstra_path,
    single_source_shortest_path,
)

__all__ = [
    "betweenness_centrality",
    "connected_components",
    "convert_from_nx",
    "convert_to_nx",
    "descendants",
    "descendants_at_distance",
    "has_path",
    "hits",
    "is_connected",
    "is_weakly_connected",
    "louvain_communities",
    "maximal_independent_set",
    "maximal_matching",
    "minimum_spanning_edges",
    "node_connected_component",
    "number_connected_components",
    "number_weakly_connected_components",
    "pagerank",
    "shortest_path",
    "shortest_path_length",
    "single_source_dijkstra_path",
    "single_source_dijkstra_path_length",
    "single_source_shortest_path",
    "single_source_shortest_path_length",
    "weakly_connected_components",
]
