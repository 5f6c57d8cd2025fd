"""Records of several devices: how many, and what they are compared with."""

from __future__ import annotations

from collections.abc import Iterable

from gunrock_cli.bench.record import Record
from gunrock_cli.bench.recordtable import graph_name
from gunrock_cli.report.data import ReportData, System, iteration_ms, system_of

SCRIPT = "Not measured yet: scripts/multi-gpu-test.sh."
Key = tuple[str, str, System]
"""Primitive, graph, and system."""


def devices_of(record: Record) -> int:
    """How many shared the run."""
    return max(1, len(record.device.get("devices") or ()))


def time_of(record: Record) -> float | None:
    """What is compared: the mean time, of PageRank that of an iteration; None where the run failed."""
    if record.status != "ok" or record.time_ms is None:
        return None
    return iteration_ms(record) if record.primitive == "pagerank" else record.time_ms.mean


def by_devices(data: ReportData, records: Iterable[Record] | None = None) -> dict[Key, dict[int, Record]]:
    """Of each primitive and graph that ran on several devices: the newest record for each number of them,
    one that is ok before one that is not."""
    found: dict[Key, dict[int, Record]] = {}
    for record in data.current if records is None else records:
        here = found.setdefault((record.primitive, graph_name(record), system_of(record)), {})
        devices = devices_of(record)
        if devices not in here or _rank(record) >= _rank(here[devices]):
            here[devices] = record
    order = {name: place for place, name in enumerate(data.primitives)}
    return {key: dict(sorted(each.items())) for key, each in
            sorted(found.items(), key=lambda item: order[item[0][0]]) if max(each) > 1}


def _rank(record: Record) -> tuple[bool, str]:
    return record.status == "ok", record.time
