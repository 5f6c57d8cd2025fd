"""``gunrock sweep --cluster`` as a user runs it."""

from __future__ import annotations

import builtins
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gunrock_cli.bench.records.file import read_file
from gunrock_cli.cli.main import main

CELL = [
    "sweep",
    "--graph",
    "rmat --scale 5",
    "--primitive",
    "bfs",
    "--set",
    "iterations=2",
    "--set",
    "backend=cpu",
]


def test_real_cells_come_home_and_are_not_run_again(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed (the extra cluster)")
    command = [sys.executable, "-m", "gunrock_cli.cli.main", *CELL, "--cluster", "local:1"]
    done = subprocess.run([*command, "--json"], cwd=tmp_path, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (0, "sweep: 1 ok")
    (record,) = read_file(tmp_path / "results" / "sweep.jsonl").records
    assert json.loads(done.stdout)["id"] == record.id
    assert record.validation["verdict"] == "pass"
    assert record.command == [
        "gunrock",
        "bfs",
        "rmat",
        "--scale",
        "5",
        "--iterations",
        "2",
        "--backend",
        "cpu",
        "--json",
    ]
    again = subprocess.run(
        [*command, "--resume"], cwd=tmp_path, check=False, capture_output=True, text=True
    )
    assert again.returncode == 0
    assert again.stderr == (
        "sweep: 0 cells to run, 1 recorded already, records go to "
        "results/sweep.jsonl\nsweep: nothing to run\n"
    )


def refused(capsys: pytest.CaptureFixture[str], cluster: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main([*CELL, "--cluster", cluster])
    assert ended.value.code == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    return shown.err


def test_a_scheduler_that_does_not_answer_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    dask = pytest.importorskip("dask", reason="Dask is not installed (the extra cluster)")
    pytest.importorskip("distributed")
    monkeypatch.chdir(tmp_path)
    with dask.config.set({"distributed.comm.timeouts.connect": "500ms"}):
        assert refused(capsys, "tcp://127.0.0.1:9").startswith(
            "gunrock: --cluster tcp://127.0.0.1:9: no Dask scheduler answers (Timed out"
        )


def test_without_dask_the_line_says_how_to_get_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without(name: str, *arguments: Any) -> Any:
        if name.startswith("distributed"):
            raise ImportError(name)
        return real(name, *arguments)

    monkeypatch.setattr(builtins, "__import__", without)
    shown = refused(capsys, "local:1")
    assert shown.startswith("gunrock: --cluster needs Dask (pip install")
    assert "cluster" in shown.split("(")[1]
