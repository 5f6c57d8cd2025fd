"""A described peer end to end: compared with gunrock, in a sweep, in the reports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_peers import fake_description

from gunrock_cli.bench.records.file import read_file
from gunrock_cli.cli.main import main

GUNROCK = [sys.executable, "-m", "gunrock_cli.cli.main"]
GRAPH = ["grid2d", "--width", "8", "--height", "8", "--backend", "cpu", "--iterations", "2"]
N = 64


def gunrock(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*GUNROCK, *words],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "FAKE_PID": str(folder / "pid")},
    )


def test_beside_gunrock_in_a_sweep_and_in_reports(tmp_path: Path) -> None:
    """One peer is right, one wrong, one hangs, one crashes, one gives no answer: in one cell, of a plan
    in the same folder."""
    modes = {"fine": "right", "liar": "wrong", "sleeper": "hang", "crasher": "crash", "mute": "silent"}
    plans = tmp_path / "plans"
    plans.mkdir()
    for name, mode in modes.items():
        fake_description(plans, mode, n=N, name=name, timeout=1 if mode == "hang" else 60)
    fake_description(plans, "right", n=N, name="closed", answer="", timeout=60)
    names = [*modes, "closed"]
    against = ",".join(f"{name}.toml" for name in names) + ",scipy"
    (plans / "plan.toml").write_text(f"""
options = {{ backend = "cpu", iterations = 2, against = "{against}" }}
[[run]]
primitives = ["bfs"]
graphs = ["grid2d --width 8 --height 8"]
""")
    done = gunrock(tmp_path, "sweep", "plans/plan.toml", "--output", "r.jsonl")
    assert done.returncode == 0, done.stderr  # gunrock's own answer is right
    found = {record.system: record for record in read_file(tmp_path / "r.jsonl").records}
    assert {name: record.status for name, record in found.items()} == {
        "gunrock": "ok",
        "fine": "ok",
        "liar": "wrong",
        "sleeper": "timeout",
        "crasher": "error",
        "mute": "error",
        "closed": "ok",
        "scipy": "ok",
    }
    assert found["fine"].graph == found["gunrock"].graph
    assert found["fine"].command == found["gunrock"].command
    assert found["fine"].edges_visited == found["gunrock"].edges_visited
    assert "fine ok 0.025 ms" in " ".join(done.stderr.split())
    for path in plans.glob("*.toml"):
        path.unlink()  # a report reads records, and runs nothing
    report = gunrock(
        tmp_path, "report", "--records", "r.jsonl", "--only", "measured", "--format", "markdown"
    )
    rows = {
        name: row
        for row in report.stdout.splitlines()
        for name in found
        if row.startswith("|") and f" {name}, " in row
    }
    assert "0.025" in rows["fine"]
    assert "wrong" in rows["liar"]
    assert "timeout" in rows["sleeper"]
    assert "error" in rows["crasher"]
    assert "?" in rows["closed"]
    assert "?" not in rows["fine"]


def test_a_record_each_on_stdout(tmp_path: Path) -> None:
    path = fake_description(tmp_path, n=N, timeout=60)
    done = gunrock(tmp_path, "bfs", *GRAPH, "--against", f"./{path.name},scipy", "--json")
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(record["system"], record["status"]) for record in records] == [
        ("gunrock", "ok"),
        ("fake", "ok"),
        ("scipy", "ok"),
    ]
    assert records[1]["validation"]["verdict"] == "pass"


@pytest.mark.parametrize("where", ["option", "axis"])
def test_a_sweep_with_a_file_that_is_wrong_is_refused(
    tmp_path: Path, where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = fake_description(tmp_path, n=N, more="colour = 3")
    settings = ["--set", f"against={path}"] + (["--set", "src=0,1"] if where == "axis" else [])
    with pytest.raises(SystemExit) as caught:
        main(["sweep", "--graph", "rmat", "--primitive", "bfs", *settings, "--dry-run"])
    assert caught.value.code == 2
    text = capsys.readouterr().err
    assert "unknown keys: colour" in text
    assert text.count("\n") == 1
