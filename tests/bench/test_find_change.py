"""benchmarks/find_change.py over a throwaway repository, whose tool takes the time that a file says."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.find_change import verdict_of
from gunrock_cli.bench.records.statistics import Ratio

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "find_change.py"
TOOL = """\
import json, random, sys
from pathlib import Path
def main():
    ms = (Path(__file__).parents[2] / "ms").read_text()
    if "fails" in ms:
        print("a note", file=sys.stderr)
        sys.exit("gunrock: it fails here")
    assert sys.argv[1:] == ["bfs", "g", "--json"]
    count = Path(__file__).parents[2] / "count"
    count.write_text(count.read_text() + "x" if count.exists() else "")
    each = [float(word) for word in ms.split()]
    ms = each[len(count.read_text()) % len(each)]
    print(json.dumps({"runs_ms": [random.uniform(ms, 1.01 * ms) for _ in range(5)]}))
"""
FAST, SLOW, FAILS = "1.0", "1.5", "fails"
NOISY = "1.0 1.5"
"""Every other process is slow."""


def git(folder: Path, *words: str) -> str:
    author = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return subprocess.run(
        ["git", *words], cwd=folder, env=os.environ | author, check=True, capture_output=True, text=True
    ).stdout


@pytest.fixture
def history(tmp_path: Path) -> Callable[..., Path]:
    """Make a repository with a commit for each of these times, called c0, c1 and so on."""

    def make(*times: str) -> Path:
        folder = tmp_path / "tool"
        (folder / "gunrock_cli" / "cli").mkdir(parents=True)
        (folder / "gunrock_cli" / "cli" / "main.py").write_text(TOOL)
        (folder / "gunrock_cli" / "__init__.py").touch()
        git(folder, "init", "-q")
        for number, ms in enumerate(times):
            (folder / "ms").write_text(f"{ms}\n")
            (folder / "number").write_text(f"{number}")
            git(folder, "add", "-A")
            git(folder, "commit", "-qm", f"Change number {number}")
            git(folder, "tag", f"c{number}")
        return folder

    return make


def find(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the script; it leaves neither worktrees nor a bisection behind."""
    path = os.pathsep.join([str(SCRIPT.parents[1]), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *words, "--rounds", "3", "--", "bfs", "g"],
        cwd=folder,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
    )
    assert "Traceback" not in done.stderr
    if (folder / ".git").exists():
        assert len(git(folder, "worktree", "list").splitlines()) == 1
        assert not git(folder, "for-each-ref", "refs/bisect")
    assert not list(Path(tempfile.gettempdir()).glob("gunrock-find-change-*"))
    return done


def last_line(text: str) -> str:
    return text.strip().splitlines()[-1]


@pytest.mark.parametrize(("before", "after", "verdict"), [(FAST, SLOW, "slower"), (SLOW, FAST, "faster")])
def test_the_first_changed_commit_is_found(
    history: Callable[..., Path], before: str, after: str, verdict: str
) -> None:
    folder = history(before, before, before, after, after)
    done = find(folder, "c0", "c4")
    assert done.returncode == 0, done.stderr
    assert "Change number 3, x" in last_line(done.stdout)
    value = float(last_line(done.stdout).split(", x")[1].split()[0])
    assert value == pytest.approx(1.5 if verdict == "slower" else 1 / 1.5, rel=0.05)
    assert verdict in done.stdout


def test_a_commit_where_the_command_fails_is_skipped(history: Callable[..., Path]) -> None:
    folder = history(FAST, FAST, FAILS, FAST, SLOW, SLOW)
    done = find(folder, "c0", "c5")
    assert "Change number 4, x" in last_line(done.stdout)
    assert "skipped, the command fails: gunrock: it fails here" in done.stdout


def test_skipped_commits_next_to_the_change_leave_it_open(history: Callable[..., Path]) -> None:
    folder = history(FAST, NOISY, FAILS, SLOW)
    done = find(folder, "c0", "c3")
    assert done.returncode == 2
    assert "it is one of 3:" in last_line(done.stderr)
    assert "Change number 3" in last_line(done.stderr)


@pytest.mark.parametrize(
    ("times", "words", "told"),
    [
        ((FAST, SLOW), ("c0", "nothing"), "'nothing' is no commit"),
        ((FAST, SLOW), ("c1", "c0"), "name the older commit first"),
        ((FAST, FAST), ("c0", "c1"), "no change"),
        ((FAST, NOISY), ("c0", "c1", "--limit", "500%"), "no change"),
        ((FAST, FAILS), ("c0", "c1"), "the command fails at c1: gunrock: it fails here"),
    ],
)
def test_what_cannot_be_searched_is_one_line(
    history: Callable[..., Path], times: tuple[str, ...], words: tuple[str, ...], told: str
) -> None:
    done = find(history(*times), *words)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert told in done.stderr


def test_uncommitted_changes_are_refused(history: Callable[..., Path]) -> None:
    folder = history(FAST, SLOW)
    (folder / "ms").write_text(FAST)
    done = find(folder, "c0", "c1")
    assert done.returncode == 2
    assert "uncommitted changes" in done.stderr


def test_outside_a_repository(tmp_path: Path) -> None:
    done = find(tmp_path, "c0", "c1")
    assert done.returncode == 2
    assert "no git repository" in done.stderr


def test_the_middle_divides() -> None:
    whole = Ratio(1.44, 1.4, 1.5)
    assert verdict_of(Ratio(1.3, 1.21, 1.4), whole) == "slower"
    assert verdict_of(Ratio(1.1, 1.0, 1.19), whole) == "same"
    assert verdict_of(Ratio(1.2, 1.1, 1.3), whole) == "ambiguous"
    less = Ratio(0.64, 0.6, 0.7)
    assert verdict_of(Ratio(0.7, 0.6, 0.79), less) == "faster"
    assert verdict_of(Ratio(0.95, 0.9, 1.0), less) == "same"
