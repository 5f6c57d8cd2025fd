"""Betweenness centrality: how much the shortest paths from one source depend on each vertex.

``scores[v]`` is Brandes' dependency of the run's source on v: the sum, over all targets t other than v,
of the share of the shortest paths from the source to t that pass through v. The source's own score is 0.
Nothing is halved for undirected graphs and nothing is normalized; parallel edges count as different
paths. Of several sources each has its own run, and the scores are the sum over all runs: over all
vertices (``--src all``) that is betweenness centrality itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.primitives.base import SumsSources, Traffic, Validation, Work
from gunrock_cli.primitives.bc.choose import choose
from gunrock_cli.primitives.bc.in_parts import ScoresInParts, scores_in_parts
from gunrock_cli.primitives.bc.options import IN_STEP, BcOptions
from gunrock_cli.primitives.bc.reference import compare, reference_by_weight, reference_scores
from gunrock_cli.primitives.bc.variants import Dependencies, variant_of
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.parts.base import OnSeveralDevices
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.reached import is_reached
from gunrock_cli.primitives.references import reference_labels
from gunrock_cli.primitives.shown import Outputs

MOST_REFERENCE_EDGES = 1 << 31
"""The most edges that the reference may inspect in total; some ten million take a second."""
CHUNK = 1 << 24
"""Edges per chunk of the counting."""


class Bc(OnSeveralDevices, SumsSources):
    name = "bc"
    summary = "Betweenness centrality: dependencies of one source on every vertex (Brandes)."
    takes = BcOptions
    needs = Needs(reverse=True)
    frontier = Frontier(advance_under=IN_STEP, to_advance=IN_STEP)

    def reads_weights(self, options: BcOptions) -> bool:
        return options.weighted

    def reads_reverse(self, options: BcOptions) -> bool:
        return not options.by_edges

    def plan(self, graph: Graph, asked: BcOptions) -> Dependencies:
        return variant_of(graph, choose(graph, asked, alone=True))

    def plan_in_parts(self, graph: Graph, asked: BcOptions) -> ScoresInParts:
        return scores_in_parts(graph, choose(graph, asked, alone=False))

    def work(self, graph: Graph, options: BcOptions, outputs: dict[str, Array]) -> Work:
        """MTEPS count every edge out of a reached vertex twice: forward and backward. There are none by
        weight, as edges are relaxed as often as it takes."""
        if "distances" in outputs:
            reached = graph.xp.isfinite(outputs["distances"])
            return Work(int(reached.sum()), graph.csr.edges_of(reached))
        if "labels" not in outputs:
            return Work()  # a peer: scores alone do not show which vertices were reached
        labels = outputs["labels"]
        reached = is_reached(labels)
        edges = graph.csr.edges_of(reached)
        return Work(
            vertices_visited=int(reached.sum()),
            edges_visited=edges,
            edges_for_mteps=2 * edges,
            depth=int(labels.max()) if graph.n else 0,
            metrics={
                "edges_between_levels": edges_between_levels(graph, labels),
                "scored_vertices": int((outputs["scores"] != 0).sum()),
            },
        )

    def traffic(self, graph: Graph, options: BcOptions, work: Work) -> Traffic | None:
        """Every edge from one level to the next carries paths, so it must be read. The labels of the
        vertices found must be written, and all scores except those that stay 0. None by weight."""
        if options.weighted:
            return None
        found = max(0, (work.vertices_visited or 0) - 1)  # the source is known before the clock starts
        return Traffic(
            read=4 * int(work.metrics["edges_between_levels"]),
            written=4 * (found + int(work.metrics["scored_vertices"])),
        )

    def validate_sum(
        self, graph: Graph, options: BcOptions, sources: Sequence[int], outputs: Outputs
    ) -> Validation:
        """Validate a sum; skipped if the reference would take very long."""
        if len(sources) * max(1, graph.m) > MOST_REFERENCE_EDGES:
            return Validation("skipped", "numpy", f"{len(sources)} sources are too many to check")
        expected = np.zeros(graph.n)
        for source in sources:
            expected += _reference(graph, options, source)[1]
        return compare(np.asarray(outputs["scores"], np.float64), expected)

    def validate(
        self, graph: Graph, options: BcOptions, source: int | None, outputs: Outputs
    ) -> Validation:
        """Allow a relative error of 1e-4 if a score exceeds 1e-6 of the largest; below that, the absolute
        error that this allows at 1e-6 of the largest."""
        assert source is not None
        lengths, expected = _reference(graph, options, source)
        name = "distances" if options.weighted else "labels"
        if name in outputs:
            wrong = np.flatnonzero(np.asarray(outputs[name]) != lengths)
            if len(wrong):
                return Validation("fail", "numpy", f"{len(wrong)} {name} differ, first: {wrong[0]}")
        return compare(np.asarray(outputs["scores"], np.float64), expected)


def _reference(
    graph: Graph, options: BcOptions, source: int
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Labels or distances, and scores."""
    if options.weighted:
        return reference_by_weight(graph, source)
    labels = reference_labels(graph, source)
    return labels, reference_scores(graph, source, labels)


def edges_between_levels(graph: Graph, labels: Array) -> int:
    """The number of edges that lead from a vertex to one a level deeper, counted in chunks that take
    little memory."""
    xp, rows, columns = graph.xp, graph.csr.row_offsets, graph.csr.column_indices
    count = 0
    for first in range(0, graph.m, CHUNK):
        end = min(first + CHUNK, graph.m)
        # searchsorted, as cupy.repeat does not take an array of counts
        tails = xp.searchsorted(rows, xp.arange(first, end, dtype=rows.dtype), side="right") - 1
        levels = labels[tails]
        count += int(((levels >= 0) & (labels[columns[first:end]] == levels + 1)).sum())
    return count


PRIMITIVE = Bc()
