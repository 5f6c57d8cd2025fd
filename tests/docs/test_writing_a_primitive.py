"""The page's examples, run as they stand there, as a user would run them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "writing-a-primitive.md"
FILES = dict(re.findall(r"`(\w+\.(?:cuh|py))`:\n```\w+\n(.*?)```", PAGE.read_text(), re.DOTALL))
COMMANDS = re.findall(r"^gunrock (run .*)$", PAGE.read_text(), re.MULTILINE)


def test_the_page_has_its_examples() -> None:
    assert len(FILES) == 4
    assert len(COMMANDS) == 2


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("backend", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])
def test_example(command: str, backend: str, tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "gunrock_cli.cli.main", *command.split(), "--backend", backend,
         "--iterations", "2"], cwd=tmp_path, capture_output=True, text=True, check=False,
    )
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert record["status"] == "ok"
    assert record["validation"]["verdict"] == "pass"
    assert len(record["runs_ms"]) == 2


def test_a_sweep_takes_an_example(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    file = COMMANDS[0].split()[1]
    done = subprocess.run(
        [sys.executable, "-m", "gunrock_cli.cli.main", "sweep", "--primitive", f"./{file}", "--graph",
         "grid2d --width 9", "--set", "backend=cpu", "--set", "iterations=2", "--output", "x.jsonl"],
        cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    record = json.loads((tmp_path / "x.jsonl").read_text())
    assert (record["primitive"], record["status"]) == (file.removesuffix(".py"), "ok")
    assert record["sweep"]["name"] == "sweep"
