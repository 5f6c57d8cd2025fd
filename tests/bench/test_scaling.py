"""The benchmark of growing graphs: a row for each, and what does not fit is one."""

from __future__ import annotations

import importlib.util
import json
import sys
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture(scope="module")
def scaling() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks/scaling.py"
    spec = importlib.util.spec_from_file_location("scaling", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["scaling"] = module  # where its dataclasses look for their types
    spec.loader.exec_module(module)
    return module


def arguments(tmp_path: Path) -> Namespace:
    return Namespace(backend="cpu", edge_factor=8, seed=1, primitives="bfs", sources=3, runs=2,
                     records=tmp_path / "records.jsonl")


def test_a_row_is_certified_and_recorded(scaling: Any, tmp_path: Path) -> None:
    row = scaling.measured_row(arguments(tmp_path), 9)
    assert (row.scale, row.vertices, row.error) == (9, 512, None)
    assert row.graph_bytes == 4 * 513 + 4 * row.edges
    found = row.answers["bfs"]
    assert (found["sources"], found["runs"], found["verdict"], found["method"]) == (
        3, 6, "pass", "certificate")
    assert found["bytes_per_edge"] == found["peak_bytes"] / row.edges
    (record,) = map(json.loads, (tmp_path / "records.jsonl").read_text().splitlines())
    assert record["id"] == found["id"]
    assert found["gteps"] == pytest.approx(record["mteps"] / 1e3)
    assert scaling.Row(**json.loads(json.dumps(asdict(row)))) == row
    scaling.figure([row, scaling.Row(10, 8, "cpu", error="too large")], tmp_path / "figure.svg")
    assert "bytes per directed edge" in (tmp_path / "figure.svg").read_text()


def test_what_does_not_fit_is_a_row(
        scaling: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gunrock_cli.graph.memory.available_bytes", lambda: 1000)
    row = scaling.measured_row(arguments(tmp_path), 9)
    assert row.answers == {}
    assert row.error.startswith("not enough memory for rmat")
    lines = scaling.table([row]).splitlines()
    assert {line.count("|") for line in lines} == {len(scaling.HEAD) + 1}
    assert "not enough memory" in lines[-1]


def test_scales(scaling: Any) -> None:
    assert scaling.scales("20-23") == [20, 21, 22, 23]
    assert scaling.scales("20,29") == [20, 29]
