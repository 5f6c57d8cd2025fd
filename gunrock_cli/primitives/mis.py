"""Maximal independent set: no two of its vertices are neighbors, and every other vertex has a neighbor in
it.

``members[v]`` is 1 for the vertices of the set. A loop over the vertices by falling priority chooses the
same set, so it is the same in every run on every backend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.launch_shapes import SETTLE, SETTLE_ALONE, SETTLE_SHARED
from gunrock_cli.operators.lists import has_only_short_lists, lanes_of_lists
from gunrock_cli.primitives.base import Accesses, Primitive, Traffic, Validation, Work
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.shown import Outputs
from gunrock_cli.primitives.variant import Macros, Member, Problem, Variant

CHOSEN = 0xFFFF
"""The kernel's state of a vertex in the set."""


@dataclass(frozen=True)
class MisOptions(Options):
    """The options of an independent set."""

    priority: Literal["degree", "random"] = option(
        "degree",
        "Which of two neighbours goes first. degree: that of fewer neighbours (on a scale "
        "of 8 steps an octave), then random; makes large sets. random: any order is as likely "
        "as another.",
        changes_answer=True,
    )
    priority_seed: int = option(
        0,
        "Of the random part of priorities: another seed, another set.",
        minimum=0,
        maximum=2**32 - 1,
        changes_answer=True,
    )


class ByPriority(Variant[MisOptions]):
    """Each vertex waits for its neighbors of higher priority."""

    kernel = "mis/by_priority"

    @property
    def constants(self) -> Mapping[str, int]:
        return {"CHOSEN": CHOSEN}

    @property
    def defines(self) -> Macros:
        short = has_only_short_lists(self.graph)
        return {"GR_RESOLVES": int(short), "GR_LANES": lanes_of_lists(self.graph)}

    @property
    def launch(self) -> Tuning:
        if not has_only_short_lists(self.graph):
            return SETTLE
        return SETTLE_SHARED if lanes_of_lists(self.graph) > 1 else SETTLE_ALONE

    def members(self) -> Mapping[str, Member]:
        n = self.graph.n
        return {
            "states": Room(n, np.uint16, filled=1),  # undecided
            "waits": Room(n, np.uint64),
            "seed": self.options.priority_seed,
            "by_degree": int(self.options.priority == "degree"),
        }

    def outputs(self, problem: Problem) -> dict[str, Array]:
        return {"members": self.graph.xp.equal(problem["states"], CHOSEN).astype(np.int32)}


class Mis(Primitive):
    name = "mis"
    summary = "Maximal independent set: no two of its vertices are neighbours, and no more would fit."
    takes = MisOptions
    variant = ByPriority
    source = None
    needs = Needs(undirected=True)
    frontier = Frontier(advance_under=None)

    def work(self, graph: Graph, options: MisOptions, outputs: dict[str, Array]) -> Work:
        return Work(metrics={"size": int(outputs["members"].sum())})

    def traffic(self, graph: Graph, options: MisOptions, work: Work) -> Traffic:
        """An edge to a member must be read for each vertex outside the set, and each vertex is told its
        state."""
        return Traffic(read=4 * (graph.n - int(work.metrics["size"])), written=2 * graph.n)

    def accesses(self, graph: Graph, options: MisOptions, work: Work) -> Accesses:
        """Each vertex's row and one neighbor are read, and its state is written, looked at and written
        again; the neighbor's state is gathered."""
        row = graph.csr.row_offsets.dtype.itemsize
        return Accesses((row + 4 + 3 * 2) * graph.n, graph.n, 2 * graph.n)

    def validate(
        self, graph: Graph, options: MisOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        """Check edge by edge that the set is independent and maximal."""
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
