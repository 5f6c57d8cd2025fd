"""NetworkX's description of this backend; every import of NetworkX asks for it, so nothing here is
heavy."""

from __future__ import annotations

from typing import Any


def backend_info() -> dict[str, Any]:
    """Return the description, for the entry point ``networkx.backend_info``."""
    only = {
        "pagerank": "Unweighted graphs, in double precision; without nstart and dangling, "
        "personalization by nodes that have the same share.",
        "hits": "Unweighted graphs, normalized, in double precision; without nstart.",
        "betweenness_centrality": "From all sources, by hops, without endpoints; in single precision.",
        "single_source_dijkstra_path_length": "Weights by name; exact where all are whole numbers, "
        "else in single precision.",
        **dict.fromkeys(
            ("shortest_path", "shortest_path_length"),
            "From one source, by method dijkstra; weights as of single_source_dijkstra_path_length.",
        ),
        "single_source_dijkstra_path": "Weights by name; shortest where all are whole numbers, "
        "else in single precision.",
        "maximal_matching": "Edges in a random order that is always the same.",
        "maximal_independent_set": "Without nodes and seed.",
        "minimum_spanning_edges": "With data=False, of no multigraph; exact where weights are "
        "whole numbers, else in single precision.",
        "louvain_communities": "Undirected graphs without parallel edges, always the same; without seed.",
    }
    return {
        "backend_name": "gunrock",
        "project": "gunrock-cli",
        "package": "gunrock_cli",
        "short_summary": "Graph primitives on the GPU, or on all cores of the CPU.",
        "functions": {name: {"additional_docs": text} for name, text in only.items()},
    }
