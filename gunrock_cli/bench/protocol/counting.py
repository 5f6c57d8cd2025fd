"""Counting runs, off the clock: edges inspected, and the sizes of queues with and without duplicates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

import numpy as np

from gunrock_cli.bench.records.record import ACTIVE, Record
from gunrock_cli.engine.program import RunResult
from gunrock_cli.graph.model.graph import Array, Graph, row_ids, to_numpy
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.execution import Execution
from gunrock_cli.primitives.micro.recording import CHUNK, Recording

VERTICES, EDGES = "queued_vertices", "queued_edges"
AGAIN = {
    "duplicates_in_warp": "AGAIN_IN_WARP",
    "duplicates_in_block": "AGAIN_IN_BLOCK",
    "duplicates_elsewhere": "AGAIN_ELSEWHERE",
}
"""A record's names for duplicates by their origin, and the kernels' enum Counted."""
PAST = {
    "bitmask": "PAST_BITMASK",
    "label": "PAST_LABEL",
    "warp": "PAST_WARP",
    "history": "PAST_HISTORY",
    "grid": "PAST_GRID",
}
"""Tests in the order in which they are made, and the count of vertices that passed each."""
WARP = 32
"""The lanes of a GPU's warp."""


def note_counts(
    record: Record,
    primitive: Primitive,
    graph: Graph,
    execution: Execution,
    sources: Sequence[int],
    problem: Any,
) -> None:
    """Run once more from each source with code that counts, and note the counts: means over the sources,
    frontiers of the last one (on one device). ``record`` already has its outputs' work."""
    program, options = execution.program(count=True), execution.options
    by_level = execution.variant.pushes_by_level and not execution.devices
    inspected, queued, counted, levels = [], [], [], None
    results: list[RunResult] = []
    for source in sources if primitive.reads_source(options) else [0]:
        result = execution.run(program, problem, source)
        inspected.append(result.inspected)
        results.append(result)
        if not by_level:
            continue
        counted.append(result.counted)
        levels = execution.variant.frontier_levels(execution.outputs(problem))
        if levels is not None:
            queued.append(
                [
                    (int(row["count"]), int(row["edges"]))
                    for row in result.trace
                    if row["edges"] or row["count"]
                ]
            )
    record.edges_inspected = round(fmean(inspected))
    active = active_lanes(results) if record.backend == "cuda" and not execution.devices else None
    if active is not None:
        record.counts = {ACTIVE: active}
    if not counted or not record.edges_visited or not record.vertices_visited:
        return
    origins = _by_origin(counted, record.vertices_visited - 1)
    if queued:
        vertices = fmean(sum(count for count, _ in each) for each in queued)
        edges = fmean(sum(edges for _, edges in each) for each in queued)
    else:  # edges are queued: those out of every vertex, each time that it is found
        vertices = record.vertices_visited + sum(origins[name] for name in AGAIN)
        edges = fmean(inspected)
    record.counts |= {
        VERTICES: vertices,
        "duplicates": vertices - record.vertices_visited,
        EDGES: edges,
        "redundant_expansion": fmean(inspected) / record.edges_visited,
        **origins,
    }
    if levels is not None:
        record.frontiers = frontiers(graph, levels, queued[-1])


def active_lanes(results: Sequence[RunResult], warp: int = WARP) -> float | None:
    """The share of a warp's lanes that have an edge, over all turns in which it looks at edges; None if
    an operator counted edges without saying which lane looks at them."""
    inspected = sum(result.inspected for result in results)
    by_lanes, turns = (
        sum(result.counted[name] for result in results) for name in ("BY_LANES", "WARP_TURNS")
    )
    return by_lanes / (warp * turns) if turns and by_lanes == inspected else None


def _by_origin(counted: Sequence[Mapping[str, int]], found: int) -> dict[str, float]:
    """Means over the sources: duplicates by who queued the vertex earlier in the same step, and, for each
    test that let any vertex through, how many more than ``found`` it let through."""
    means = {name: fmean(each[name] for each in counted) for name in counted[0]}
    again = {name: means[constant] for name, constant in AGAIN.items()}
    past = {
        f"false_negatives_{name}": means[constant] - found
        for name, constant in PAST.items()
        if means[constant]
    }
    return {**again, **past}


def frontiers(graph: Graph, labels: Array, queued: Sequence[tuple[int, int]]) -> list[dict[str, int]]:
    """A row for each level: vertices and edges of the logical frontiers, the distinct ends of these
    edges, and the vertices and edges that the queue held."""
    recording = Recording.from_labels(graph, labels)
    vertices, edges = np.diff(recording.vertex_starts), np.diff(recording.edge_starts)
    distinct = distinct_ends(recording)
    rows = []
    for level in range(recording.levels):
        held = queued[level] if level < len(queued) else (0, 0)
        rows.append(
            {
                "level": level,
                "vertices": int(vertices[level]),
                "edges": int(edges[level]),
                "distinct_ends": int(distinct[level]),
                VERTICES: held[0],
                EDGES: held[1],
            }
        )
    return rows


def distinct_ends(recording: Recording, chunk: int = CHUNK) -> np.ndarray[Any, Any]:
    """The number of vertices to which each level's edges lead. Levels are counted together up to
    ``chunk`` edges, as meshes have thousands of small ones."""
    graph, starts, level = recording.graph, recording.edge_starts, 0
    xp, found = graph.xp, np.zeros(recording.levels, np.int64)
    while level < recording.levels:
        last = max(level + 1, int(np.searchsorted(starts, starts[level] + chunk, side="right")) - 1)
        first, end = int(starts[level]), int(starts[last])
        levels = row_ids(xp.asarray(starts[level : last + 1] - first), 0, end - first)
        pairs = xp.sort(levels.astype(np.int64) * graph.n + recording.edges[first:end])
        new = xp.ones(len(pairs), bool)
        new[1:] = pairs[1:] != pairs[:-1]
        found[level:last] = to_numpy(xp.bincount(levels[new], minlength=last - level))
        level = last
    return found
