"""A sweep's outcomes as text files, one per data set in one folder per primitive, like the artifact of
the PPoPP'16 paper."""

from __future__ import annotations

import re
from pathlib import Path

from gunrock_cli.bench.records.limits import limits_reached
from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.table import device_name, graph_name
from gunrock_cli.bench.sweeps.run import Outcome
from gunrock_cli.files import append_lines
from gunrock_cli.graph.model.changes import in_words

FOLDERS = {"bfs": "BFS", "sssp": "SSSP", "bc": "BC", "pagerank": "PR", "cc": "CC"}


def text_path(folder: Path, outcome: Outcome) -> Path:
    """The path of an outcome's file: ``FOLDER/BFS/soc-orkut.txt``."""
    primitive = outcome.cell.name
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", Path(outcome.cell.graph.label).name) or "graph"
    return folder / FOLDERS.get(primitive, primitive.upper()) / f"{name}.txt"


def append_text(folder: Path, outcome: Outcome) -> Path:
    """Add the outcome to its file; runs with other options on the same graph are appended."""
    path = text_path(folder, outcome)
    parts = [describe(record) for record in outcome.records]
    if outcome.status != "ok" and outcome.stderr.strip():
        parts.append(outcome.stderr.strip())
    append_lines(path, "".join(part + "\n\n" for part in parts).encode())
    return path


def describe(record: Record) -> str:
    """Describe a record in a few lines of plain text."""
    time = record.time_ms
    lines = [
        f"$ {' '.join(record.command)}",
        f"{record.primitive} on {graph_name(record)}, {record.system}, {device_name(record)}, "
        f"{record.time}: {record.status}" + (f" ({record.error})" if record.error else ""),
    ]
    vertices, edges = record.graph.get("vertices"), record.graph.get("edges")
    if vertices is not None and edges is not None:
        lines.append(f"graph: {vertices:,} vertices, {edges:,} directed edges")
        if said := in_words(record.graph):
            lines.append(f"input: {said}")
    if time:
        lines.append(
            f"elapsed: {time.mean:.4f} ms mean of {len(record.runs_ms)} runs (median "
            f"{time.median:.4f}, min {time.min:.4f}, standard deviation "
            f"{time.stddev:.4f})"
        )
    if record.mteps is not None:
        lines.append(f"rate: {record.mteps:.4f} MTEPS")
    for label, value in (
        ("iterations", record.iterations),
        ("depth", record.depth),
        ("vertices visited", record.vertices_visited),
        ("edges visited", record.edges_visited),
        ("ended by its limit", limits_reached(record) or None),
        ("validation", record.validation.get("verdict")),
        ("record", record.id),
    ):
        if value is not None:
            lines.append(f"{label}: {value}")
    return "\n".join(lines + [f"warning: {warning}" for warning in record.warnings])
