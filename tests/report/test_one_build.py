"""Compared records are of one commit: a newer record of one side alone changes no ratio."""

from __future__ import annotations

from typing import Any

import pytest
from records_helper import failed_record, make_record

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.by_option import by_option
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.registry import build

OLD, NEW = ("2026-01-01T00:00:00+00:00", "aaa"), ("2026-02-01T00:00:00+00:00", "bbb")
OURS = "gunrock, Test"


def of(
    when: tuple[str, str],
    ms: float,
    devices: int = 1,
    primitive: str = "bfs",
    graph: str = "g",
    **fields: Any,
) -> Record:
    options = {"direction": "push", "devices": str(devices), **fields.pop("options", {})}
    record = make_record(
        primitive,
        graph,
        runs=10 * (ms,),
        mteps=1000 / ms,
        time=when[0],
        gunrock={"version": "0", "commit": when[1]},
        sources=list(range(10)),
        id=f"{primitive}-{when[1]}-{ms}",
        options=options,
        **fields,
    )
    record.device = {**record.device, "devices": [{"number": number} for number in range(devices)]}
    return record


def shown(
    name: str, records: list[Record], row: tuple[str, ...], column: tuple[str, str]
) -> float | None:
    return build(ReportData(records), [name]).figures[0].points.cell(row, column).value


@pytest.mark.parametrize("devices", ["1", "auto"])  # the same configuration, or another
def test_devices_are_compared_within_a_commit(devices: str) -> None:
    records = [of(OLD, 2.0), of(OLD, 1.0, 2), of(NEW, 1.5, options={"devices": devices})]
    mean = ("harmonic mean over one device", OURS)
    assert shown("multi-gpu-figure11", records, mean, ("", "two")) == pytest.approx(2.0)
    scaling = ("BFS", "g", OURS), ("Times as fast as one", "2")
    assert shown("several-devices", records, *scaling) == pytest.approx(2.0)
    records = records[1:]  # the one device's time at that commit is missing
    assert shown("multi-gpu-figure11", records, mean, ("", "two")) is None
    assert shown("several-devices", records, *scaling) is None


def test_weak_scaling_is_within_a_commit() -> None:
    origin = {"kind": "rmat", "edge_factor": 16, "a": 0.57, "b": 0.19, "c": 0.19}
    records = [of(OLD, 2.0, graph="small"), of(OLD, 4.0, 2, graph="large"), of(NEW, 1.0, graph="small")]
    for record in records:
        scale = 10 if record.graph["name"] == "small" else 11
        record.graph["origin"] = {**origin, "scale": scale, "edges": 16 << scale}
    cell = ("BFS", "large", OURS), ("Weak scaling", "2")
    assert shown("several-devices", records, *cell) == pytest.approx(0.5)
    assert shown("several-devices", records[1:], *cell) is None


def test_an_option_is_compared_within_a_commit() -> None:
    both = [
        of(OLD, ms, options={"direction": direction})
        for direction, ms in (("push", 3.0), ("optimized", 1.0))
    ]
    newer = of(NEW, 0.5)
    (found,) = by_option(ReportData([*both, newer]).of_each_build, "bfs", "direction")
    assert found.by_value == {"push": both[0], "optimized": both[1]}
    assert by_option(ReportData([both[1], newer]).of_each_build, "bfs", "direction") == []
    again = of(NEW, 0.25, options={"direction": "optimized"})
    (found,) = by_option(ReportData([again, *both, newer]).of_each_build, "bfs", "direction")
    assert found.by_value == {"push": newer, "optimized": again}


def test_what_fails_today_is_not_compared_by_what_ran_before() -> None:
    both = [
        of(OLD, ms, options={"direction": direction})
        for direction, ms in (("push", 3.0), ("optimized", 1.0))
    ]
    failed = failed_record(
        "OOM", "no room", time=NEW[0], options=both[0].options, sources=both[0].sources
    )
    assert by_option(ReportData([*both, failed]).of_each_build, "bfs", "direction") == []


@pytest.mark.parametrize(
    ("name", "row", "column", "value"),
    [
        ("merrill12-figure6", ("g", OURS), ("", "lookup (bitmask, label)"), 1 / 4),
        ("merrill12-figure9", ("g", OURS), ("", "isolated, one after the other"), 1 / 6),
        ("merrill12-figure9", ("g", OURS), ("", "fused"), 1 / 5),
    ],
)
def test_kernels_are_compared_within_a_commit(
    name: str, row: tuple[str, ...], column: tuple[str, str], value: float
) -> None:
    def kernel(what: str, strategy: str, ms: float, when: tuple[str, str] = OLD) -> Record:
        return of(
            when,
            ms,
            primitive=f"microbench-{what}",
            options={"strategy": strategy, "advance_mode": "TWC"},
        )

    records = [
        kernel("gather", "TWC", 2.0),
        kernel("lookup", "bitmask+label", 4.0),
        kernel("fused", "bitmask+label", 5.0),
        kernel("lookup", "bitmask+label", 1.0, NEW),
    ]
    assert shown(name, records, row, column) == pytest.approx(value)
