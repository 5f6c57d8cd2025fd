"""What a caller may have meant by a name that there is not."""

from __future__ import annotations

from collections.abc import Iterable

_SENSES = {
    "source": ("src", "start", "root"),
    "symmetrize": ("undirected", "directed"),
    "undirected": ("symmetrize", "directed"),
    "columns": ("source_column", "edge_attr"),
    "as_graph": ("from_networkx", "from_scipy", "from_pandas", "from_pandas_edgelist", "from_edges"),
    "bc": ("betweenness", "betweenness_centrality", "brandes"),
    "biconnected": ("articulation_points", "bridges", "biconnected_components"),
    "bfs": ("breadth_first_search", "bfs_edges"),
    "cc": ("components", "connected_components", "weakly_connected_components"),
    "color": ("coloring", "graph_coloring", "greedy_color"),
    "louvain": ("communities", "louvain_communities"),
    "mis": ("independent_set", "maximal_independent_set"),
    "mst": ("minimum_spanning_tree", "minimum_spanning_edges", "spanning_tree", "kruskal", "boruvka"),
    "matching": ("maximal_matching",),
    "ppr": ("personalized_pagerank",),
    "sssp": ("dijkstra", "shortest_path", "shortest_paths", "delta_stepping", "single_source_dijkstra"),
}
"""What other libraries, or the command line, call it."""


def nearest(name: str, known: Iterable[str]) -> str:
    """What to say of an unknown name: the known ones that are like it in sense, or else in letters, and
    all that there are."""
    from difflib import get_close_matches

    known, lower = list(known), name.lower()
    meant = [own for own, others in _SENSES.items() if lower in others and own in known]
    meant = meant or get_close_matches(lower, [each for each in known if each != name], n=2)
    asked = f"did you mean {' or '.join(meant)}? There are " if meant else "there are "
    return asked + ", ".join(known)
