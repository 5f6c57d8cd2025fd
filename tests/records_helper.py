"""Records for tests: complete, valid, and recognizably made up."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gunrock_cli.bench.records.record import Record, Timing, append_record

SIZES = {
    "soc-orkut": (2_997_166, 212_698_418),
    "hollywood-2009": (1_139_905, 112_751_422),
    "indochina-2004": (7_414_866, 301_969_638),
    "roadNet-CA": (1_971_281, 5_533_214),
    "kron_g500-logn21": (2_097_152, 182_081_864),
    "rmat-s21": (2_097_152, 181_154_404),
    "soc-LiveJournal1": (4_847_571, 68_993_773),
    "bitcoin": (6_297_539, 28_143_065),
    "rgg_n_2_24_s0": (16_777_216, 265_114_400),
    "cage15": (5_154_859, 94_044_692),
    "grid2d-5000x5000": (25_000_000, 99_980_000),
}
"""The vertices and edges of the papers' graphs, and of two by their recipes; others are small here."""


def timing(runs: Sequence[float]) -> Timing:
    spread = statistics.stdev(runs) if len(runs) > 1 else 0.0
    return Timing(statistics.mean(runs), statistics.median(runs), min(runs), max(runs), spread)


def make_record(
    primitive: str = "bfs",
    graph: str = "g",
    system: str = "gunrock",
    runs: Sequence[float] = (1.0, 1.0, 1.0),
    **fields: Any,
) -> Record:
    """A record of that cell; ``fields`` replace the defaults."""
    vertices, edges = SIZES.get(graph, (100, 1000))
    filled: dict[str, Any] = {
        "status": "ok",
        "time": "2026-01-02T03:04:05Z",
        "gunrock": {"version": "0", "commit": None},
        "backend": "cpu",
        "device": {"name": "Test CPU", "threads": 2},
        "graph": {
            "name": graph,
            "hash": graph,
            "vertices": vertices,
            "edges": edges,
            "undirected": True,
            "weighted": False,
            "max_degree": 12,
            "mean_degree": 10.0,
            "origin": {},
        },
        "command": ["gunrock", primitive, graph],
        "runs_ms": list(runs),
        "time_ms": timing(runs) if runs else None,
        "iterations": 4,
        "validation": {"verdict": "pass", "reference": "test"},
    }
    if runs and primitive in ("bfs", "sssp", "bc"):
        filled["mteps"] = (2 if primitive == "bc" else 1) * 1000 / (statistics.mean(runs) * 1000)
    return Record(primitive=primitive, system=system, **{**filled, **fields})


def failed_record(
    status: str, error: str, primitive: str = "bfs", graph: str = "g", **fields: Any
) -> Record:
    return make_record(
        primitive, graph, runs=(), status=status, error=error, iterations=None, validation={}, **fields
    )


def write_records(path: Path, records: Sequence[Record]) -> Path:
    for record in records:
        append_record(path, record)
    return path
