"""One measured run as one JSON object, which ``--json`` prints and ``--output`` appends.

``docs/records.md`` defines the fields, and ``record.schema.json`` next to this file is the JSON schema.
"""

from __future__ import annotations

import datetime
import tempfile
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from gunrock_cli.bench.records import strictjson
from gunrock_cli.bench.records.shapes import Code, Device, GraphFacts, Rates, SweepCell, TraceRow
from gunrock_cli.errors import InputError
from gunrock_cli.files import append_lines
from gunrock_cli.jsontypes import Json, QueueUse, Scalar, Verdict

SCHEMA = "gunrock-record/1"
CLOCKS = ("kernel", "call")
DESCRIPTION = "stats"
"""The ``primitive`` of a record that describes a graph, and measures nothing."""
ACTIVE = "active_lane_share"
"""The key in ``counts`` of the share of a warp's lanes that have an edge as it looks at edges."""
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
    """A record (docs/records.md). Fields that do not apply, or were not measured, are None or empty."""

    primitive: str
    system: str  # "gunrock" or a peer's name
    status: str  # one of STATUSES
    id: str = ""
    time: str = ""  # ISO 8601, UTC
    schema: str = SCHEMA
    error: str | None = None
    gunrock: Code = field(default_factory=lambda: Code())
    backend: str = ""  # "cuda", "cpu", or a peer's own word
    device: Device = field(default_factory=lambda: Device())
    libraries: dict[str, str] = field(default_factory=dict)
    graph: GraphFacts = field(default_factory=lambda: GraphFacts())
    options: dict[str, Scalar] = field(default_factory=dict)
    command: list[str] = field(default_factory=list)
    clock: str = ""  # what runs_ms covers: one of CLOCKS, or empty (older writers)
    runs_ms: list[float] = field(default_factory=list)
    call_ms: list[float] = field(default_factory=list)  # wall time of each run's call, or empty
    sources: list[int] = field(default_factory=list)  # the source of each run, or empty
    source_names: list[str] = field(default_factory=list)  # their names, or empty
    more_work: str | None = None  # work that a peer's time includes and gunrock's does not
    time_ms: Timing | None = None
    core_wait: float | None = None  # on the CPU: time that threads waited for a core, over the runs' time
    mteps: float | None = None  # from the mean time
    iterations: int | None = None
    limited_by: dict[str, int] | None = None  # options whose limit ended it, and for how many sources
    depth: int | None = None
    vertices_visited: int | None = None
    edges_visited: int | None = None
    edges_inspected: int | None = None  # --count
    counts: dict[str, float] = field(default_factory=dict)  # --count: what queues held
    traffic: dict[str, int] = field(default_factory=dict)  # the bytes behind the floor
    floor_ms: float | None = None
    over_floor: float | None = None
    accesses: dict[str, int] = field(default_factory=dict)  # the accesses behind the model
    model_ms: float | None = None
    ceilings: Rates = field(default_factory=lambda: Rates())  # the rates behind both
    validation: Verdict = field(default_factory=lambda: Verdict())
    peak_device_bytes: int | None = None
    queues: QueueUse = field(default_factory=lambda: QueueUse())
    phases_ms: dict[str, float] = field(default_factory=dict)
    metrics: dict[str, Json] = field(default_factory=dict)  # the primitive's own
    frontiers: list[dict[str, int]] = field(default_factory=list)  # --count: level by level
    trace: list[TraceRow] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    sweep: SweepCell = field(default_factory=lambda: SweepCell())  # empty outside a sweep

    @classmethod
    def new(cls, primitive: str, system: str = "gunrock", status: str = "ok", **fields: Any) -> Record:
        """Return a new record with an id, the present time, and this version of gunrock."""
        from gunrock_cli.bench.records.environment import project_version

        return cls(
            primitive,
            system,
            status,
            id=uuid.uuid4().hex,
            time=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            gunrock=project_version(),
            **fields,
        )

    def metric(self, name: str) -> float | None:
        """A metric that is a number, or None."""
        found = self.metrics.get(name)
        return found if isinstance(found, (int, float)) else None

    def to_json(self, beside: Mapping[str, Any] | None = None) -> str:
        """One line without spaces, which programs do not need. Readers ignore further keys, given as
        ``beside``."""
        return strictjson.dumps({**asdict(self), **(beside or {})})

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Record:
        """Read a record back; unknown keys (a newer minor writer) are ignored."""
        known = {key: value for key, value in data.items() if key in cls.__dataclass_fields__}
        if isinstance(known.get("time_ms"), dict):
            known["time_ms"] = Timing(**known["time_ms"])
        return cls(**known)


def append_record(path: Path, record: Record) -> None:
    """Append one record to a file of JSON lines; see ``append_records``."""
    append_records(path, [record])


def append_records(path: Path, records: Iterable[Record]) -> None:
    """Append records that belong together: when this returns, all are on disk; when it raises InputError,
    the file is unchanged. Several writers may append to one file."""
    append_lines(path, b"".join(record.to_json().encode() + b"\n" for record in records))


def keep_records(path: Path, records: Sequence[Record]) -> None:
    """Append records of finished measurements: if ``path`` cannot be written, a file in the folder for
    temporary files takes them, and the InputError names it."""
    try:
        append_records(path, records)
    except InputError as error:
        aside = Path(tempfile.gettempdir()) / f"gunrock-{uuid.uuid4().hex[:8]}.jsonl"
        try:
            append_records(aside, records)
        except InputError:
            raise error from None
        raise InputError(f"{error}; the record is in {aside}") from error
