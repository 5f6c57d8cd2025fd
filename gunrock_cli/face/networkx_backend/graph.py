"""A NetworkX graph as one of ours, with its nodes' names and its compiled primitives."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import GunrockError
from gunrock_cli.face.networkx_backend.weights import as_lengths, is_real
from gunrock_cli.face.networkx_graphs import Edges, are_numbers, edges_of, graph_of_edges, index_dict
from gunrock_cli.face.prepare import Prepared, prepare
from gunrock_cli.graph.model.graph import Array, Graph, to_numpy
from gunrock_cli.graph.model.hashing import content_hash
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.rows.build import in_edges
from gunrock_cli.primitives.base import Primitive

OF_ONE_CALL = {"seeds", "priority_seed"}
"""Options that the next call is unlikely to share."""


class GunrockGraph:
    """The graph that NetworkX hands to the functions of this backend: vertex v of ``graph`` is
    ``nodes[v]``. ``weighted`` is True if some edge's weight is not 1; ``edges`` have the weights as
    given."""

    __networkx_backend__ = "gunrock"

    def __init__(
        self,
        graph: Graph,
        nodes: list[Hashable],
        directed: bool,
        multigraph: bool,
        weighted: bool,
        edges: Edges | None = None,
    ) -> None:
        self.graph, self.nodes, self.weighted, self.edges = graph, nodes, weighted, edges
        self._directed, self._multigraph = directed, multigraph
        self._numbered = are_numbers(nodes)  # no look-up is needed then
        self._index: dict[Hashable, int] | None = None
        self._unweighted: GunrockGraph | None = None
        self._ranked: GunrockGraph | None = None
        self._reversed: GunrockGraph | None = None
        self._prepared: dict[tuple[str | Primitive, frozenset[tuple[str, Any]]], Prepared] = {}
        self.__networkx_cache__: dict[str, Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for a copy or a pickle, which NetworkX's cache makes part of its graph's.
        Prepared runs are left out, and the graph is moved to host memory: loaded code cannot be copied,
        and the pickle's reader may have no GPU."""
        return {
            **self.__dict__,
            "graph": self.graph.to(np),
            "_prepared": {},
            "_unweighted": None,
            "_ranked": None,
            "_reversed": None,
        }

    def is_directed(self) -> bool:
        return self._directed

    def is_multigraph(self) -> bool:
        return self._multigraph

    def __len__(self) -> int:
        return len(self.nodes)

    def vertex(self, node: Hashable) -> int | None:
        """Return the vertex of a node, or None."""
        if self._index is None:
            self._index = index_dict(self.nodes)
        try:
            return self._index.get(node)
        except TypeError:  # not hashable, so not a node
            return None

    def parts(self, labels: np.ndarray[Any, Any]) -> list[set[Hashable]]:
        """The sets of nodes with the same label, in the order of their first nodes."""
        _, first, part = np.unique(labels, return_index=True, return_inverse=True)
        place = np.empty(len(first), np.int64)
        place[np.argsort(first)] = np.arange(len(first))
        part = place[part]
        members = self.named(np.argsort(part, kind="stable"))
        ends = np.cumsum(np.bincount(part)).tolist()
        return [set(members[begin:end]) for begin, end in pairwise([0, *ends])]

    def named(self, vertices: Array) -> list[Hashable]:
        """The vertices' nodes."""
        numbers = to_numpy(vertices).tolist()
        return numbers if self._numbered else list(map(self.nodes.__getitem__, numbers))

    def unweighted(self) -> GunrockGraph:
        """Return the graph itself without weights: NetworkX passes a cached graph with weights even if
        none are asked for."""
        if not self.weighted:
            return self
        if self._unweighted is None:
            self._unweighted = GunrockGraph(
                with_weights(self.graph, "none"),
                self.nodes,
                self._directed,
                self._multigraph,
                weighted=False,
            )
        return self._unweighted

    def reversed(self) -> GunrockGraph:
        """The graph with the reverse of every edge in its place; itself if it is undirected."""
        if not self._directed:
            return self
        if self._reversed is None:
            rows, back = self.graph.csr, self.graph.reverse
            back = in_edges(rows) if back is None else back
            own = replace(self.graph, csr=back, reverse=rows, hash=content_hash(back))
            edges = self.edges and Edges(self.edges.heads, self.edges.tails, self.edges.weights)
            self._reversed = GunrockGraph(own, self.nodes, True, self._multigraph, self.weighted, edges)
            self._reversed._reversed = self
        return self._reversed

    def ranked(self) -> GunrockGraph:
        """The graph with the ranks of its weights in their place, the lightest 0: ranks distinguish
        doubles that single precision would make equal."""
        if self.edges is None:
            return self
        if self._ranked is None:
            _, ranks = np.unique(self.edges.weights, return_inverse=True)  # type: ignore[call-overload]
            own = graph_of_edges(
                self, self.nodes, self.edges._replace(weights=ranks), name="networkx", xp=self.graph.xp
            )
            self._ranked = GunrockGraph(own, self.nodes, self._directed, self._multigraph, weighted=True)
        return self._ranked

    def prepared(self, primitive: str | Primitive, *, once: bool = False, **options: Any) -> Prepared:
        """A primitive ready to run on this graph: compiled once, its arrays kept for the next call,
        unless its options are OF_ONE_CALL or it is for this call (``once``)."""
        if once or OF_ONE_CALL & options.keys():
            return prepare(primitive, self.graph, **options)
        key = primitive, frozenset(options.items())
        if key not in self._prepared:
            self._prepared[key] = prepare(primitive, self.graph, **options)
        return self._prepared[key]


