"""Records on several devices: the number of devices, and the records to compare them with."""

from __future__ import annotations

import json
from collections.abc import Iterable

from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.table import graph_name
from gunrock_cli.report.evidence.data import ReportData, System, iteration_ms, system_of
from gunrock_cli.report.evidence.plain_runs import build_of, devices_of

SCRIPT = "Not measured yet: scripts/multi-gpu-test.sh."
Key = tuple[str, str, System]
"""Primitive, graph, and system."""
_ABOUT_DEVICES = ("devices", "partition")


def time_of(record: Record) -> float | None:
    """The time to compare: the mean time, for PageRank that of an iteration; None if the run failed."""
    if record.status != "ok" or record.time_ms is None:
        return None
    return iteration_ms(record) if record.primitive == "pagerank" else record.time_ms.mean


def by_devices(data: ReportData, records: Iterable[Record] | None = None) -> dict[Key, dict[int, Record]]:
    """The newest record for each number of devices, for each primitive and graph that ran on several; ok
    ones before others; all of one commit, from the same sources, with the same options asked for. Of
    several such sets, the one with the most numbers of devices, and of these the newest."""
    sets: dict[tuple[Key, str], dict[int, Record]] = {}
    for record in data.of_each_build if records is None else records:
        key = record.primitive, graph_name(record), system_of(record)
        alike = f"{build_of(record)} {asked(record)} {sorted(set(record.sources))}"
        here = sets.setdefault((key, alike), {})
        devices = devices_of(record)
        if devices not in here or _rank(record) >= _rank(here[devices]):
            here[devices] = record
    found: dict[Key, dict[int, Record]] = {}
    for (key, _), each in sorted(sets.items(), key=lambda item: _worth(item[1])):
        found[key] = each
    order = {name: place for place, name in enumerate(data.primitives)}
    return {
        key: dict(sorted(each.items()))
        for key, each in sorted(found.items(), key=lambda item: order[item[0][0]])
        if max(each) > 1
    }


def asked(record: Record) -> str:
    """The options that its command sets, except those about devices: several devices may resolve ``auto``
    differently than one."""
    words = {word.partition("=")[0].replace("_", "-") for word in record.command}
    return json.dumps(
        {
            key: value
            for key, value in record.options.items()
            if key not in _ABOUT_DEVICES
            and words & {f"--{prefix}{key.replace('_', '-')}" for prefix in ("", "no-")}
        },
        sort_keys=True,
    )


def sources_asked(record: Record) -> str:
    """The options of its command about sources: graphs of other sizes have other vertices."""
    words = iter(record.command)
    return next(
        (
            next(words, "") if word == "--src" else word[len("--src=") :]
            for word in words
            if word == "--src" or word.startswith("--src=")
        ),
        "",
    )


def _worth(each: dict[int, Record]) -> tuple[bool, int, tuple[bool, str]]:
    return max(each) > 1, len(each), max(map(_rank, each.values()))


def _rank(record: Record) -> tuple[bool, str]:
    return record.status == "ok", record.time
