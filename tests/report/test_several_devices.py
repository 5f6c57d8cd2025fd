"""Scaling over several devices, from made-up records."""

from __future__ import annotations

from typing import Any

import pytest
from records_helper import failed_record, make_record

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.figures import several_devices
from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.forms.plot import render
from gunrock_cli.report.registry import build

OURS = "gunrock, Test GPU"


def run(devices: int, ms: float, graph: str = "g", primitive: str = "bfs", **fields: Any) -> Record:
    device: dict[str, Any] = {"name": "Test GPU"}
    if devices > 1:
        device["devices"] = [{"number": number, "name": "Test GPU"} for number in range(devices)]
    options = {
        "direction": "push",
        **({"devices": str(devices)} if devices > 1 else {}),
        **fields.pop("options", {}),
    }
    return make_record(
        primitive,
        graph,
        runs=[ms] * 3,
        device=device,
        options=options,
        id=f"{primitive}-{graph}-{devices}-{ms}",
        **fields,
    )


def rmat(scale: int, devices: int, ms: float, primitive: str = "cc") -> Record:
    record = run(devices, ms, f"rmat-{scale}", primitive)
    record.graph["origin"] = {
        "kind": "rmat",
        "scale": scale,
        "edge_factor": 16,
        "edges": 16 << scale,
        "a": 0.57,
        "b": 0.19,
        "c": 0.19,
    }
    return record


def points(name: str, records: list[Record]) -> Table:
    return build(ReportData(records), [name]).figures[0].points


def value(table: Table, row: tuple[str, ...], column: str, group: str = "") -> float | None:
    return table.cell(row, (group, column)).value


def test_times_are_set_beside_those_of_one_device() -> None:
    found = points("several-devices", [run(1, 6.0), run(2, 4.0), run(4, 2.0), run(1, 5.0, "alone")])
    row = ("BFS", "g", OURS)
    assert list(found.rows) == [row]  # runs on one device only do not belong in this figure
    assert [value(found, row, name, "Time (ms)") for name in ("1", "2", "4")] == [6.0, 4.0, 2.0]
    assert [value(found, row, name, "Times as fast as one") for name in ("2", "4")] == [1.5, 3.0]


def test_of_pagerank_an_iteration_counts() -> None:
    records = [
        run(1, 40.0, primitive="pagerank", iterations=10),
        run(2, 44.0, primitive="pagerank", iterations=20),
    ]
    found = points("several-devices", records)
    assert value(found, ("PageRank", "g", OURS), "2", "Times as fast as one") == pytest.approx(4 / 2.2)


def test_only_runs_of_one_kind_are_compared() -> None:
    """A newer run on one device from other sources, or with another option, is not compared."""

    def asking(record: Record) -> Record:
        record.command = [*record.command, "--mark-pred"]
        record.options["mark_pred"] = True
        return record

    records = [
        run(1, 6.0, time="2026-01-01T00:00:00Z"),
        run(2, 4.0, time="2026-01-01T00:00:00Z"),
        asking(run(1, 20.0)),
        run(1, 30.0, sources=list(range(10))),
    ]
    found = points("several-devices", records)
    assert value(found, ("BFS", "g", OURS), "2", "Times as fast as one") == 1.5
    weak = [rmat(10, 1, 3.0), asking(rmat(10, 1, 9.0)), rmat(11, 2, 4.0)]
    weak[0].time = weak[2].time = "2026-01-01T00:00:00Z"
    found = points("several-devices", weak)
    assert value(found, ("CC", "rmat-11", OURS), "2", "Weak scaling") == 0.75


@pytest.mark.parametrize("said", [["--src", "largest-degree"], ["--src=largest-degree"]])
def test_weak_scaling_begins_its_searches_alike(said: list[str]) -> None:
    def weak(one: list[str], two: list[str]) -> float | None:
        records = rmat(10, 1, 3.0, "bfs"), rmat(11, 2, 4.0, "bfs")
        for record, words in zip(records, (one, two), strict=True):
            record.command = [*record.command, *words]
        found = points("several-devices", list(records))
        return value(found, ("BFS", "rmat-11", OURS), "2", "Weak scaling")

    assert weak(said, said) == weak([], []) == 0.75
    assert weak([], said) is weak(said, []) is None


