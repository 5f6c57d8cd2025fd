"""Connected components: which vertices are reachable from each other, whatever the edges' directions.

``components[v]`` is the smallest vertex of v's component. (The kernel may label a component by another of
its vertices; the smallest is worked out after the clock has stopped.)
"""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.advance import Advance
from gunrock_cli.operators.launch_shapes import GATHER, NEXT_TO, WALKS, WHOLE_GRAPH
from gunrock_cli.operators.lists import has_many_levels, has_no_hubs, has_short_lists, longest_list
from gunrock_cli.primitives.base import (
    PROVED,
    Accesses,
    Options,
    Outputs,
    Primitive,
    Traffic,
    Validation,
    Work,
)
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.parts.cc import CcInParts, advances_from_samples
from gunrock_cli.primitives.references import smallest_vertices

VARIANTS = ("afforest", "hook-jump")
FEW_MINIMA = 0.05
"""When a smaller share of vertices than this has no smaller neighbour, grafting by ids leaves next to
nothing to do, as on lattices and where ids follow a curve through space."""
FEW_EDGES = 1 << 22
"""Going once through this many entries, even of long lists, is as fast as sampling a mesh [D-cc-10]."""
HOOK_JUMP_EDGES = 2**31 - 1
"""Items that a frontier can hold."""
SAMPLINGS = ("off", "on", "hub")
"""By their numbers in the kernel."""
LINK_ROUNDS = 2
"""Neighbours besides the first that every vertex may be linked with, as in the kernel."""
STAR, STAR_OF_LARGE = 16, 128
"""A list is worth starting from if it holds one vertex in this many."""
LARGE = 1 << 24
"""Lists with about this many entries outgrow a GPU's cache."""


class Cc(Primitive):
    name = "cc"
    summary = "Connected components (weakly connected ones of a directed graph)."
    vertex_outputs = ("components",)
    needs_source = False
    needs_reverse = True
    in_parts = CcInParts()
    advance_under = MappingProxyType({"sampling": "on"})
    to_advance = MappingProxyType({"sampling": "on"})
    options = (
        Option(
            "variant",
            "afforest",
            choices=VARIANTS,
            define="GR_HOOK_JUMP",
            help="afforest: a few edges of each vertex first, then all edges of the vertices "
            "outside the largest component (Sutton 2018). hook-jump: the papers' hooking, a "
            "filter on edges, and pointer jumping, one on vertices (Soman 2010, Gunrock).",
        ),
        Option(
            "linking",
            "auto",
            choices=("auto", "id", "random"),
            help="Which of two roots goes under the other: the one of larger id, or of larger "
            "random rank, which keeps trees flat on meshes. For afforest. auto: random on a GPU "
            "on mesh-like degrees (longest < 8 x mean) of mean up to 8, up to 2^22 edges 24, unless "
            "nearly every vertex has a smaller neighbour; else id.",
        ),
        Option(
            "sampling",
            "auto",
            choices=("auto", "on", "off", "hub"),
            help="Sample edges first, and leave out what the largest component holds by then; "
            "off: go through all edges once; hub: begin with the neighbours of the longest list and "
            "who is next to them, if half of the edges lead there, else like on (links by id, "
            "undirected graphs). For afforest. auto: off where --linking auto is random, hub where a "
            "list holds one vertex in 16 (in 128 of graphs of 2^24 edges).",
        ),
    )

    def check_options(self, graph: Graph, options: Options) -> dict[str, Any]:
        if options["variant"] == "hook-jump" and graph.m > HOOK_JUMP_EDGES:
            raise UsageError(
                f"--variant hook-jump: {graph.m} edges do not fit a frontier of edges; "
                "use --variant afforest"
            )
        if options["variant"] == "hook-jump":
            for name in ("linking", "sampling"):
                if options[name] != "auto":
                    raise UsageError(f"--{name} {options[name]} needs --variant afforest")
            return {**options, "linking": None, "sampling": None}  # those have neither
        # Cores are too few to make long paths of a mesh, and they insist on samples [D-cc-5].
        mesh = graph.xp is not np and makes_paths(graph)
        linking = options["linking"] if options["linking"] != "auto" else "random" if mesh else "id"
        sampling = (
            options["sampling"]
            if options["sampling"] != "auto"
            else ("off" if mesh else "hub" if linking == "id" and has_star(graph) else "on")
        )
        if sampling == "hub" and (linking == "random" or not graph.undirected):
            raise UsageError(
                "--sampling hub needs links by id and an undirected graph; use --sampling on"
            )
        return {**options, "linking": linking, "sampling": sampling}

    def advances(self, graph: Graph, options: Options) -> Advance:
        return Advance.BALANCED if advances_from_samples(graph, options) else Advance.NONE

    def defines(self, graph: Graph, options: Options) -> dict[str, str | int]:
        if options["variant"] == "hook-jump":
            return {"GR_EDGE_FRONTIER": 1}
        return {
            "GR_EDGE_FRONTIER": 0,
            "GR_RANDOM_LINKS": int(options["linking"] == "random"),
            "GR_SAMPLING": SAMPLINGS.index(options["sampling"]),
            "GR_RUNS": int(grafts_in_runs(graph, options)),
        }

    def kernel_file(self, graph: Graph, options: Options) -> Path:
        return self.variant_file(options["variant"].replace("-", "_"))

    def launch(self, graph: Graph, options: Options) -> Tuning | None:
        if options["variant"] == "hook-jump":
            return WHOLE_GRAPH
        if options["sampling"] == "hub":
            return NEXT_TO
        if options["sampling"] == "off":
            return WALKS
        return WHOLE_GRAPH if keeps_others(graph, options) else GATHER

    def problem(self, graph: Graph, options: Options) -> dict[str, Array | int | float]:
        xp = graph.xp
        if options["variant"] == "hook-jump":
            return {
                "parents": xp.empty(graph.n, np.int32),
                "sources": graph.csr.sources(),
                "jumping": xp.empty(2 * graph.n, graph.csr.row_offsets.dtype),
            }
        kept = LINK_ROUNDS * graph.n if keeps_others(graph, options) else 0
        return {
            "parents": xp.empty(graph.n, np.int32),
            "others": xp.empty(kept, np.int32) if kept else None,
        }

    def reset(self, problem: dict[str, Any], graph: Graph, options: Options, source: int) -> None:
        problem["parents"][...] = graph.xp.arange(graph.n, dtype=np.int32)

    def outputs(self, problem: dict[str, Any], graph: Graph, options: Options) -> dict[str, Array]:
        parents = problem["parents"]
        if (
            options["variant"] == "hook-jump"
            or options["linking"] == "random"
            or options["sampling"] == "hub"
        ):
            parents = smallest_vertices(parents, graph.xp)
        return {"components": parents}

    def work(self, graph: Graph, options: Options, outputs: dict[str, Array]) -> Work:
        labels = outputs["components"]
        xp = graph.xp
        count = int((labels == xp.arange(graph.n)).sum())
        largest = int(xp.bincount(labels).max()) if graph.n else 0
        return Work(metrics={"components": count, "largest_component": largest})

    def traffic(self, graph: Graph, options: Options, work: Work) -> Traffic:
        """Finding each component takes the edges of a spanning tree, and a label for every vertex but the
        one that the others are named by."""
        joined = graph.n - int(work.metrics["components"])
        return Traffic(read=4 * joined, written=4 * joined)

    def accesses(self, graph: Graph, options: Options, work: Work) -> Accesses:
        """For every vertex, its row and one neighbour are read and its label is written."""
        row = graph.csr.row_offsets.dtype.itemsize
        return Accesses((row + 4 + 4) * graph.n, 0, 4 * graph.n)

    def agrees(self, options: Options, outputs: Outputs, proved: Outputs) -> Validation | None:
        return Validation.of_vertices(PROVED, "components", outputs["components"], proved["components"])

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        if graph.n == 0:
            return Validation("pass", "scipy")
        csr = graph.csr
        matrix = csr_array(
            (np.ones(graph.m, np.int8), csr.column_indices, csr.row_offsets), shape=(graph.n, graph.n)
        )
        _, labels = connected_components(matrix, directed=not graph.undirected, connection="weak")
        expected = smallest_vertices(labels)
        found = np.asarray(outputs["components"])
        wrong = np.flatnonzero(found != expected)
        if len(wrong):
            shown = "; ".join(
                f"vertex {v}: component {found[v]}, expected {expected[v]}" for v in wrong[:5]
            )
            return Validation("fail", "scipy", f"{len(wrong)} components differ: {shown}")
        return Validation("pass", "scipy")


