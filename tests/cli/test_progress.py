"""What long work says of how far it is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from records_helper import make_record, write_records
from terminal import on_terminal

from gunrock_cli.bench.records.file import read_records
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.registry import build, report_names
from gunrock_cli.report.write import write

Stages = list[tuple[str, float | None]]


@pytest.fixture
def stages() -> Stages:
    return []


def test_reading_names_each_file(stages: Stages, tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_records(tmp_path / f"{name}.jsonl", [make_record(id=name)])
    found = read_records([str(tmp_path)], lambda *stage: stages.append(stage))
    assert stages == [("reading a.jsonl", 0.0), ("reading b.jsonl", 0.5)]
    assert [record.id for record in found.records] == ["a", "b"]


def test_a_report_names_what_it_builds_and_draws(stages: Stages, tmp_path: Path) -> None:
    def note(*stage: object) -> None:
        stages.append(stage)  # type: ignore[arg-type]

    data = ReportData([])
    only = report_names()[:2]
    reports = build(data, only, note)
    assert [stage for stage, _ in stages] == [f"building {name}" for name in only]
    assert all(fraction is not None and 0 <= fraction < 1 for _, fraction in stages)
    write(tmp_path, "html", data, reports, note)
    assert stages[len(only)] == ("writing index.html", None)


@pytest.mark.parametrize(("words", "checks"), [((), True), (("--check", "none"), False)])
def test_the_bar_of_runs_tells_when_answers_are_checked(words: tuple[str, ...], checks: bool) -> None:
    line = ["bfs", "path", "--nodes", "9", "--backend", "cpu", "--threads", "1", *words]
    code, _, shown = on_terminal([sys.executable, "-m", "gunrock_cli.cli.main", *line])
    assert code == 0
    assert (b"checking the answer" in shown) == checks
