"""Counting runs, off the clock: edges inspected, what queues hold, and what they would hold without
duplicates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

import numpy as np

from gunrock_cli.bench.record import Record
from gunrock_cli.engine.backend import Backend
from gunrock_cli.graph.model import Array, Graph
from gunrock_cli.primitives.base import Options, Primitive
from gunrock_cli.primitives.compile import compile_primitive
from gunrock_cli.primitives.micro.recording import Recording
from gunrock_cli.primitives.run_options import RunOptions

VERTICES, EDGES = "queued_vertices", "queued_edges"


def note_counts(record: Record, primitive: Primitive, graph: Graph, options: Options,
                sources: Sequence[int], backend: Backend, run: RunOptions,
                problem: dict[str, Any]) -> None:
    """Run once more from each source with code that counts, and note what it found: means over the
    sources, frontiers of the last. ``record`` has its outputs' work by now."""
    program = compile_primitive(primitive, graph, options, backend, replace(run, trace=True), count=True)
    inspected, queued, levels = [], [], None
    for source in sources if primitive.reads_source(options) else [0]:
        result = program.run(problem, lambda source=source: primitive.reset(  # type: ignore[misc]
            problem, graph, options, source))
        inspected.append(result.inspected)
        levels = primitive.frontier_levels(options, primitive.outputs(problem, graph, options))
        if levels is not None:
            queued.append([(int(row["count"]), int(row["edges"])) for row in result.trace
                           if row["edges"] or row["count"]])
    record.edges_inspected = round(fmean(inspected))
    if levels is None or not queued or not record.edges_visited or not record.vertices_visited:
        return
    vertices = fmean(sum(count for count, _ in each) for each in queued)
    record.counts = {
        VERTICES: vertices, "duplicates": vertices - record.vertices_visited,
        EDGES: fmean(sum(edges for _, edges in each) for each in queued),
        "redundant_expansion": fmean(inspected) / record.edges_visited}
    record.frontiers = frontiers(graph, levels, queued[-1])


def frontiers(graph: Graph, labels: Array, queued: Sequence[tuple[int, int]]) -> list[dict[str, int]]:
    """A row for each level: vertices and edges of the logical frontiers, the distinct ends of these
    edges, and the vertices and edges that the queue held."""
    recording = Recording.from_labels(graph, labels)
    vertices, edges = np.diff(recording.vertex_starts), np.diff(recording.edge_starts)
    starts, xp = recording.edge_starts, graph.xp
    rows = []
    for level in range(recording.levels):
        ends = recording.edges[int(starts[level]):int(starts[level + 1])]
        held = queued[level] if level < len(queued) else (0, 0)
        rows.append({"level": level, "vertices": int(vertices[level]), "edges": int(edges[level]),
                     "distinct_ends": len(xp.unique(ends)), VERTICES: held[0], EDGES: held[1]})
    return rows
