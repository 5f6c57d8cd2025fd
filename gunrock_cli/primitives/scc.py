"""Strongly connected components: sets of vertices that reach each other.

``components[v]`` is the smallest vertex of v's component. (The kernel may name a component by another of
its vertices; the smallest is computed after the clock has stopped.) With ``--condense`` also the edges
between components, each once, from ``sources`` to ``targets``, rising: a graph without cycles; and
``levels[v]``, the number of edges on the longest path in it to v's component."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array, Graph, to_numpy
from gunrock_cli.operators.launch_shapes import GATHER
from gunrock_cli.primitives.base import Accesses, Primitive, Traffic, Validation, Work
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.references import component_names, smallest_vertices
from gunrock_cli.primitives.shown import Outputs, Shown
from gunrock_cli.primitives.toposort import levels_of_rows
from gunrock_cli.primitives.variant import Member, Problem, Variant

NOBODY = -1
"""The kernel's mark of a vertex whose component is not known."""


@dataclass(frozen=True)
class SccOptions(Options):
    """The options of strong components."""

    condense: bool = option(
        False,
        "Also the edges between components, each once, by the components' smallest vertices, and "
        "topological levels: found off the clock. The edges are saved instead.",
        changes_answer=True,
        own=True,
    )


class Signatures(Variant[SccOptions]):
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
            "open": Room(2 * n, np.int32),
        }

    def outputs(self, problem: Problem) -> dict[str, Array]:
        components = smallest_vertices(problem["components"], self.xp)
        if not self.options.condense:
            return {"components": components}
        return {"components": components, **condensed(self.graph, components)}


def condensed(graph: Graph, components: Array) -> dict[str, Array]:
    """The edges between different components, each once, and every vertex's topological level: int32."""
    xp = graph.xp
    tails, heads = components[graph.csr.sources()], components[graph.csr.column_indices]
    apart = tails != heads
    pairs = xp.unique(tails[apart].astype(np.int64) << 32 | heads[apart])
    sources, targets = (pairs >> 32).astype(np.int32), (pairs & 2**32 - 1).astype(np.int32)
    begins = np.searchsorted(to_numpy(sources), np.arange(graph.n + 1))
    levels = xp.asarray(levels_of_rows(begins, to_numpy(targets)))[components]
    return {"sources": sources, "targets": targets, "levels": levels}


class SccShown(Shown):
    """A value per vertex, or the edges between components."""

    def row_columns(self, options: SccOptions) -> Mapping[str, str]:
        return {"source": "sources", "target": "targets"} if options.condense else {}


class Scc(Primitive):
    name = "scc"
    summary = "Strongly connected components of a directed graph."
    takes = SccOptions
    variant = Signatures
    shows = SccShown(vertices=("components", "sources", "targets"))
    source = None
    needs = Needs(reverse=True, directed=True)
    frontier = Frontier(advance_under=None)

    def work(self, graph: Graph, options: SccOptions, outputs: dict[str, Array]) -> Work:
        labels, xp = outputs["components"], graph.xp
        sizes = xp.bincount(labels) if graph.n else np.zeros(0, np.int64)
        return Work(
            metrics={
                "components": int((sizes > 0).sum()),
                "largest_component": int(sizes.max()) if graph.n else 0,
                "single_vertices": int((sizes == 1).sum()),
            }
        )

    def traffic(self, graph: Graph, options: SccOptions, work: Work) -> Traffic:
        """At the least a ring shows each component, and a label names the vertices that do not name
        it."""
        joined = graph.n - int(work.metrics["components"])
        return Traffic(read=4 * joined, written=4 * joined)

    def accesses(self, graph: Graph, options: SccOptions, work: Work) -> Accesses:
        """Of every vertex, both rows and the first sector of both lists are read, and both words and the
        label are written; of one neighbor each way, the word is gathered."""
        row = graph.csr.row_offsets.dtype.itemsize
        return Accesses((2 * row + 2 * 32 + 2 * 8 + 4) * graph.n, 2 * graph.n, 8 * graph.n)

    def validate(
        self, graph: Graph, options: SccOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        names = component_names(graph, "strong")
        found = Validation.of_vertices("scipy", "components", outputs["components"], names)
        if found.verdict == "fail" or "sources" not in outputs:
            return found
        ends = zip(names[graph.csr.sources()], names[graph.csr.column_indices], strict=True)
        expected = np.array(sorted({pair for pair in ends if pair[0] != pair[1]})).reshape(-1, 2)
        edges = np.column_stack((outputs["sources"], outputs["targets"]))
        if not np.array_equal(edges, expected):
            told = f"{len(edges)} edges between components, not {len(expected)}"
            return Validation("fail", "scipy", told)
        return Validation("fail", "scipy", wrong) if (wrong := _wrong_levels(outputs)) else found


def _wrong_levels(outputs: Outputs) -> str:
    """The fault of levels, or nothing. They are right if they rise along each edge, and an edge from the
    level before explains each that is not 0."""
    components, levels = outputs["components"], outputs["levels"]
    if not np.array_equal(levels, levels[components]):
        return "a component has several levels"
    before, after = levels[outputs["sources"]], levels[outputs["targets"]]
    if (before >= after).any():
        return "an edge leads to a level that is no greater"
    explained = levels == 0
    explained[outputs["targets"][before + 1 == after]] = True
    return "" if explained[components].all() else "no edge explains a level"


PRIMITIVE = Scc()
