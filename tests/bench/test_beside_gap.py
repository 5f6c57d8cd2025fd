"""The cpu backend compared with GAP, here a script that notes how it was started."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from script_helper import load_benchmark

GAP = """#!{python}
import sys
words = sys.argv[1:]
with open({log!r}, "a") as log:
    print("{name}", *words, file=log)
delta = int(words[words.index("-d") + 1]) if "-d" in words else 3
for run in range(int(words[words.index("-n") + 1])):
    print(f"Trial Time: {{0.009 if run == 0 else delta / 1000:.5f}}")
"""
PROGRAMS = ("bfs", "sssp", "bc", "cc", "pr")


@pytest.fixture(scope="module")
def beside_gap() -> ModuleType:
    return load_benchmark("beside_gap")


@pytest.fixture
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The command lines of GAP's programs, here a script, as lists of words."""
    folder, log = tmp_path / "gapbs", tmp_path / "log"
    folder.mkdir()
    for name in PROGRAMS:
        (folder / name).write_text(GAP.format(python=sys.executable, log=str(log), name=name))
        (folder / name).chmod(0o755)
    monkeypatch.setenv("GUNROCK_PEERS", str(tmp_path))
    return lambda: [line.split() for line in log.read_text().splitlines()]


def run(beside_gap: Any, monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["beside_gap.py", *words])
    monkeypatch.setitem(beside_gap.GRAPHS, "lattice", ("grid2d", {"width": 9, "height": 7}, "0"))
    code: int = beside_gap.main()
    return code


def test_sides_take_turns_and_the_best_delta_stays(
    beside_gap: Any, started: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "cells.jsonl"
    monkeypatch.setitem(beside_gap.DELTAS, "lattice", (8, 2, 4))
    assert (
        run(
            beside_gap,
            monkeypatch,
            "--graphs",
            "lattice",
            "--primitives",
            "sssp",
            "--runs",
            "2",
            "--rounds",
            "3",
            "--threads",
            "1",
            "--check",
            "--output",
            str(output),
        )
        == 0
    )
    assert [words[words.index("-d") + 1] for words in started()] == ["8", "2", "4", "2", "2"]
    assert {words[words.index("-n") + 1] for words in started()} == {"3"}  # the first is dropped
    cell = json.loads(output.read_text())
    assert (cell["primitive"], cell["graph"], cell["threads"]) == ("sssp", "lattice", 1)
    assert cell["gap"] == [2.0] * 6
    assert len(cell["gunrock"]) == 6


def test_iterations_of_pagerank_are_ten_on_both_sides(
    beside_gap: Any,
    started: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    output = tmp_path / "cells.jsonl"
    assert (
        run(
            beside_gap,
            monkeypatch,
            "--graphs",
            "lattice",
            "--primitives",
            "pagerank",
            "--runs",
            "1",
            "--rounds",
            "1",
            "--threads",
            "1",
            "--check",
            "--output",
            str(output),
        )
        == 0
    )
    (words,) = started()
    assert (words[words.index("-i") + 1], words[words.index("-t") + 1]) == ("10", "0")
    assert json.loads(output.read_text())["gap"] == [0.3]  # one iteration's
    assert capsys.readouterr().out.splitlines()[-1].split()[:2] == ["pagerank", "lattice"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--graphs", "latice"), "--graphs: no 'latice'; there are lattice, "),
        (("--primitives", "bfs,mst"), "--primitives: no 'mst'; there are bfs, "),
        (("--runs", "0"), "--runs and --rounds: at least 1 each"),
        (("--graphs", "lattice", "--primitives", "bfs"), "gapbs/bfs is in no folder of GUNROCK_PEERS"),
    ],
)
def test_what_is_not_there_is_said_in_one_line(
    beside_gap: Any,
    words: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("GUNROCK_PEERS", str(tmp_path))
    assert run(beside_gap, monkeypatch, *words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