def test_a_run_that_ended_early_was_on_as_many_as_it_asked_for() -> None:
    late = failed_record(
        "timeout", "took longer", options={"devices": 4}, id="late", device={"name": "Test GPU"}
    )
    found = points("several-devices", [run(2, 4.0), late])
    assert found.cell(("BFS", "g", OURS), ("Time (ms)", "4")).text == "timeout"
    assert ("Time (ms)", "1") not in found.columns


def test_weak_scaling_compares_with_a_devices_share() -> None:
    found = points(
        "several-devices",
        [rmat(10, 1, 3.0), rmat(11, 2, 4.0), rmat(12, 4, 6.0), rmat(11, 1, 8.0), rmat(12, 3, 1.0)],
    )
    weak = [
        value(found, ("CC", f"rmat-{scale}", OURS), name, "Weak scaling")
        for scale, name in ((11, "2"), (12, "4"), (12, "3"))
    ]
    assert weak == [0.75, 0.5, None]


def test_a_failed_run_is_shown_and_compared_with_nothing() -> None:
    found = points("several-devices", [run(1, 6.0), run(2, 4.0, status="wrong", error="labels differ")])
    assert found.cell(("BFS", "g", OURS), ("Time (ms)", "2")).text == "wrong"
    assert ("Times as fast as one", "2") not in found.columns


def test_both_panels_are_drawn() -> None:
    figure = several_devices.build(ReportData([rmat(10, 1, 3.0), rmat(11, 1, 7.0), rmat(11, 2, 4.0)]))
    svg = render(figure, "svg").decode()
    assert "times as fast as one device" in svg
    assert "over that of N" in svg
    assert several_devices.build(ReportData([run(1, 2.0)])).draw is None


def test_figure_11_is_of_pushes_from_many_sources() -> None:
    many = {"sources": list(range(100))}
    records = [run(1, 1.0, **many), run(2, 0.5, **many)]
    found = points("multi-gpu-figure11", records)
    assert value(found, ("g", OURS), "two") == pytest.approx(0.002)
    assert value(found, ("harmonic mean over one device", OURS), "two") == pytest.approx(2.0)
    few = [run(1, 1.0, sources=[0]), run(2, 0.5, sources=[0])]
    pulled = [run(2, 0.5, options={"direction": "optimized"}, **many)]
    assert points("multi-gpu-figure11", few + pulled).rows == {}


def test_figure_12_is_of_uniform_random_graphs() -> None:
    records = [
        run(2, 0.5, sources=list(range(100)), options={"mark_pred": marked}) for marked in (False, True)
    ]
    assert points("multi-gpu-figure12", records).rows == {}
    for record in records:
        record.graph["origin"] = {"kind": "random"}
    found = points("multi-gpu-figure12", records)
    assert value(found, ("g", OURS), "two devices, distances") == pytest.approx(0.002)
    assert value(found, ("g", OURS), "two devices, predecessors") == pytest.approx(0.002)


def test_figures_of_one_device_show_no_others() -> None:
    several = run(2, 0.5, sources=list(range(100)), options={"strategy": "fused"})
    assert points("merrill12-figure10", [several]).rows == {}
    grown = [rmat(10, 1, 3.0), rmat(11, 2, 4.0)]
    for record in grown:
        record.graph["origin"]["undirected"] = True
    assert [row[:2] for row in points("growth", grown).rows] == [("CC", "10")]


@pytest.mark.parametrize(
    "changed", [{"edges": 5 << 11}, {"keep_duplicates": True}, {"undirected": False}]
)
def test_a_graph_that_drew_other_edges_is_of_another_family(changed: dict[str, Any]) -> None:
    one, two = rmat(10, 1, 3.0), rmat(11, 2, 4.0)
    for record in (one, two):
        record.graph["origin"] |= {"edges": 16 << record.graph["origin"]["scale"], "undirected": True}
    row = ("CC", "rmat-11", OURS)
    assert value(points("several-devices", [one, two]), row, "2", "Weak scaling") == 0.75
    assert [row[1] for row in points("growth", [one, rmat(11, 1, 9.0)]).rows] == ["10", "11"]
    two.graph["origin"] |= changed
    assert value(points("several-devices", [one, two]), row, "2", "Weak scaling") is None
    other = rmat(11, 1, 9.0)
    other.graph["origin"] |= changed
    assert len(points("growth", [one, other]).rows) == 1
