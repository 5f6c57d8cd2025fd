"""The benchmark of growing graphs: a record for each scale and primitive, also if memory is too small."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from script_helper import load_benchmark

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.forms.plot import page_svg
from gunrock_cli.report.registry import build


@pytest.fixture(scope="module")
def scaling() -> ModuleType:
    return load_benchmark("scaling")


def arguments(tmp_path: Path, **changed: Any) -> Namespace:
    return Namespace(
        **{
            "backend": "cpu",
            "one": [9],
            "edge_factor": 8,
            "seed": 1,
            "primitives": "bfs,sssp",
            "sources": {"bfs": 3},
            "up_to": {},
            "runs": 2,
            "output": tmp_path / "records.jsonl",
            **changed,
        }
    )


def written(tmp_path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (tmp_path / "records.jsonl").read_text().splitlines()]


def test_each_primitive_is_certified_and_recorded(scaling: Any, tmp_path: Path) -> None:
    scaling.run_scales(arguments(tmp_path))
    bfs, sssp = written(tmp_path)
    assert (len(set(bfs["sources"])), len(bfs["runs_ms"]), len(set(sssp["sources"]))) == (3, 6, 1)
    for found in (bfs, sssp):
        assert (found["validation"]["verdict"], found["validation"]["method"]) == ("pass", "certificate")
        edges, size = found["graph"]["edges"], found["scaling"]
        assert size["graph_bytes"] == 4 * 513 + 4 * edges
        assert size["build_peak_bytes"] <= size["peak_bytes"]
    lines = scaling.table((tmp_path / "records.jsonl").read_text().splitlines()).splitlines()
    assert {line.count("|") for line in lines} == {len(scaling.HEAD) + 1}
    assert [line.split("|")[7].strip() for line in lines[2:]] == ["bfs", "sssp"]
    assert "pass (certificate)" in lines[2]


def test_the_figure_is_made_of_its_records(scaling: Any, tmp_path: Path) -> None:
    scaling.run_scales(arguments(tmp_path, primitives="bfs,cc", runs=1, one=[8, 9]))
    records = [Record.from_dict(found) for found in written(tmp_path)]
    figure = build(ReportData(records), ["growth"]).figures[0]
    assert [row[:2] for row in figure.points.rows] == [
        ("BFS", "8"),
        ("BFS", "9"),
        ("CC", "8"),
        ("CC", "9"),
    ]
    row = next(iter(figure.points.rows))
    assert figure.points.cell(row, ("", "GTEPS")).value == pytest.approx(records[0].mteps / 1e3)
    assert "BFS at scale 9: " in page_svg(figure)


def test_a_primitive_stops_at_its_scale(scaling: Any, tmp_path: Path) -> None:
    scaling.run_scales(arguments(tmp_path, up_to={"sssp": 8}, runs=1))
    assert [found["primitive"] for found in written(tmp_path)] == ["bfs"]


def test_what_does_not_fit_is_a_record(
    scaling: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gunrock_cli.graph.model.memory.available_bytes", lambda: 1000)
    scaling.run_scales(arguments(tmp_path))
    assert {(found["status"], found["graph"]["origin"]["scale"]) for found in written(tmp_path)} == {
        ("OOM", 9)
    }
    lines = scaling.table((tmp_path / "records.jsonl").read_text().splitlines()).splitlines()
    assert {line.count("|") for line in lines} == {len(scaling.HEAD) + 1}
    assert "not enough memory for rmat" in lines[-1]


def test_what_breaks_takes_no_other_along(
    scaling: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure = scaling.measure

    def breaks(primitive: Any, *rest: Any) -> Any:
        if primitive.name == "bfs":
            raise ValueError("no such thing")
        return measure(primitive, *rest)

    monkeypatch.setattr(scaling, "measure", breaks)
    scaling.run_scales(arguments(tmp_path, runs=1))
    assert [(found["primitive"], found["status"], found["error"]) for found in written(tmp_path)] == [
        ("bfs", "error", "ValueError: no such thing"),
        ("sssp", "ok", None),
    ]


def test_scales_and_numbers(scaling: Any) -> None:
    assert scaling.shares([20, 25, 26], "cpu") == [[20], [25], [26]]
    assert scaling.scales("20-23") == [20, 21, 22, 23]
    assert scaling.scales("20,29") == [20, 29]
    assert scaling.numbers("bfs=64,bc=2") == {"bfs": 64, "bc": 2}
