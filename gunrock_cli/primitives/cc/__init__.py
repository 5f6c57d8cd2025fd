"""Connected components: sets of vertices that edges connect in either direction.

``components[v]`` is the smallest vertex of v's component. (The kernel may label a component by another of
its vertices; the smallest is computed after the clock has stopped.)"""

from __future__ import annotations

from types import MappingProxyType

import numpy as np

from gunrock_cli.graph.model.change import Updated
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.primitives.base import Accesses, Traffic, Validation, Work
from gunrock_cli.primitives.cc.choose import choose, choose_updating, pays
from gunrock_cli.primitives.cc.in_parts import ComponentsInParts, components_in_parts
from gunrock_cli.primitives.cc.options import CcOptions
from gunrock_cli.primitives.cc.variants import Afforest, Components, HookJump, Updating
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.parts.base import OnSeveralDevices
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.references import component_names
from gunrock_cli.primitives.shown import Outputs, Shown

_SAMPLED = MappingProxyType({"sampling": "on"})


class Cc(OnSeveralDevices):
    name = "cc"
    summary = "Connected components (weakly connected ones of a directed graph)."
    takes = CcOptions
    shows = Shown(vertices=("components",))
    source = None
    goes_on_from = "components"
    needs = Needs(reverse=True)
    frontier = Frontier(advance_under=_SAMPLED, to_advance=_SAMPLED)

    def plan(self, graph: Graph, asked: CcOptions) -> Components:
        if isinstance(graph, Updated) and pays(graph):
            return Updating(graph, choose_updating(asked))
        chosen = choose(graph, asked, alone=True)
        return HookJump(graph, chosen) if chosen.hooks else Afforest(graph, chosen)

    def plan_in_parts(self, graph: Graph, asked: CcOptions) -> ComponentsInParts:
        return components_in_parts(graph, choose(graph, asked, alone=False))

    def work(self, graph: Graph, options: CcOptions, outputs: dict[str, Array]) -> Work:
        labels = outputs["components"]
        xp = graph.xp
        count = int((labels == xp.arange(graph.n)).sum())
        largest = int(xp.bincount(labels).max()) if graph.n else 0
        return Work(metrics={"components": count, "largest_component": largest})

    def traffic(self, graph: Graph, options: CcOptions, work: Work) -> Traffic:
        """Finding each component takes the edges of a spanning tree, and a label for every vertex except
        those that name a component."""
        joined = graph.n - int(work.metrics["components"])
        return Traffic(read=4 * joined, written=4 * joined)

    def accesses(self, graph: Graph, options: CcOptions, work: Work) -> Accesses:
        """Each vertex's row and one neighbor are read, and its label is written."""
        row = graph.csr.row_offsets.dtype.itemsize
        return Accesses((row + 4 + 4) * graph.n, 0, 4 * graph.n)

    def validate(
        self, graph: Graph, options: CcOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        expected = component_names(graph, "weak")
        found = np.asarray(outputs["components"])
        wrong = np.flatnonzero(found != expected)
        if len(wrong):
            shown = "; ".join(
                f"vertex {v}: component {found[v]}, expected {expected[v]}" for v in wrong[:5]
            )
            return Validation("fail", "scipy", f"{len(wrong)} components differ: {shown}")
        return Validation("pass", "scipy")


PRIMITIVE = Cc()
