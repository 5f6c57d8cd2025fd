"""Single-source shortest paths: the distance of every vertex from a source, over weighted edges."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np

from gunrock_cli.graph.model.change import Updated
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.primitives.base import Accesses, Traffic, Validation, Work
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.going_on import gains_on
from gunrock_cli.primitives.parts.base import OnSeveralDevices
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs, Shown
from gunrock_cli.primitives.sssp.choose import choose, choose_updating
from gunrock_cli.primitives.sssp.distances import reached_by, with_infinity
from gunrock_cli.primitives.sssp.in_parts import PathsInParts, paths_in_parts
from gunrock_cli.primitives.sssp.options import IN_STEP, SsspOptions
from gunrock_cli.primitives.sssp.reference import check_by_scipy, check_optimality, check_tree
from gunrock_cli.primitives.sssp.variants import Ahead, InStep, Paths, Updating

SCIPY_EDGES = 1 << 28
"""SciPy's Dijkstra checks answers on graphs with at most this many edges (half a minute); on larger
graphs the optimality conditions prove the answer in less memory."""


class Sssp(OnSeveralDevices):
    name = "sssp"
    summary = "Single-source shortest paths: distances and predecessors over weighted edges."
    takes = SsspOptions
    goes_on_from = "distances"
    shows = Shown(vertices=("predecessors",), further=("predecessors",), nearest_first=True)
    needs = Needs(weights=True, reverse=True)
    frontier = Frontier(advance_under=IN_STEP, to_advance=MappingProxyType({"run_ahead": "off"}))

    def reads_reverse(self, options: SsspOptions) -> bool:
        """True if the run pulls: predecessors, or distances that a bound left over. (auto sets a bound
        only if the graph is undirected, so that in-edges are out-edges.)"""
        return options.mark_pred or options.bounded

    def plan(self, graph: Graph, asked: SsspOptions) -> Paths:
        if isinstance(graph, Updated) and gains_on(graph, graph.change.lost_paths()):
            return Updating(graph, choose_updating(graph, asked))
        chosen = choose(graph, asked, alone=True)
        return Ahead(graph, chosen) if chosen.runs_ahead else InStep(graph, chosen)

    def plan_in_parts(self, graph: Graph, asked: SsspOptions) -> PathsInParts:
        return paths_in_parts(graph, choose(graph, asked, alone=False))

    def work(self, graph: Graph, options: SsspOptions, outputs: dict[str, Array]) -> Work:
        reached = reached_by(graph.xp, outputs["distances"])
        edges = graph.csr.edges_of(reached)
        farthest = float(graph.xp.where(reached, outputs["distances"], 0).max()) if graph.n else 0.0
        return Work(
            vertices_visited=int(reached.sum()),
            edges_visited=edges,
            edges_for_mteps=edges,
            metrics={"farthest": farthest},
        )

    def traffic(self, graph: Graph, options: SsspOptions, work: Work) -> Traffic:
        """An edge to each vertex found, with its weight, the vertex's distance and, if asked for, its
        predecessor."""
        found = max(0, (work.vertices_visited or 0) - 1)  # the source is known before the clock starts
        return Traffic(read=8 * found, written=(8 if options.mark_pred else 4) * found)

    def accesses(self, graph: Graph, options: SsspOptions, work: Work) -> Accesses:
        """Every edge of a reached vertex is read once, with its weight, and its end looked up. With a
        bound the weights are read, and one edge is looked up per vertex."""
        vertices, edges = work.vertices_visited or 0, work.edges_visited or 0
        row = graph.csr.row_offsets.dtype.itemsize
        if options.bounded:
            return Accesses(4 * edges + (row + 8) * vertices, vertices, 4 * graph.n)
        return Accesses(8 * edges + (row + 4) * vertices, edges, 4 * graph.n)

    def validate(
        self, graph: Graph, options: SsspOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        assert source is not None
        distances = with_infinity(np.asarray(outputs["distances"]))
        exact = graph.csr.values is not None and graph.csr.values.dtype == np.int32
        if graph.m <= SCIPY_EDGES:
            found = check_by_scipy(graph, source, distances, exact)
        else:
            found = check_optimality(graph, source, distances, exact)
        if found.verdict == "pass" and "predecessors" in outputs:
            predecessors = np.asarray(outputs["predecessors"])
            return check_tree(graph, source, distances, predecessors, exact, found.reference)
        return found


PRIMITIVE = Sssp()
