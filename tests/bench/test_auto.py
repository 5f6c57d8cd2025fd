"""The benchmark that checks that the default is never wrong."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest
from script_helper import load_benchmark

from benchmarks.contest import Log, Verdict

PLAN = """
[graphs]
small = "rmat --scale 8 --edge-factor 8"
lattice = "grid2d --width 20 --height 20"

[[run]]
primitives = ["bfs", "cc"]
graphs = ["small", "lattice"]

[[run]]
primitives = ["bfs"]
graphs = ["small"]
options = { direction = "push", src = "largest-degree" }
"""


@pytest.fixture(scope="module")
def auto() -> ModuleType:
    return load_benchmark("auto")


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    return path


def run(auto: ModuleType, monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr(sys, "argv", ["auto.py", *map(str, words), "--backend", "cpu"])
    return int(auto.main())


def test_every_cell_has_a_row_and_every_primitive_its_worst(
    auto: ModuleType, plan: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(
        auto,
        monkeypatch,
        plan,
        "--axes",
        "direction,loop",
        "--runs",
        1,
        "--scan-runs",
        1,
        "--best",
        1,
        "--tolerance",
        1e9,
    )
    said = capsys.readouterr().out
    assert code == 0
    for label in (
        "bfs small",
        "bfs lattice",
        "cc small",
        "cc lattice",
        "bfs small direction=push src=largest-degree",
    ):
        assert f"\n{label} " in said
    assert "5 cells, 0 over 1e+09, 0 settings failed or wrong" in said
    assert "worst of bfs: " in said
    assert "worst of cc: " in said


def test_what_is_in_the_output_is_not_measured_again(
    auto: ModuleType,
    plan: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = (
        plan,
        "--primitives",
        "cc",
        "--graphs",
        "lattice",
        "--axes",
        "loop",
        "--runs",
        1,
        "--scan-runs",
        1,
        "--output",
        tmp_path / "kept.jsonl",
        "--tolerance",
        1e9,
    )
    assert run(auto, monkeypatch, *words) == 0
    said = capsys.readouterr().out
    monkeypatch.setattr(auto, "Contest", None)
    assert run(auto, monkeypatch, *words) == 0
    assert capsys.readouterr().out == said


def test_no_cell_is_begun_after_the_time(
    auto: ModuleType, plan: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(auto, "contestant", None)
    assert run(auto, monkeypatch, plan, "--seconds", 0) == 0
    assert "# 5 cells were not judged" in capsys.readouterr().out


def test_a_cell_that_takes_too_long_is_left_for_the_next_sitting(
    auto: ModuleType,
    plan: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The limit is the plan's, or the given one."""
    words = (
        plan,
        "--primitives",
        "bfs",
        "--axes",
        "direction",
        "--runs",
        1,
        "--scan-runs",
        1,
        "--output",
        tmp_path / "kept.jsonl",
        "--tolerance",
        1e9,
    )
    assert run(auto, monkeypatch, *words, "--cell-seconds", 1e-9) == 0
    said = capsys.readouterr().out
    assert said.count("settings in time") == 3
    assert "# 3 cells were not judged" in said
    assert not (tmp_path / "kept.jsonl").exists()
    assert run(auto, monkeypatch, *words) == 0
    assert "3 cells, 0 over" in capsys.readouterr().out
    assert len((tmp_path / "kept.jsonl").read_text().splitlines()) == 3


def test_a_default_that_fails_is_not_run_again(
    auto: ModuleType,
    plan: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The failure is a verdict, and the next cells have theirs."""
    path = tmp_path / "kept.jsonl"
    Log(path).fail("cc small", "the default: vertex 3: 7, expected 2")
    for _ in range(2):
        assert (
            run(
                auto,
                monkeypatch,
                plan,
                "--primitives",
                "cc",
                "--axes",
                "loop",
                "--runs",
                1,
                "--scan-runs",
                1,
                "--output",
                path,
                "--tolerance",
                1e9,
            )
            == 1
        )
        said = capsys.readouterr().out
        assert "# cc small: the default: vertex 3: 7, expected 2" in said
        assert "1 cells, 0 over 1e+09, 1 settings failed or wrong" in said


def test_an_error_of_the_device_asks_for_another_process(
    auto: ModuleType,
    plan: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A cell asks for at most three."""

    def broken(*_: object) -> None:
        raise RuntimeError("an illegal access")

    monkeypatch.setattr(auto, "contestant", broken)
    words = (plan, "--primitives", "cc", "--graphs", "lattice", "--output", tmp_path / "kept.jsonl")
    assert [run(auto, monkeypatch, *words) for _ in range(4)] == [auto.AGAIN] * 3 + [0]
    said = capsys.readouterr()
    assert said.err.count("RuntimeError: an illegal access") == 3
    assert "# 1 cells were not judged" in said.out


def test_what_exceeds_the_tolerance_is_listed(
    auto: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    cells = [
        ("bfs", "bfs a", Verdict(1.0, [(1.0, "x")], 0)),
        ("bfs", "bfs b", Verdict(3.0, [(2.0, "y")], 0)),
    ]
    assert auto.summed_up(cells, 1.1, 0) == 1
    said = capsys.readouterr().out
    assert "over: bfs b" in said
    assert "1.50: 3.0000, 2.0000 with y" in said
    assert "bfs a" not in said
    assert auto.summed_up(cells[:1], 1.1, 0) == 0
    assert auto.summed_up(cells[:1], 1.1, 1) == 1


def test_code_is_compiled_ahead(
    auto: ModuleType,
    plan: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each missing kernel is compiled once; other tests may have compiled some for this GPU."""
    given: list[object] = []
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(auto, "compile_all", lambda jobs, at_once: given.extend(jobs) or [])
    assert (
        run(
            auto,
            monkeypatch,
            plan,
            "--compile",
            "--primitives",
            "bfs",
            "--axes",
            "strategy",
            "--arch",
            90,
        )
        == 0
    )
    units = [job.unit for job in given]
    assert len(units) == len(set(units)) > 3
    assert f"# {len(units)} kernels, {len(units)} to compile" in capsys.readouterr().out
    assert {job.arch for job in given} == {90}
