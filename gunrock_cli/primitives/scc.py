"""Strongly connected components: sets of vertices that reach each other.

``components[v]`` is the smallest vertex of v's component. (The kernel may name a component by another of
its vertices; the smallest is computed after the clock has stopped.)"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.launch_shapes import GATHER
from gunrock_cli.primitives.base import Accesses, Primitive, Traffic, Validation, Work
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.references import component_names, smallest_vertices
from gunrock_cli.primitives.shown import Outputs, Shown
from gunrock_cli.primitives.variant import Member, Problem, Variant

NOBODY = -1
"""The kernel's mark of a vertex whose component is not known."""


class Signatures(Variant[Options]):
    """Keys spread along edges in both directions, round by round."""

    kernel = "scc"

    @property
    def launch(self) -> Tuning:
        return GATHER

    @property
    def constants(self) -> Mapping[str, int]:
        return {"NOBODY": NOBODY}

    def members(self) -> Mapping[str, Member]:
        n = self.graph.n
        return {
            "components": Room(n, np.int32, filled=NOBODY),
            "in": Room(n, np.uint64),
            "out": Room(n, np.uint64),
            "pivot": Room(1, np.uint64, filled=2**64 - 1),
        }

    def outputs(self, problem: Problem) -> dict[str, Array]:
        return {"components": smallest_vertices(problem["components"], self.xp)}


class Scc(Primitive):
    name = "scc"
    summary = "Strongly connected components of a directed graph."
    variant = Signatures
    shows = Shown(vertices=("components",))
    source = None
    needs = Needs(reverse=True, directed=True)
    frontier = Frontier(advance_under=None)

    def work(self, graph: Graph, options: Options, outputs: dict[str, Array]) -> Work:
        labels, xp = outputs["components"], graph.xp
        sizes = xp.bincount(labels) if graph.n else np.zeros(0, np.int64)
        return Work(
            metrics={
                "components": int((sizes > 0).sum()),
                "largest_component": int(sizes.max()) if graph.n else 0,
                "single_vertices": int((sizes == 1).sum()),
            }
        )

    def traffic(self, graph: Graph, options: Options, work: Work) -> Traffic:
        """At the least a ring shows each component, and a label names the vertices that do not name
        it."""
        joined = graph.n - int(work.metrics["components"])
        return Traffic(read=4 * joined, written=4 * joined)

    def accesses(self, graph: Graph, options: Options, work: Work) -> Accesses:
        """Of every vertex, both rows and the first sector of both lists are read, and both words and the
        label are written; of one neighbor each way, the word is gathered."""
        row = graph.csr.row_offsets.dtype.itemsize
        return Accesses((2 * row + 2 * 32 + 2 * 8 + 4) * graph.n, 2 * graph.n, 8 * graph.n)

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        return Validation.of_vertices(
            "scipy", "components", outputs["components"], component_names(graph, "strong")
        )


PRIMITIVE = Scc()
