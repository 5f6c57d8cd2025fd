"""The identity of the code that ran: in a checkout, in copies of it, in a wheel."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gunrock_cli.bench.records.provenance import identify

FILES = {
    "gunrock_cli/__init__.py": "",
    "gunrock_cli/bench/records/record.py": "SCHEMA = 1\n",
    "gunrock_cli/bench/records/record.schema.json": "{}",
    "kernels/enactor.cuh": "// runs\n",
    "kernels/primitives/bfs.cuh": "// searches\n",
    "results/records.jsonl": "{}\n",
    "scripts/test.sh": "#!/bin/sh\n",
    "README.md": "# gunrock\n",
}


def git(root: Path, *words: str) -> str:
    name = ("-c", "user.name=t", "-c", "user.email=t@t")
    return subprocess.run(
        ["git", "-C", str(root), *name, *words], check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    for script in ("scripts/test.sh", "gunrock_cli/bench/records/record.py"):
        (root / script).chmod(0o755)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


def commit(root: Path) -> str | None:
    identify.cache_clear()
    return identify(root / "gunrock_cli", root / "kernels")["commit"]


def test_without_a_folder_it_is_this_checkout() -> None:
    root = Path(__file__).resolve().parents[2]
    identify.cache_clear()
    assert identify() == identify(root / "gunrock_cli", root / "kernels")


def code_hash(root: Path) -> str | None:
    identify.cache_clear()
    return identify(root / "gunrock_cli", root / "kernels")["code_hash"]


def append(root: Path, name: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    with (root / name).open("a") as file:
        file.write("more\n")


def forget_modes_and_times(root: Path) -> None:
    for file in (root / "gunrock_cli/bench/records/record.py", root / "scripts/test.sh"):
        file.chmod(0o644)
        os.utime(file, (1, 1))


NO_CHANGE: dict[str, Callable[[Path], object]] = {
    "nothing": lambda root: None,
    "a copy without modes and times": forget_modes_and_times,
    "a record appended": lambda root: append(root, "results/records.jsonl"),
    "documentation edited": lambda root: append(root, "README.md"),
    "an unknown file elsewhere": lambda root: append(root, "notes.txt"),
    "compiled modules": lambda root: append(root, "gunrock_cli/__pycache__/a.cpython-311.pyc"),
}
CHANGES: dict[str, Callable[[Path], object]] = {
    "a module edited": lambda root: append(root, "gunrock_cli/bench/records/record.py"),
    "a kernel edited": lambda root: append(root, "kernels/primitives/bfs.cuh"),
    "an unknown kernel": lambda root: append(root, "kernels/primitives/new.cuh"),
    "an unknown module": lambda root: append(root, "gunrock_cli/primitives/new.py"),
    "a kernel removed": lambda root: (root / "kernels/enactor.cuh").unlink(),
}


@pytest.mark.parametrize("change", NO_CHANGE.values(), ids=NO_CHANGE.keys())
def test_the_commits_own_code(checkout: Path, change: Callable[[Path], object]) -> None:
    before = code_hash(checkout)
    change(checkout)
    assert commit(checkout) == git(checkout, "rev-parse", "--short=12", "HEAD")
    assert code_hash(checkout) == before


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_other_code_than_the_commits(checkout: Path, change: Callable[[Path], object]) -> None:
    before = code_hash(checkout)
    change(checkout)
    assert commit(checkout) == git(checkout, "rev-parse", "--short=12", "HEAD") + "-dirty"
    assert code_hash(checkout) != before


def test_staged_code_is_not_the_commits(checkout: Path) -> None:
    append(checkout, "kernels/enactor.cuh")
    git(checkout, "add", "-A")
    assert str(commit(checkout)).endswith("-dirty")


def test_files_that_are_newer_than_the_commit_their_git_folder_names(checkout: Path) -> None:
    """Most of the records on an H200 became dirty in this way."""
    append(checkout, "kernels/enactor.cuh")
    git(checkout, "commit", "-qam", "second")
    own = code_hash(checkout)
    assert commit(checkout) == git(checkout, "rev-parse", "--short=12", "HEAD")
    git(checkout, "update-ref", "HEAD", "HEAD~1")
    assert commit(checkout) == git(checkout, "rev-parse", "--short=12", "HEAD") + "-dirty"
    assert code_hash(checkout) == own


def test_nothing_is_written(checkout: Path) -> None:
    forget_modes_and_times(checkout)
    index = checkout / ".git" / "index"
    before = index.read_bytes()
    commit(checkout)
    assert index.read_bytes() == before


def test_a_wheel_has_the_hash_alone(checkout: Path, tmp_path: Path) -> None:
    package = tmp_path / "site" / "gunrock_cli"
    shutil.copytree(checkout / "gunrock_cli", package)
    shutil.copytree(checkout / "kernels", package / "_kernels")
    append(package, "_data/paper/table.csv")
    assert identify(package, package / "_kernels") == {"commit": None, "code_hash": code_hash(checkout)}


def test_no_git_no_commit(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert commit(checkout) is None
    assert code_hash(checkout)


def test_the_code_at_hand() -> None:
    identify.cache_clear()
    found = identify()
    assert len(found["code_hash"] or "") == 32
