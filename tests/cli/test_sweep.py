"""``gunrock sweep`` as a user runs it, with a stand-in for the runs themselves."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from terminal import on_terminal

from gunrock_cli.bench.recordfile import read_file

FAKE = shlex.join([sys.executable, str(Path(__file__).parents[1] / "fake_gunrock.py")])
GUNROCK = [sys.executable, "-m", "gunrock_cli.cli.main", "sweep"]


def sweep(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*GUNROCK, *arguments, "--executable", FAKE], cwd=folder, check=False,
                          capture_output=True, text=True, timeout=60)


def test_dry_run_prints_commands_and_runs_nothing(tmp_path: Path) -> None:
    done = sweep(tmp_path, "--graph", "g h", "--primitive", "bfs", "--set", "src=0,1", "--dry-run")
    assert done.stdout.splitlines() == ["gunrock bfs g h --src 0 --json",
                                        "gunrock bfs g h --src 1 --json"]
    assert list(tmp_path.iterdir()) == []


def test_records_text_and_resume(tmp_path: Path) -> None:
    arguments = ["--graph", "fine", "--graph", "oom", "--primitive", "bfs", "--text", "out"]
    first = sweep(tmp_path, *arguments, "--json")
    assert first.returncode == 1
    assert [json.loads(line)["status"] for line in first.stdout.splitlines()] == ["ok", "OOM"]
    assert "sweep: 1 ok, 1 OOM" in first.stderr
    assert "\x1b" not in first.stderr  # no progress bar in a pipe
    assert (tmp_path / "out" / "BFS" / "fine.txt").exists()
    again = sweep(tmp_path, *arguments, "--resume")
    assert (again.returncode, "0 cells to run, 2 recorded already" in again.stderr) == (0, True)
    retried = sweep(tmp_path, *arguments, "--resume", "--retry-failed")
    assert "1 cells to run" in retried.stderr
    assert len(read_file(tmp_path / "results" / "sweep.jsonl").records) == 3


def test_resume_names_the_lines_it_cannot_read(tmp_path: Path) -> None:
    arguments = ["--graph", "fine", "--primitive", "bfs", "--output", "r.jsonl"]
    assert sweep(tmp_path, *arguments).returncode == 0
    file = tmp_path / "r.jsonl"
    file.write_text(file.read_text().replace('"iterations":4', '"iterations":"4"'))
    again = sweep(tmp_path, *arguments, "--resume")
    assert again.returncode == 0
    assert "r.jsonl:1: no record: iterations must be integer or null; left out" in again.stderr
    assert "1 cells to run" in again.stderr
    assert len(read_file(file).records) == 1


@pytest.mark.parametrize("arguments", [[], ["--graph", "g"], ["none.toml"],
                                       ["none.toml", "--graph", "g"]])
def test_bad_usage_is_one_line_and_exit_code_two(tmp_path: Path, arguments: list[str]) -> None:
    done = sweep(tmp_path, *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("gunrock: ")
    assert done.stderr.count("\n") == 1


def _heed_interrupts() -> None:
    """A job in the background (`nohup`, CI) ignores SIGINT, and so would its children."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_what_is_done(tmp_path: Path, signum: int) -> None:
    pid_file = tmp_path / "pid"
    process = subprocess.Popen(
        [*GUNROCK, "--graph", "fine", "--graph", "hang", "--graph", "slow", "--primitive", "bfs",
         "--executable", FAKE],
        cwd=tmp_path, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "CHILD_PID_FILE": str(pid_file)}, preexec_fn=_heed_interrupts)
    for _ in range(300):
        if pid_file.exists() and pid_file.read_text():
            break
        time.sleep(0.1)
    process.send_signal(signum)
    _, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "2 cells are left" in stderr
    records = read_file(tmp_path / "results" / "sweep.jsonl")
    assert [record.graph["name"] for record in records.records] == ["fine"]
    assert records.problems == []


def test_a_terminal_gets_a_progress_bar_with_the_time_left(tmp_path: Path) -> None:
    code, stdout, shown = on_terminal(
        [*GUNROCK, "--graph", "slow", "--graph", "fine", "--primitive", "bfs", "--executable",
         FAKE],
        timeout=30, cwd=tmp_path, env={**os.environ, "TERM": "xterm", "COLUMNS": "120"})
    assert (code, stdout) == (0, b"")  # results on stdout only, and none asked for
    assert b"2/2" in shown
    assert b"left" in shown