def makes_paths(graph: Graph) -> bool:
    """Whether linking by vertex number would make long paths of a mesh, and going through all edges once
    takes no longer than walking those."""
    few = has_short_lists(graph) or (has_many_levels(graph) and graph.m <= FEW_EDGES)
    return few and has_no_hubs(graph) and share_of_minima(graph) > FEW_MINIMA


def has_star(graph: Graph) -> bool:
    """Whether one list is so long that most vertices may be next to its members; in small graphs, which
    are soon sampled, it must be longer [D-cc-6]."""
    one_in = STAR_OF_LARGE if graph.m >= LARGE else STAR
    return graph.undirected and longest_list(graph) * one_in >= graph.n


def grafts_in_runs(graph: Graph, options: Options) -> bool:
    """Whether blocks follow the first links through runs of vertices: on a GPU, where degrees are like a
    mesh's, if lists fit the GPU's cache or are short [D-graft-1]."""
    mesh = graph.xp is not np and options["sampling"] == "on" and has_no_hubs(graph)
    return mesh and (graph.m < LARGE or has_short_lists(graph))


def keeps_others(graph: Graph, options: Options) -> bool:
    """Whether the neighbours to be linked later are kept when lists are first read: on a GPU, where the
    lists outgrow its cache and would have to be read again [D-cc-7]. What is grafted in runs seldom needs
    more links."""
    return (
        graph.xp is not np
        and options["sampling"] == "on"
        and graph.m >= LARGE
        and not grafts_in_runs(graph, options)
    )


def share_of_minima(graph: Graph) -> float:
    """The share of vertices with neighbours that have no smaller one. Grafting leaves them as roots."""
    csr = graph.csr.sample()
    if csr.m == 0:
        return 0.0
    rows, columns = csr.row_offsets, csr.column_indices
    some = rows[1:] > rows[:-1]
    first = columns[graph.xp.minimum(rows[:-1], csr.m - 1)]  # the smallest: lists are sorted
    minima = some & (first >= graph.xp.arange(csr.first, csr.first + csr.n))
    return float(minima.sum() / some.sum())


PRIMITIVE = Cc()
