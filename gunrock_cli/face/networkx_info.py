"""NetworkX's description of this backend; every import of NetworkX asks for it, so nothing here is
heavy."""

from __future__ import annotations

from typing import Any

_BY_NAME = (
    "Weights by name, none negative; exact if all are whole numbers, otherwise in single precision."
)
_SIGNED = "Weights by name; exact if all are whole numbers or one is negative, else in single precision."
_ANSWERS = ("", "_path", "_path_length")
_EXACT = "Weights by name, none negative, whose sums single precision holds."
_AS_NETWORKX = (
    *("all_pairs_shortest_path", "all_pairs_shortest_path_length", "average_shortest_path_length"),
    *("single_source_shortest_path", "single_source_shortest_path_length"),
    *("single_target_shortest_path", "single_target_shortest_path_length"),
    *("bidirectional_shortest_path", "has_path", "wiener_index", "efficiency", "global_efficiency"),
    *("ancestors", "descendants", "descendants_at_distance"),
    *("connected_components", "number_connected_components", "is_connected"),
    *("weakly_connected_components", "number_weakly_connected_components", "is_weakly_connected"),
    *("number_strongly_connected_components", "is_strongly_connected"),
    *("node_connected_component", "is_directed_acyclic_graph", "topological_generations"),
    *("articulation_points", "biconnected_components", "is_biconnected"),
)
"""Functions that need no words besides NetworkX's own."""


def backend_info() -> dict[str, Any]:
    """Return the description, for the entry point ``networkx.backend_info``."""
    only = {
        "pagerank": "Without parallel edges, and weights or shares of nodes below zero; in double "
        "precision, of weights in single precision unless they are whole.",
        "hits": "Normalized, without parallel edges, weights below zero and nstart; in double precision, "
        "of weights in single precision unless they are whole.",
        "betweenness_centrality": "By hops, or weights above zero that single precision holds, from all "
        "nodes or NetworkX's sample; in single precision.",
        **dict.fromkeys(
            (
                *(f"single_source_dijkstra{what}" for what in _ANSWERS),
                *(f"multi_source_dijkstra{what}" for what in _ANSWERS),
                *("dijkstra_path", "dijkstra_path_length", "bidirectional_dijkstra"),
            ),
            _BY_NAME,
        ),
        **dict.fromkeys(
            (
                *(f"single_source_bellman_ford{what}" for what in _ANSWERS),
                *("bellman_ford_path", "bellman_ford_path_length"),
            ),
            _SIGNED,
        ),
        **dict.fromkeys(
            ("shortest_path", "shortest_path_length"), f"{_BY_NAME} By Bellman-Ford also negative ones."
        ),
        **dict.fromkeys(
            (f"all_pairs_dijkstra{what}" for what in _ANSWERS),
            "Whole weights by name, none negative, whose sums fit in 32 bits.",
        ),
        **dict.fromkeys(
            ("all_pairs_bellman_ford_path", "all_pairs_bellman_ford_path_length"),
            "Whole weights by name whose sums fit in 32 bits; where one is negative, also others.",
        ),
        **dict.fromkeys(
            ("eccentricity", "diameter", "radius", "periphery", "center", "barycenter"),
            f"A search from every node, without e, sp, attr and usebounds. {_EXACT}",
        ),
        **dict.fromkeys(("closeness_centrality", "harmonic_centrality"), _EXACT),
        "strongly_connected_components": "In the order of their first nodes.",
        "condensation": "Numbered by first nodes, without scc.",
        "topological_sort": "By generation, and then in the order of nodes.",
        **dict.fromkeys(("bridges", "has_bridges", "is_tree", "is_forest"), "Without multigraphs."),
        **dict.fromkeys(
            ("triangles", "clustering", "average_clustering", "transitivity"),
            "Undirected graphs without parallel edges, and without weight.",
        ),
        "core_number": "Undirected graphs without loops and parallel edges.",
        **dict.fromkeys(("k_core", "k_truss"), "Undirected graphs without loops and parallel edges."),
        "maximal_matching": "Edges in a random order that is always the same.",
        "maximal_independent_set": "Without nodes and seed.",
        "minimum_spanning_edges": "With data=False, of no multigraph; exact where weights are "
        "whole numbers, else in single precision.",
        "asyn_lpa_communities": "Undirected graphs, without weight; the same for any seed.",
        **dict.fromkeys(
            ("louvain_communities", "leiden_communities"),
            "Undirected graphs without parallel edges; the same for any seed.",
        ),
    }
    return {
        "backend_name": "gunrock",
        "project": "gunrock-cli",
        "package": "gunrock_cli",
        "short_summary": "Graph primitives on the GPU, or on all cores of the CPU.",
        "functions": {
            **{name: {"additional_docs": text} for name, text in only.items()},
            **{name: {} for name in _AS_NETWORKX},
        },
    }
