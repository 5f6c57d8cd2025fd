"""SuiteSparse:GraphBLAS through python-graphblas: LAGraph's algorithms in linear algebra."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.peers.base import Array, Peer, PeerResult, edge_weights, timed
from gunrock_cli.peers.pagerank import PageRankSettings


class GraphBlas(Peer):
    name = "graphblas"
    title = "SuiteSparse:GraphBLAS (python-graphblas)"
    primitives = ("bfs", "sssp", "bc", "cc", "pagerank", "mis", "triangles", "clustering", "ktruss")
    times = (
        "LAGraph's algorithm as a loop of GraphBLAS calls from Python, all threads; not "
        "building the matrix, not reading vectors out"
    )
    module = "graphblas"
    distribution = "python-graphblas"
    needs = "suitesparse-graphblas"  # python-graphblas only wraps it

    def bfs(self, graph: Graph, source: int, runs: int) -> PeerResult:
        matrix = _matrix(graph)
        times, levels = timed(lambda: breadth_first(matrix, source), runs)
        return PeerResult(times, {"labels": _dense(levels, graph.n, -1, np.int32)})

    def sssp(self, graph: Graph, source: int, runs: int) -> PeerResult:
        matrix = _matrix(graph, edge_weights(graph))
        times, found = timed(lambda: shortest_paths(matrix, source), runs)
        return PeerResult(times, {"distances": _dense(found, graph.n, np.inf, np.float64)})

    def bc(self, graph: Graph, source: int, runs: int) -> PeerResult:
        matrix = _matrix(graph)
        times, found = timed(lambda: dependencies(matrix, source), runs)
        scores = _dense(found, graph.n, 0.0, np.float64)
        scores[source] = 0.0
        return PeerResult(times, {"scores": scores})

    def cc(self, graph: Graph, runs: int) -> PeerResult:
        from graphblas import binary

        matrix = _matrix(graph)
        if not graph.undirected:
            matrix = matrix.ewise_add(matrix.T, binary.any).new()
        times, found = timed(lambda: fast_sv(matrix), runs)
        return PeerResult(times, {"components": _dense(found, graph.n, -1, np.int32)})

    def pagerank(self, graph: Graph, options: Mapping[str, Any], runs: int) -> PeerResult:
        settings = PageRankSettings.of(options)
        matrix = _matrix(graph)
        times, (ranks, iterations) = timed(lambda: page_rank(matrix, settings), runs)
        return PeerResult(times, {"ranks": _dense(ranks, graph.n, 0.0, np.float64)}, iterations)

    def mis(self, graph: Graph, runs: int) -> PeerResult:
        from graphblas import select

        matrix = select.offdiag(_matrix(graph)).new()
        times, members = timed(lambda: independent_set(matrix), runs)
        return PeerResult(times, {"members": _dense(members, graph.n, 0, np.int32)})

    def triangles(self, graph: Graph, runs: int) -> PeerResult:
        from graphblas import select

        matrix = select.offdiag(_matrix(graph)).new()
        times, corners = timed(lambda: corners_of_triangles(matrix), runs)
        return PeerResult(times, {"triangles": _dense(corners, graph.n, 0, np.int64)})

    def clustering(self, graph: Graph, runs: int) -> PeerResult:
        from graphblas import select

        matrix = select.offdiag(_matrix(graph)).new()
        times, shares = timed(lambda: clustering_coefficients(matrix), runs)
        return PeerResult(times, {"coefficients": _dense(shares, graph.n, 0.0, np.float64)})

    def ktruss(self, graph: Graph, runs: int) -> PeerResult:
        from graphblas import select

        matrix = select.offdiag(_matrix(graph)).new()
        times, found = timed(lambda: all_trusses(matrix), runs)
        rows, columns, values = found.to_coo(sort=True)
        known = rows.astype(np.int64) * graph.n + columns.astype(np.int64)  # each entry once, in order
        entries = graph.csr.sources().astype(np.int64) * graph.n + graph.csr.column_indices
        trussness = np.zeros(graph.m, np.int32)
        apart = graph.csr.sources() != graph.csr.column_indices
        trussness[apart] = values[np.searchsorted(known, entries[apart])]
        return PeerResult(times, {"trussness": trussness})


def _matrix(graph: Graph, values: Array | None = None) -> Any:
    import graphblas as gb

    csr = graph.csr
    offsets, columns = csr.row_offsets.astype(np.uint64), csr.column_indices.astype(np.uint64)
    return gb.Matrix.from_csr(
        offsets,
        columns,
        1.0 if values is None else values,
        dtype=gb.dtypes.FP64,
        nrows=graph.n,
        ncols=graph.n,
    )


def _dense(vector: Any, n: int, fill: float, dtype: Any) -> Array:
    found = np.full(n, fill, dtype)
    indices, values = vector.to_coo()
    found[indices] = values
    return found


def breadth_first(matrix: Any, source: int) -> Any:
    """LAGraph_BreadthFirstSearch, push only: levels of the reached vertices."""
    import graphblas as gb
    from graphblas import semiring

    levels = gb.Vector(gb.dtypes.INT32, matrix.nrows)
    frontier = gb.Vector(gb.dtypes.BOOL, matrix.nrows)
    frontier[source] = True
    depth = 0
    while frontier.nvals:
        levels(frontier.S) << depth
        frontier(~levels.S, replace=True) << semiring.any_pair(frontier @ matrix)
        depth += 1
    return levels


def shortest_paths(matrix: Any, source: int) -> Any:
    """Bellman-Ford over the vertices whose distance has just improved."""
    import graphblas as gb
    from graphblas import binary, semiring

    distances = gb.Vector(gb.dtypes.FP64, matrix.nrows)
    distances[source] = 0.0
    changed = distances.dup()
    while changed.nvals:
        reached = semiring.min_plus(changed @ matrix).new()
        # new if there was no distance, or a longer one
        better = gb.Vector(gb.dtypes.FP64, matrix.nrows)
        better(~distances.S) << reached
        shorter = reached.ewise_mult(distances, binary.lt).new()
        better(shorter.V) << reached
        distances(binary.min) << better
        changed = better
    return distances


def dependencies(matrix: Any, source: int) -> Any:
    """LAGr_Betweenness for one source: paths forth, dependencies back (Brandes)."""
    import graphblas as gb
    from graphblas import binary, semiring

    size = matrix.nrows
    paths = gb.Vector(gb.dtypes.FP64, size)
    paths[source] = 1.0
    frontier = paths.dup()
    levels = []
    while frontier.nvals:
        levels.append(frontier)
        following = gb.Vector(gb.dtypes.FP64, size)
        following(~paths.S) << semiring.plus_first(frontier @ matrix)
        paths(binary.plus) << following
        frontier = following
    gathered = gb.Vector(gb.dtypes.FP64, size)
    gathered[:] = 1.0  # one more than the dependency
    for here, above in zip(levels[:0:-1], levels[-2::-1], strict=True):
        weights = gb.Vector(gb.dtypes.FP64, size)
        weights(here.S) << gathered.ewise_mult(paths, binary.truediv)
        pulled = gb.Vector(gb.dtypes.FP64, size)
        pulled(above.S) << semiring.plus_second(matrix @ weights)
        gathered(binary.plus) << pulled.ewise_mult(paths, binary.times)
    gathered << gathered.apply(binary.minus, right=1.0)
    return gathered


def fast_sv(matrix: Any) -> Any:
    """FastSV (LAGr_ConnectedComponents): hooking and shortcutting until nothing changes."""
    import graphblas as gb
    from graphblas import binary, semiring

    size = matrix.nrows
    parents = gb.Vector.from_dense(np.arange(size, dtype=np.int64))
    grandparents = parents.dup()
    while size:
        smallest = grandparents.dup()
        smallest(binary.min) << semiring.min_second(matrix @ grandparents)
        hooked = gb.Vector.from_coo(
            parents.to_coo()[1], smallest.to_coo()[1], size=size, dup_op=binary.min
        )
        parents(binary.min) << hooked
        parents(binary.min) << smallest
        parents(binary.min) << grandparents
        following = parents[parents.to_coo()[1]].new()
        if following.isequal(grandparents):
            break
        grandparents = following
    return parents


def page_rank(matrix: Any, settings: PageRankSettings) -> tuple[Any, int]:
    """LAGr_PageRank: the power iteration; ranks of vertices without an edge are shared by all."""
    import graphblas as gb
    from graphblas import binary, monoid, semiring, unary

    size = matrix.nrows
    degrees = matrix.reduce_rowwise(monoid.plus).new()
    ranks = gb.Vector(gb.dtypes.FP64, size)
    ranks[:] = 1 / size
    iteration = 0
    while iteration < settings.max_iterations:
        iteration += 1
        shares = ranks.ewise_mult(degrees, binary.truediv).new()
        whole = ranks.reduce(monoid.plus).new().value
        spread = ranks.ewise_mult(degrees, binary.first).new().reduce(monoid.plus).new().value or 0
        fresh = gb.Vector(gb.dtypes.FP64, size)
        fresh[:] = (1 - settings.damping) / size + settings.damping * (whole - spread) / size
        pulled = semiring.plus_first(shares @ matrix).new()
        fresh(binary.plus) << pulled.apply(binary.times, right=settings.damping)
        change = fresh.ewise_mult(ranks, binary.minus).new()
        ranks = fresh
        if change.apply(unary.abs).new().reduce(monoid.plus).new().value < settings.tolerance:
            break
    return ranks, iteration


def independent_set(matrix: Any) -> Any:
    """LAGraph_MaximalIndependentSet (Luby): each round takes the candidates that have drawn higher than
    all their neighbors among the candidates."""
    import graphblas as gb
    from graphblas import binary, monoid, select, semiring

    size = matrix.nrows
    random = np.random.default_rng(0)
    chances = random.random(size) / (
        1 + _dense(matrix.reduce_rowwise(monoid.plus).new(), size, 0.0, np.float64)
    )
    members = gb.Vector(gb.dtypes.BOOL, size)
    candidates = gb.Vector.from_dense(chances)  # with their draws: higher with fewer neighbors
    while candidates.nvals:
        best = gb.Vector(gb.dtypes.FP64, size)
        best(candidates.S) << semiring.max_second(matrix @ candidates)
        better = candidates.ewise_mult(best, binary.gt).new()
        alone = gb.Vector(gb.dtypes.BOOL, size)
        alone(candidates.S) << True
        alone(best.S) << better
        chosen = select.value(alone == True).new()  # noqa: E712
        members(chosen.S) << True
        reached = semiring.any_pair(matrix @ chosen).new()
        left = gb.Vector(gb.dtypes.FP64, size)
        left(~chosen.S) << candidates
        candidates = gb.Vector(gb.dtypes.FP64, size)
        candidates(~reached.S) << left
    return members


def corners_of_triangles(matrix: Any) -> Any:
    """The triangles at each vertex: of the paths of two edges, those whose ends are neighbors."""
    from graphblas import binary, dtypes, monoid, semiring

    closed = semiring.plus_pair(matrix @ matrix).new(dtypes.INT64, mask=matrix.S)
    return binary.floordiv(closed.reduce_rowwise(monoid.plus).new(), 2).new(dtypes.INT64)


def clustering_coefficients(matrix: Any) -> Any:
    """LAGraph_lcc: of the pairs of each vertex's neighbors, either way, the share of edges."""
    from graphblas import binary, dtypes, monoid, select, semiring, unary

    around = matrix.ewise_add(matrix.T, binary.first).new()
    links = semiring.plus_pair(around @ matrix).new(dtypes.FP64, mask=around.S)
    neighbors = around.apply(unary.one).new().reduce_rowwise(monoid.plus).new()
    pairs = neighbors.ewise_mult(neighbors.apply(binary.minus, right=1).new(), binary.times).new()
    pairs = select.valuegt(pairs, 0).new()
    return links.reduce_rowwise(monoid.plus).new().ewise_mult(pairs, binary.truediv).new()


def all_trusses(matrix: Any) -> Any:
    """The trussness of each entry: of each k in turn the truss, within the one before (LAGraph's
    AllKTruss)."""
    from graphblas import Matrix, dtypes, select, semiring

    found = Matrix(dtypes.INT32, matrix.nrows, matrix.ncols)
    found(matrix.S) << 2
    k = 3
    while matrix.nvals:
        closed = semiring.plus_pair(matrix @ matrix).new(dtypes.INT32, mask=matrix.S)
        left = select.value(closed >= k - 2).new()
        if left.nvals == matrix.nvals:
            found(left.S) << k
            k += 1
        matrix = left
    return found


PEER = GraphBlas()
