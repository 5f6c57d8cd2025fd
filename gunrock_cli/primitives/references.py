"""Answers computed in another way on the host, to check primitives and peers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, Literal, Protocol

import numpy as np

from gunrock_cli.graph.model.graph import Array, Graph, to_numpy
from gunrock_cli.graph.model.ranges import shares

_ENTRIES_AT_ONCE = 1 << 24
"""The most entries of a product of matrices that a reference holds."""
FEW = 1 << 16
"""NumPy on the host sorts this many labels faster than CuPy imports its sorting code."""


class Products(Protocol):
    """A step along all edges: each vertex passes on its value, and values that meet are summed. Values
    have one column or several."""

    def forward(self, values: Array) -> Array: ...

    def back(self, values: Array) -> Array: ...


class ScipyProducts:
    """Products by SciPy, over out-edges alone, so that a wrong reverse graph would show. ``weighted``:
    an edge passes on its weight times the value."""

    def __init__(self, graph: Graph, weighted: bool = False) -> None:
        from scipy.sparse import csr_array

        csr = graph.csr
        values = csr.values.astype(np.float64) if weighted else np.ones(graph.m)  # type: ignore[union-attr]
        self._out = csr_array((values, csr.column_indices, csr.row_offsets), shape=(graph.n, graph.n))

    def forward(self, values: Array) -> Array:
        return self._out.T @ values

    def back(self, values: Array) -> Array:
        return self._out @ values


def power_iteration(
    graph: Graph,
    damping: float,
    restart: np.ndarray[Any, Any] | None = None,
    start: np.ndarray[Any, Any] | None = None,
    products: Products | None = None,
    weighted: bool = False,
) -> Iterator[tuple[np.ndarray[Any, Any], float]]:
    """Iterates in float64 and their L1 changes, without end. It scatters over out-edges, so a wrong
    reverse graph would show.

    ``restart`` is where the walk restarts, one distribution or one in each column (default: anywhere),
    and ``start`` the ranks before the first iterate (default: ``restart``). With columns, the change is
    the largest. ``weighted``: edges are followed by their weights, and so they are by ``products``."""
    n = graph.n
    products = products or ScipyProducts(graph, weighted)
    anew = np.full(n, 1 / n) if restart is None else restart
    passed = products.back(graph.xp.ones(n)) if weighted else graph.csr.degrees().astype(np.float64)
    degrees, dangling = passed.reshape(n, *(1,) * (anew.ndim - 1)), passed == 0
    degrees[dangling] = np.inf
    ranks = anew if start is None else start
    while True:
        lost = ranks[dangling].sum(axis=0)
        fresh = (1 - damping + damping * lost) * anew + damping * products.forward(ranks / degrees)
        change = float(np.abs(fresh - ranks).sum(axis=0).max())
        ranks = fresh
        yield ranks, change


class HitsReference:
    """HITS in float64, hubs and authorities as the two columns of an array."""

    def __init__(self, graph: Graph, norm: str, products: Products | None = None) -> None:
        self._products = products or ScipyProducts(graph)
        self._xp, self._n, self._order = graph.xp, graph.n, {"L1": 1, "L2": 2}[norm]

    def start(self) -> np.ndarray[Any, Any]:
        """Uniform hubs and authorities."""
        return self._normal(self._xp.ones((self._n, 2)))

    def next(self, values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """One more iteration: authorities from hubs, then hubs from these authorities."""
        authorities = self._normal(self._products.forward(values[:, 0]))
        return np.column_stack([self._normal(self._products.back(authorities)), authorities])

    def iterates(self) -> Iterator[tuple[np.ndarray[Any, Any], float]]:
        """Iterates and the change of their authorities, without end. The first change is infinite, as
        hubs did not make the start."""
        values = self.next(self.start())
        yield values, np.inf
        while True:
            fresh = self.next(values)
            moved = float(np.linalg.norm(fresh[:, 1] - values[:, 1], self._order))
            values = fresh
            yield values, moved

    def limit(self, least: int, most: int = 1000) -> np.ndarray[Any, Any]:
        """The first iterate that barely differs from the one before, or the last after ``max(least,
        most)`` iterations."""
        for iteration, (values, moved) in enumerate(self.iterates()):  # noqa: B007
            if moved < 1e-12 or iteration >= max(least, most):
                break
        return values

    def growth(self, values: np.ndarray[Any, Any]) -> float:
        """The factor by which authorities grow, in L2, on their way to hubs; the leading pair's growth is
        the largest possible."""
        length = float(np.linalg.norm(values[:, 1]))
        return float(np.linalg.norm(self._products.back(values[:, 1]))) / length if length else 0.0

    def distance(self, a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> float:
        """The distance in the norm, for the column that differs more."""
        return float(np.linalg.norm(a - b, self._order, axis=0).max())

    def _normal(self, values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        length = np.linalg.norm(values, self._order, axis=0)
        return values / np.where(length > 0, length, 1.0)


class SalsaReference:
    """SALSA's walks in float64, hubs and authorities as the two columns of an array: one walk that begins
    evenly at the hubs and one at the authorities; or, with ``seeds``, a distribution, one walk that
    begins there and returns there with probability ``restart``."""

    def __init__(
        self,
        graph: Graph,
        seeds: np.ndarray[Any, Any] | None,
        restart: float,
        products: Products | None = None,
    ) -> None:
        self._products = products or ScipyProducts(graph)
        ones = graph.xp.ones(graph.n)
        self._degrees = np.column_stack([self._products.back(ones), self._products.forward(ones)])
        self._seeds, self._restart = seeds, restart

    def start(self) -> np.ndarray[Any, Any]:
        if self._seeds is not None:
            return np.column_stack([self._seeds, np.zeros_like(self._seeds)])
        some = self._degrees > 0
        return some / np.maximum(some.sum(axis=0), 1)

    def next(self, values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """One more iteration: a step forward and one back, or back and forward."""
        hubs, authorities = values.T
        if self._seeds is None:
            return np.column_stack(
                [self._back(self._forward(hubs)), self._forward(self._back(authorities))]
            )
        fresh = self._forward(hubs)
        return np.column_stack(
            [self._restart * self._seeds + (1 - self._restart) * self._back(fresh), fresh]
        )

    def iterates(self) -> Iterator[tuple[np.ndarray[Any, Any], float]]:
        """Iterates and the change of the side that moved more, without end."""
        values = self.start()
        while True:
            fresh = self.next(values)
            moved = float(np.abs(fresh - values).sum(axis=0).max())
            values = fresh
            yield values, moved

    def _forward(self, hubs: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        found: np.ndarray[Any, Any] = self._products.forward(hubs / np.maximum(self._degrees[:, 0], 1))
        return found

    def _back(self, authorities: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        found: np.ndarray[Any, Any] = self._products.back(
            authorities / np.maximum(self._degrees[:, 1], 1)
        )
        return found


def excess_at_stop(
    iterates: Iterator[tuple[np.ndarray[Any, Any], float]],
    start: np.ndarray[Any, Any],
    tolerance: float,
    most: int,
    rounding: float,
    distance: Callable[[np.ndarray[Any, Any]], float],
) -> float:
    """The least distance of an answer from the iterate at which an iteration stops: the first that moved
    by less than ``tolerance``, or number ``most``. ``rounding`` is the allowed relative error per
    iteration of the answer; if rounding decides when to stop, every iterate at which the answer may have
    stopped is a candidate."""
    if most == 0:
        return distance(start)
    least, moved = np.inf, np.inf
    for iteration in range(1, most + 1):
        values, moved = next(iterates)
        if moved < tolerance + 2 * rounding or iteration == most:
            least = min(least, distance(values) - rounding * iteration)
        if moved < tolerance - 2 * rounding:
            break
    return least


def simple_matrix(graph: Graph) -> Any:
    """The adjacency matrix as a scipy.sparse.csr_array of int64 with ones, without loops and
    repetitions of an edge."""
    from scipy.sparse import csr_array

    csr = graph.csr
    tails, heads = csr.sources(), csr.column_indices
    apart = tails != heads
    tails, heads = tails[apart], heads[apart]
    matrix = csr_array((np.ones(len(tails), np.int64), (tails, heads)), shape=(graph.n, graph.n))
    matrix.data[:] = 1  # repetitions have been added up
    return matrix


def shares_of_product(left: Any, right: Any) -> Iterator[tuple[int, int]]:
    """Ranges of the rows of ``left`` whose product with ``right`` has a bounded number of entries."""
    return shares(left @ np.diff(right.indptr), _ENTRIES_AT_ONCE)


def reference_labels(graph: Graph, source: int) -> np.ndarray[Any, Any]:
    """Depths by SciPy's breadth_first_order, -1 if unreached. Its predecessors give depths by pointer
    doubling: log2(depth) passes over the vertices."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    csr = graph.csr
    matrix = csr_array(
        (np.ones(graph.m, np.int8), csr.column_indices, csr.row_offsets), shape=(graph.n, graph.n)
    )
    order, predecessors = breadth_first_order(matrix, source, return_predecessors=True)
    ancestor = np.where(predecessors < 0, source, predecessors).astype(np.int64)
    depth = np.full(graph.n, -1, np.int32)
    depth[order] = 1
    depth[source] = 0
    while (ancestor[order] != source).any():
        depth[order] += depth[ancestor[order]]
        ancestor[order] = ancestor[ancestor[order]]
    return depth


