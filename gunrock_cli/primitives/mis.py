"""Maximal independent set: no two of its vertices are neighbours, and every other vertex has a
neighbour in it.

``members[v]`` is 1 for the vertices of the set. It is the set that a loop over the vertices by falling
priority chooses, so it is the same in every run on every backend.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model import Array, Graph
from gunrock_cli.operators.launch_shapes import SETTLE, SETTLE_ALONE, SETTLE_SHARED
from gunrock_cli.operators.lists import has_only_short_lists, lanes_of_lists
from gunrock_cli.primitives.base import (
    Accesses,
    Option,
    Options,
    Outputs,
    Primitive,
    Traffic,
    Validation,
    Work,
)

CHOSEN = 0xFFFF
"""The kernel's state of a vertex in the set."""
PRIORITIES = ("degree", "random")


class Mis(Primitive):
    name = "mis"
    summary = "Maximal independent set: no two of its vertices are neighbours, and no more would fit."
    needs_source = False
    needs_undirected = True
    advance_under = None
    options = (
        Option(
            "priority",
            "degree",
            choices=PRIORITIES,
            changes_answer=True,
            help="Which of two neighbours goes first. degree: that of fewer neighbours (on a scale "
            "of 8 steps an octave), then random; makes large sets. random: any order is as likely "
            "as another.",
        ),
        Option(
            "priority-seed",
            0,
            kind=int,
            minimum=0,
            maximum=2**32 - 1,
            changes_answer=True,
            help="Of the random part of priorities: another seed, another set.",
        ),
    )

    def constants(self, graph: Graph, options: Options) -> dict[str, int]:
        return {"CHOSEN": CHOSEN}

    def kernel_file(self, graph: Graph, options: Options) -> Path:
        return self.variant_file("by_priority")

    def defines(self, graph: Graph, options: Options) -> dict[str, str | int]:
        return {"GR_RESOLVES": int(has_only_short_lists(graph)), "GR_LANES": lanes_of_lists(graph)}

    def launch(self, graph: Graph, options: Options) -> Tuning | None:
        if not has_only_short_lists(graph):
            return SETTLE
        return SETTLE_SHARED if lanes_of_lists(graph) > 1 else SETTLE_ALONE

    def problem(self, graph: Graph, options: Options) -> dict[str, Array | int | float]:
        return {
            "states": graph.xp.empty(graph.n, np.uint16),
            "waits": graph.xp.empty(graph.n, np.uint64),
            "seed": options["priority_seed"],
            "by_degree": int(options["priority"] == "degree"),
        }

    def reset(self, problem: dict[str, Any], graph: Graph, options: Options, source: int) -> None:
        problem["states"].fill(1)  # neither in nor out

    def outputs(self, problem: dict[str, Any], graph: Graph, options: Options) -> dict[str, Array]:
        return {"members": graph.xp.equal(problem["states"], CHOSEN).astype(np.int32)}

    def work(self, graph: Graph, options: Options, outputs: dict[str, Array]) -> Work:
        return Work(metrics={"size": int(outputs["members"].sum())})

    def traffic(self, graph: Graph, options: Options, work: Work) -> Traffic:
        """For each vertex outside, an edge to a member must be read, and each vertex is told its
        state."""
        return Traffic(read=4 * (graph.n - int(work.metrics["size"])), written=2 * graph.n)

    def accesses(self, graph: Graph, options: Options, work: Work) -> Accesses:
        """For every vertex, its row and one neighbour are read, and its state is written, looked at
        and written again; the neighbour's state is gathered."""
        row = graph.csr.row_offsets.dtype.itemsize
        return Accesses((row + 4 + 3 * 2) * graph.n, graph.n, 2 * graph.n)

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        """Whether the set is independent and maximal, edge by edge."""
        reference = "definition"
        found = np.asarray(outputs["members"])
        odd = np.flatnonzero((found != 0) & (found != 1))
        if found.shape != (graph.n,) or len(odd):
            return Validation(
                "fail", reference, f"members: expected 0 or 1 for each of {graph.n} vertices"
            )
        inside = found.astype(bool)
        csr = graph.csr
        sources, targets = csr.sources(), csr.column_indices
        touched = inside[targets] & (sources != targets)
        clash = np.flatnonzero(touched & inside[sources])
        if len(clash):
            return Validation(
                "fail",
                reference,
                f"{len(clash)} edges within the set: "
                + "; ".join(f"{sources[e]} - {targets[e]}" for e in clash[:5]),
            )
        inside[sources[touched]] = True
        missing = np.flatnonzero(~inside)
        if len(missing):
            shown = ", ".join(map(str, missing[:5]))
            return Validation("fail", reference, f"{len(missing)} vertices would fit: {shown}")
        return Validation("pass", reference)


PRIMITIVE = Mis()
