"""gunrock as a backend of NetworkX: ``nx.pagerank(G, backend="gunrock")``.

NetworkX finds it by the entry point ``networkx.backends``; it uses this module's ``convert_from_nx``,
``convert_to_nx`` and the functions named like its own, and for its own tests ``on_start_tests``. An
unsupported argument (an option, weights for PageRank) raises NotImplementedError, and NetworkX then falls
back if it is configured to."""

from __future__ import annotations

from gunrock_cli.face.networkx_backend.all_pairs import (
    all_pairs_dijkstra,
    all_pairs_dijkstra_path,
    all_pairs_dijkstra_path_length,
    all_pairs_shortest_path,
    all_pairs_shortest_path_length,
)
from gunrock_cli.face.networkx_backend.bellman_ford import (
    all_pairs_bellman_ford_path,
    all_pairs_bellman_ford_path_length,
    bellman_ford_path,
    bellman_ford_path_length,
    single_source_bellman_ford,
    single_source_bellman_ford_path,
    single_source_bellman_ford_path_length,
)
from gunrock_cli.face.networkx_backend.betweenness import betweenness_centrality
from gunrock_cli.face.networkx_backend.classics import (
    louvain_communities,
    maximal_independent_set,
    maximal_matching,
    minimum_spanning_edges,
)
from gunrock_cli.face.networkx_backend.components import (
    connected_components,
    is_connected,
    is_directed_acyclic_graph,
    is_strongly_connected,
    is_weakly_connected,
    node_connected_component,
    number_connected_components,
    number_strongly_connected_components,
    number_weakly_connected_components,
    strongly_connected_components,
    weakly_connected_components,
)
from gunrock_cli.face.networkx_backend.counts import (
    average_clustering,
    clustering,
    core_number,
    transitivity,
    triangles,
)
from gunrock_cli.face.networkx_backend.dijkstra import (
    dijkstra_path,
    dijkstra_path_length,
    single_source_dijkstra,
    single_source_dijkstra_path,
    single_source_dijkstra_path_length,
)
from gunrock_cli.face.networkx_backend.graph import convert_from_nx, convert_to_nx
from gunrock_cli.face.networkx_backend.measures import (
    average_shortest_path_length,
    barycenter,
    center,
    closeness_centrality,
    diameter,
    eccentricity,
    efficiency,
    global_efficiency,
    harmonic_centrality,
    is_forest,
    is_tree,
    periphery,
    radius,
    wiener_index,
)
from gunrock_cli.face.networkx_backend.multi_source import (
    multi_source_dijkstra,
    multi_source_dijkstra_path,
    multi_source_dijkstra_path_length,
)
from gunrock_cli.face.networkx_backend.own_tests import on_start_tests as on_start_tests
from gunrock_cli.face.networkx_backend.paths import (
    ancestors,
    bidirectional_dijkstra,
    bidirectional_shortest_path,
    descendants,
    descendants_at_distance,
    has_path,
    shortest_path,
    shortest_path_length,
    single_source_shortest_path,
    single_source_shortest_path_length,
    single_target_shortest_path,
    single_target_shortest_path_length,
)
from gunrock_cli.face.networkx_backend.ranks import hits, pagerank
from gunrock_cli.face.networkx_backend.subgraphs import k_core, k_truss

__all__ = [
    "all_pairs_bellman_ford_path",
    "all_pairs_bellman_ford_path_length",
    "all_pairs_dijkstra",
    "all_pairs_dijkstra_path",
    "all_pairs_dijkstra_path_length",
    "all_pairs_shortest_path",
    "all_pairs_shortest_path_length",
    "ancestors",
    "average_clustering",
    "average_shortest_path_length",
    "barycenter",
    "bellman_ford_path",
    "bellman_ford_path_length",
    "betweenness_centrality",
    "bidirectional_dijkstra",
    "bidirectional_shortest_path",
    "center",
    "closeness_centrality",
    "clustering",
    "connected_components",
    "convert_from_nx",
    "convert_to_nx",
    "core_number",
    "descendants",
    "descendants_at_distance",
    "diameter",
    "dijkstra_path",
    "dijkstra_path_length",
    "eccentricity",
    "efficiency",
    "global_efficiency",
    "harmonic_centrality",
    "has_path",
    "hits",
    "is_connected",
    "is_directed_acyclic_graph",
    "is_forest",
    "is_strongly_connected",
    "is_tree",
    "is_weakly_connected",
    "k_core",
    "k_truss",
    "louvain_communities",
    "maximal_independent_set",
    "maximal_matching",
    "minimum_spanning_edges",
    "multi_source_dijkstra",
    "multi_source_dijkstra_path",
    "multi_source_dijkstra_path_length",
    "node_connected_component",
    "number_connected_components",
    "number_strongly_connected_components",
    "number_weakly_connected_components",
    "pagerank",
    "periphery",
    "radius",
    "shortest_path",
    "shortest_path_length",
    "single_source_bellman_ford",
    "single_source_bellman_ford_path",
    "single_source_bellman_ford_path_length",
    "single_source_dijkstra",
    "single_source_dijkstra_path",
    "single_source_dijkstra_path_length",
    "single_source_shortest_path",
    "single_source_shortest_path_length",
    "single_target_shortest_path",
    "single_target_shortest_path_length",
    "strongly_connected_components",
    "transitivity",
    "triangles",
    "weakly_connected_components",
    "wiener_index",
]
