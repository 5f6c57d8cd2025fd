"""Records for tests: complete, valid, and recognizably made up."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gunrock_cli.bench.record import Record, Timing, append_record


def timing(runs: Sequence[float]) -> Timing:
    spread = statistics.stdev(runs) if len(runs) > 1 else 0.0
    return Timing(statistics.mean(runs), statistics.median(runs), min(runs), max(runs), spread)


def make_record(primitive: str = "bfs", graph: str = "g", system: str = "gunrock",
                runs: Sequence[float] = (1.0, 1.0, 1.0), **fields: Any) -> Record:
    """A record of that cell; ``fields`` replace what this fills in."""
    filled: dict[str, Any] = {
        "status": "ok",
        "time": "2026-01-02T03:04:05Z",
        "gunrock": {"version": "0", "commit": None},
        "backend": "cpu",
        "device": {"name": "Test CPU", "threads": 2},
        "graph": {"name": graph, "hash": graph, "vertices": 100, "edges": 1000, "undirected": True,
                  "weighted": False, "max_degree": 12, "mean_degree": 10.0, "origin": {}},
        "command": ["gunrock", primitive, graph],
        "runs_ms": list(runs),
        "time_ms": timing(runs) if runs else None,
        "iterations": 4,
        "validation": {"verdict": "pass", "reference": "test"},
    }
    if runs and primitive in ("bfs", "sssp", "bc"):
        filled["mteps"] = (2 if primitive == "bc" else 1) * 1000 / (statistics.mean(runs) * 1000)
    return Record(primitive=primitive, system=system, **{**filled, **fields})


def failed_record(status: str, error: str, primitive: str = "bfs", graph: str = "g",
                  **fields: Any) -> Record:
    return make_record(primitive, graph, runs=(), status=status, error=error, iterations=None,
                       validation={}, **fields)


def write_records(path: Path, records: Sequence[Record]) -> Path:
    for record in records:
        append_record(path, record)
    return path
