"""The parts of a record that have a fixed shape (docs/records.md); older records may lack keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from gunrock_cli.jsontypes import Json


class Code(TypedDict, total=False):
    """The code that ran."""

    version: str
    commit: str | None
    code_hash: str


class OneOfSeveral(TypedDict):
    """A device of several that shared a run."""

    number: int
    name: str


class Device(TypedDict, total=False):
    """The hardware of a run."""

    name: str
    memory_bytes: int
    compute_capability: int
    multiprocessors: int
    driver: str | None
    cores: int
    threads: int
    machine: str
    devices: list[OneOfSeveral]
    partition: str


class GraphFacts(TypedDict, total=False):
    """The graph of a run."""

    name: str
    hash: str
    vertices: int | None
    edges: int | None
    undirected: bool
    weighted: bool
    max_degree: int
    mean_degree: float
    diameter: int
    type: str | None
    origin: Mapping[str, Json]
    changes: Mapping[str, int | bool] | None


class Rates(TypedDict, total=False):
    """The ceilings of a device: bytes/s, and random accesses/s by the bytes of their table."""

    memory_read: float
    memory_write: float
    cache_read: float
    cache_write: float
    cache_bytes: int
    copy: float
    gathers: dict[str, float]


class TraceRow(TypedDict, total=False):
    """A step of a traced run."""

    device: int
    iteration: int
    phase: str
    mode: str
    one_block: bool
    frontier_vertices: int
    frontier_edges: int
    ms: float


class SweepCell(TypedDict, total=False):
    """The cell of a sweep that a record belongs to."""

    name: str
    cell: str
    graph: str
    host: str
    process: str
