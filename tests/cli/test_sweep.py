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
from ended_helper import gone
from terminal import on_terminal

from gunrock_cli.bench.records.file import read_file
from gunrock_cli.primitives import primitive_names

TESTS = Path(__file__).parents[1]
FAKE = shlex.join([sys.executable, str(TESTS / "fake_gunrock.py")])
FAKE_WORKER = shlex.join([sys.executable, str(TESTS / "fake_worker.py")])
GUNROCK = [sys.executable, "-m", "gunrock_cli.cli.main", "sweep"]


def sweep(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*GUNROCK, *arguments, "--executable", FAKE],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        timeout=200,
    )


def test_dry_run_prints_commands_and_runs_nothing(tmp_path: Path) -> None:
    done = sweep(tmp_path, "--graph", "g h", "--primitive", "bfs", "--set", "src=0,1", "--dry-run")
    assert done.stdout.splitlines() == [
        "gunrock bfs g h --src 0 --json",
        "gunrock bfs g h --src 1 --json",
    ]
    assert list(tmp_path.iterdir()) == []


def test_quiet_leaves_what_failed(tmp_path: Path) -> None:
    done = sweep(tmp_path, "--graph", "fine", "--graph", "oom", "--primitive", "bfs", "-q")
    assert (done.returncode, done.stdout) == (1, "")
    (failed,) = done.stderr.splitlines()
    assert failed.startswith("bfs oom: OOM")
    done = sweep(tmp_path, "--graph", "fine", "--primitive", "bfs", "-q")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_dry_run_of_what_is_left(tmp_path: Path) -> None:
    arguments = ["--graph", "fine", "--graph", "oom", "--primitive", "bfs"]
    assert sweep(tmp_path, *arguments).returncode == 1
    file = tmp_path / "results" / "sweep.jsonl"
    held = file.read_bytes()

    def left(*more: str) -> list[str]:
        return sweep(tmp_path, *arguments, "--dry-run", *more).stdout.splitlines()

    assert left() == ["gunrock bfs fine --json", "gunrock bfs oom --json"]
    assert left("--resume") == []
    assert left("--resume", "--retry-failed") == ["gunrock bfs oom --json"]
    assert left("--resume", "--set", "src=3") == [
        "gunrock bfs fine --src 3 --json",
        "gunrock bfs oom --src 3 --json",
    ]
    assert file.read_bytes() == held


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


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--graph", "g"],
        ["none.toml"],
        ["none.toml", "--graph", "g"],
        ["--graph", "g", "--primitive", "bfs", "--process", "graph", "--cluster", "local:1"],
        ["--graph", "g", "--primitive", "bfs", "--process", "thread"],
    ],
)
def test_bad_usage_is_one_line_and_exit_code_two(tmp_path: Path, arguments: list[str]) -> None:
    done = sweep(tmp_path, *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("gunrock: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("run", "complaint"),
    [
        (
            "primitives = ['dfs']\ngraphs = ['rmat']",
            f"dfs rmat: dfs is neither a primitive ({', '.join(primitive_names())}) nor a FILE.py",
        ),
        (
            "primitives = ['bfs']\ngraphs = ['rmat']\noptions = {damping = 0.5}",
            "--damping: bfs has no use for it",
        ),
        (
            "primitives = ['bfs']\ngraphs = ['rmat']\naxes = {iterations = [3, -1]}",
            "iterations=-1: Invalid value for '--iterations' / '--runs': -1 is not in the range",
        ),
        (
            "primitives = ['pagerank']\ngraphs = ['rmat']\naxes = {push = [1]}",
            "Got unexpected extra argument",
        ),
        ("primitives = ['bfs']\ngraphs = ['rmat --scale 99']", "--scale 99 is out of range (0 to 30)"),
        ("primitives = ['bfs']\ngraphs = ['rmat --market x.mtx']", "more than one graph given"),
        ("primitives = ['bfs']\ngraphs = ['--scale 3']", "only generators take this"),
        ("primitives = ['bfs']\ngraphs = ['rmat --help']", "asks for help"),
    ],
    ids=range(8),
)
def test_cells_that_no_command_would_take_are_refused_before_the_first_runs(
    tmp_path: Path, run: str, complaint: str
) -> None:
    (tmp_path / "p.toml").write_text(f"[[run]]\nprimitives = ['cc']\ngraphs = ['path']\n[[run]]\n{run}\n")
    done = subprocess.run([*GUNROCK, "p.toml"], cwd=tmp_path, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("gunrock: p.toml: ")
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["p.toml"]


def test_graphs_that_are_not_here_cost_their_own_cells_only(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            *GUNROCK,
            "--graph",
            "none.mtx",
            "--graph",
            "soc-orkut",
            "--graph",
            "--market none.mtx",
            "--primitive",
            "bfs",
            "--dry-run",
        ],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 3)


def _heed_interrupts() -> None:
    """Restore SIGINT, which a job in the background (`nohup`, CI) and its children ignore."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.parametrize(
    ("signum", "process_for", "fake"),
    [
        (signal.SIGINT, "cell", FAKE),
        (signal.SIGTERM, "cell", FAKE),
        (signal.SIGINT, "graph", FAKE_WORKER),
    ],
)
def test_an_interrupt_keeps_what_is_done(
    tmp_path: Path, signum: int, process_for: str, fake: str
) -> None:
    pid_file = tmp_path / "pid"
    process = subprocess.Popen(
        [
            *GUNROCK,
            "--graph",
            "fine",
            "--graph",
            "hang",
            "--graph",
            "slow",
            "--primitive",
            "bfs",
            "--process",
            process_for,
            "--executable",
            fake,
        ],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "CHILD_PID_FILE": str(pid_file)},
        preexec_fn=_heed_interrupts,
    )
    for _ in range(1500):
        if pid_file.exists() and pid_file.read_text():
            break
        time.sleep(0.1)
    process.send_signal(signum)
    _, stderr = process.communicate(timeout=200)
    assert process.returncode == 130
    assert "2 cells are left" in stderr
    assert gone(int(pid_file.read_text()))
    records = read_file(tmp_path / "results" / "sweep.jsonl")
    assert [record.graph["name"] for record in records.records] == ["fine"]
    assert records.problems == []


def test_a_terminal_gets_a_progress_bar_with_the_time_left(tmp_path: Path) -> None:
    code, stdout, shown = on_terminal(
        [*GUNROCK, "--graph", "slow", "--graph", "fine", "--primitive", "bfs", "--executable", FAKE],
        timeout=200,
        cwd=tmp_path,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
    )
    assert (code, stdout) == (0, b"")  # results on stdout only, and none asked for
    assert b"2/2" in shown
    assert b"left" in shown