class WholeGraph:
    """NetworkX's own graph, for functions that return a part of it with all attributes."""

    __networkx_backend__ = "gunrock"

    def __init__(self, graph: Any) -> None:
        self.graph = graph

    def is_directed(self) -> bool:
        directed: bool = self.graph.is_directed()
        return directed

    def is_multigraph(self) -> bool:
        multigraph: bool = self.graph.is_multigraph()
        return multigraph

    def forget(self) -> None:
        """Remove this object from NetworkX's cache, which would use it wherever attributes are asked
        for."""
        cache = getattr(self.graph, "__networkx_cache__", None) or {}
        kept = cache.get("backends", {}).get("gunrock", {})
        for key in [key for key, own in kept.items() if own is self]:
            del kept[key]


WHOLE = ("k_core", "k_truss")
"""The functions that take a WholeGraph."""


def convert_from_nx(
    graph: Any,
    edge_attrs: dict[str, Any] | None = None,
    preserve_edge_attrs: bool = False,
    name: str | None = None,
    **_others: Any,
) -> Any:
    """Convert a graph for NetworkX's function of this name: to a GunrockGraph, but for WHOLE to a
    WholeGraph. The edge attribute asked for is the weight; of parallel edges the lightest counts.
    NotImplementedError for graphs that ours cannot hold: NetworkX caches a graph, and later uses one with
    all attributes (``preserve_edge_attrs``, as for weights by a function) for any single attribute."""
    if name in WHOLE:
        return WholeGraph(graph)
    if preserve_edge_attrs or len(edge_attrs or {}) > 1:
        raise NotImplementedError("gunrock keeps one attribute of edges, not all")
    attribute, default = next(iter((edge_attrs or {}).items()), (None, None))
    nodes = list(graph)
    try:
        edges = edges_of(graph, nodes, attribute, 1 if default is None else default)
        own = graph_of_edges(
            graph,
            nodes,
            edges._replace(weights=as_lengths(edges.weights, len(nodes))),
            name="networkx",
            xp=_backend().xp,
        )
    except GunrockError as error:
        raise NotImplementedError(f"gunrock: {error}") from error
    return GunrockGraph(
        own,
        nodes,
        graph.is_directed(),
        graph.is_multigraph(),
        own.weighted,
        edges if is_real(edges.weights) else None,
    )


def convert_to_nx(result: Any, **_others: Any) -> Any:
    """Return the result unchanged: it has NetworkX's own types already."""
    if isinstance(result, GunrockGraph):
        raise NotImplementedError("gunrock gives no graph back")
    return result


@cache
def _backend() -> Any:
    return choose_backend()