def component_names(graph: Graph, connection: Literal["weak", "strong"]) -> np.ndarray[Any, Any]:
    """The smallest vertex of each vertex's weak or strong component by SciPy."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    if graph.n == 0:
        return np.zeros(0, np.int32)
    csr = graph.csr
    matrix = csr_array(
        (np.ones(graph.m, np.int8), csr.column_indices, csr.row_offsets), shape=(graph.n, graph.n)
    )
    _, labels = connected_components(matrix, directed=not graph.undirected, connection=connection)
    return np.asarray(smallest_vertices(labels))


def smallest_vertices(labels: Array, xp: ModuleType = np) -> Array:
    """Convert any component labels to the smallest vertex of each component."""
    if xp is not np and len(labels) <= FEW:
        return xp.asarray(smallest_vertices(to_numpy(labels)))
    _, first, inverse = xp.unique(labels, return_index=True, return_inverse=True)
    return first[inverse].astype(np.int32)


def salsa_scores(follows: Any, iterations: int) -> np.ndarray[Any, Any]:
    """Authority scores of those whom hubs follow (``follows``: a sparse matrix with a row per hub), in
    float64, after scores went forward to them this many times. Hubs that follow anyone begin with equal
    scores that sum to 1; parallel edges count."""
    out = np.maximum(follows.sum(axis=1), 1)
    back = np.maximum(follows.sum(axis=0), 1)
    some = np.diff(follows.indptr) > 0
    scores = some / max(1, some.sum())
    for _ in range(iterations - 1):
        scores = follows @ (follows.T @ (scores / out) / back)
    return np.asarray(follows.T @ (scores / out))


def highest(values: np.ndarray[Any, Any], count: int) -> np.ndarray[Any, Any]:
    """The places of the highest values above zero, highest first; of equal values, the first comes
    first."""
    order = np.argsort(-values, kind="stable")[:count]
    return order[values[order] > 0]
