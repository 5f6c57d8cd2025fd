"""The page's examples, run as a user would run them."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from docs.guide import COMMANDS, FILES, SWEEPS, write_files

from gunrock_cli.peers import get_peer


def gunrock(arguments: list[str], folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "gunrock_cli.cli.main", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_page_has_its_examples() -> None:
    assert len(FILES) == 8
    assert len(COMMANDS) == 4
    assert len(SWEEPS) == 1


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("backend", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])
def test_example(command: str, backend: str, tmp_path: Path) -> None:
    words = command.split()
    if "--against" in words:
        reason = get_peer(words[words.index("--against") + 1]).available()
        if reason is not None:
            pytest.skip(reason)
    write_files(tmp_path)
    shown = gunrock([*words, "--backend", backend, "--iterations", "2"], tmp_path)
    for record in map(json.loads, shown.splitlines()):
        assert record["status"] == "ok"
        assert record["validation"]["verdict"] == "pass"
        assert len(record["runs_ms"]) == 2


def test_a_sweep_takes_an_example(tmp_path: Path) -> None:
    write_files(tmp_path)
    file = COMMANDS[0].split()[1]
    gunrock(
        [
            "sweep",
            "--primitive",
            f"./{file}",
            "--graph",
            "grid2d --width 9",
            "--set",
            "backend=cpu",
            "--set",
            "iterations=2",
            "--output",
            "x.jsonl",
        ],
        tmp_path,
    )
    record = json.loads((tmp_path / "x.jsonl").read_text())
    assert (record["primitive"], record["status"]) == (file.removesuffix(".py"), "ok")
    assert record["sweep"]["name"] == "sweep"


@pytest.mark.parametrize("command", SWEEPS)
def test_sweep_of_the_page(command: str, tmp_path: Path) -> None:
    pytest.importorskip("igraph")
    write_files(tmp_path)
    words = shlex.split(command)
    gunrock([*words, "--set", "backend=cpu", "--set", "iterations=2"], tmp_path)
    record = json.loads((tmp_path / words[words.index("--output") + 1]).read_text())
    assert (record["status"], record["validation"]["verdict"]) == ("ok", "pass")
    assert record["options"]["loop"] == "host"
