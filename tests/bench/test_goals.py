"""benchmarks/goals.py: its goals are those of the pages, and it reports which are met."""

from __future__ import annotations

import re
from types import ModuleType

import pytest
from script_helper import BENCHMARKS, load_benchmark

NAMES = ("rmat21", "rmat20", "lattice", "road-NE", "rgg24", "cnr")


@pytest.fixture
def goals() -> ModuleType:
    return load_benchmark("goals")


def test_the_goals_are_those_of_the_page(goals: ModuleType) -> None:
    page = (BENCHMARKS.parent / "docs" / "decisions" / "README.md").read_text()
    for name in ("bfs", "sssp", "bc", "cc", "pagerank"):
        row = re.search(
            rf"^\| {name}(?:, per iteration)? \|((?: [0-9.]+ \([0-9.]+\) \|){{6}})$",
            page,
            re.MULTILINE | re.IGNORECASE,
        )
        assert row is not None, name
        told = [float(goal) for goal in re.findall(r"\(([0-9.]+)\)", row[1])]
        assert told == [goals.GOALS_MS[name][graph] for graph in NAMES]


def test_it_says_which_goals_are_met(
    goals: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = {"small": ("rmat", {"scale": 8}, "largest"), "large": ("rmat", {"scale": 9}, "largest")}
    monkeypatch.setattr(goals, "GRAPHS", {"small": small["small"]})
    monkeypatch.setattr(goals, "LARGE", {"large": small["large"]})
    monkeypatch.setattr(goals, "GOALS_MS", {"bfs": {"small": 1e6, "large": 1e6}, "cc": {"small": 1e-9}})
    arguments = ["goals.py", "--backend", "cpu", "--runs", "2", "--primitives", "bfs,cc,pagerank"]
    monkeypatch.setattr("sys.argv", [*arguments, "--graphs", "small"])
    goals.main()
    out = capsys.readouterr().out
    assert re.search(r"^1 of 2 goals met; missed by: cc small [0-9.]+%$", out, re.MULTILINE)
    assert re.search(r"^pagerank +small .* goal None .* pass", out, re.MULTILINE)
    monkeypatch.setattr("sys.argv", [*arguments, "--graphs", "large"])
    goals.main()
    out = capsys.readouterr().out
    assert out.endswith("1 of 1 goals met; missed by: none\n")
    assert "cc " not in out  # only primitives with a goal there
    assert "pagerank" not in out
