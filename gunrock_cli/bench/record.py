"""One measured run as one JSON object: what ``--json`` prints and ``--output`` appends.

``docs/records.md`` defines the fields, ``record.schema.json`` beside this file is the JSON schema.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

SCHEMA = "gunrock-record/1"
STATUSES = ("ok", "wrong", "OOM", "timeout", "error")


@dataclass
class Timing:
    """Statistics of ``runs_ms``, all in milliseconds; ``stddev`` is the sample's (0 for one)."""

    mean: float
    median: float
    min: float
    max: float
    stddev: float


@dataclass
class Record:
    """See docs/records.md. Fields that do not apply, or were not measured, are None or empty."""

    primitive: str
    system: str  # "gunrock" or a peer's name
    status: str  # one of STATUSES
    id: str = ""
    time: str = ""  # ISO 8601, UTC
    schema: str = SCHEMA
    error: str | None = None
    gunrock: dict[str, Any] = field(default_factory=dict)  # version, commit
    backend: str = ""  # "cuda", "cpu", or a peer's own word
    device: dict[str, Any] = field(default_factory=dict)
    libraries: dict[str, str] = field(default_factory=dict)
    graph: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    command: list[str] = field(default_factory=list)
    runs_ms: list[float] = field(default_factory=list)
    sources: list[int] = field(default_factory=list)  # the source of each run, or empty
    time_ms: Timing | None = None
    mteps: float | None = None  # from the mean time
    iterations: int | None = None
    depth: int | None = None
    vertices_visited: int | None = None
    edges_visited: int | None = None
    edges_inspected: int | None = None  # --count
    floor_ms: float | None = None
    over_floor: float | None = None
    validation: dict[str, Any] = field(default_factory=dict)  # verdict, reference, message
    peak_device_bytes: int | None = None
    phases_ms: dict[str, float] = field(default_factory=dict)
    metrics: dict[str, Any] = field(default_factory=dict)  # the primitive's own
    trace: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    sweep: dict[str, Any] = field(default_factory=dict)  # name, cell; empty outside a sweep

    def to_json(self) -> str:
        """One line, no spaces that a pipe would miss."""
        return json.dumps(asdict(self), separators=(",", ":"), allow_nan=False)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Record:
        """Read a record back; unknown keys (a newer minor writer) are ignored."""
        known = {key: value for key, value in data.items() if key in cls.__dataclass_fields__}
        if isinstance(known.get("time_ms"), dict):
            known["time_ms"] = Timing(**known["time_ms"])
        return cls(**known)


def append_record(path: Path, record: Record) -> None:
    """Append one line in a single write, so that two writers do not mix their lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab", buffering=0) as file:
        file.write(record.to_json().encode() + b"\n")
