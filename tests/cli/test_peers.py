"""``gunrock peers list``."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from terminal import stdout_on_terminal

from gunrock_cli.cli.main import cli
from gunrock_cli.peers import peer_names, ready_names


def test_list_as_json_names_every_peer() -> None:
    result = CliRunner().invoke(cli, ["peers", "list", "--json"])
    rows = json.loads(result.stdout)
    assert [row["name"] for row in rows] == [*peer_names(), *ready_names()]
    scipy = next(row for row in rows if row["name"] == "scipy")
    assert scipy["available"]
    assert scipy["versions"]["scipy"]


def test_list_as_table() -> None:
    result = CliRunner().invoke(cli, ["peers", "list"])
    assert result.exit_code == 0
    assert "SciPy csgraph" in result.stdout


def test_a_narrow_terminal_shows_what_is_here(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gunrock_cli.cli.main", "peers", "list"]
    code, shown = stdout_on_terminal(command, columns=80, cwd=tmp_path)
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in shown.decode().splitlines()]
    assert code == 0
    assert max(map(len, lines)) <= 80
    assert sum("here" in line for line in lines if line.startswith("┃")) == 2  # in both tables
    assert len(lines) < 60  # sentences are left out, not wrapped into a column of words
    assert any(re.match("left out: .*what is timed, what is wrong", line) for line in lines)


def test_programs_are_shown_with_where_they_are_and_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUNROCK_PEERS", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "300")
    (tmp_path / "gapbs").mkdir()
    (tmp_path / "gapbs" / "bfs").write_text("#!/bin/sh\n")
    (tmp_path / "gapbs" / "bfs").chmod(0o755)
    rows = json.loads(CliRunner().invoke(cli, ["peers", "list", "--json"]).stdout)
    gap = next(row for row in rows if row["name"] == "gap")
    assert gap["programs"] == {
        "bfs": str(tmp_path / "gapbs" / "bfs"),
        "sssp": None,
        "bc": None,
        "cc": None,
        "pagerank": None,
        "triangles": None,
    }
    assert (gap["available"], gap["version"]) == (False, "b5e3e19")
    assert "gapbs/sssp was looked for in GUNROCK_PEERS" in gap["reason"]
    assert "its own check" in gap["wrong"]
    table = " ".join(CliRunner().invoke(cli, ["peers", "list"]).stdout.split())
    assert "not for sssp bc cc pagerank triangles" in table
    assert "Gunrock 1.2 (C++)" in table


@pytest.mark.parametrize(("check", "method"), [("certificate", "certificate"), ("both", "reference")])
def test_peers_are_checked_as_was_asked(check: str, method: str) -> None:
    command = [
        "bfs",
        "grid2d",
        "--width",
        "9",
        "--height",
        "9",
        "--backend",
        "cpu",
        "--iterations",
        "1",
        "--against",
        "scipy",
        "--check",
        check,
        "--json",
    ]
    own, peer = map(json.loads, CliRunner().invoke(cli, command).stdout.splitlines())
    assert own["validation"]["method"] == check
    assert (peer["validation"]["verdict"], peer["validation"]["method"]) == ("pass", method)


def test_a_peer_that_has_one_of_several_sources_is_told_apart() -> None:
    command = [
        "bfs",
        "grid2d",
        "--width",
        "9",
        "--height",
        "9",
        "--backend",
        "cpu",
        "--iterations",
        "1",
        "--against",
        "scipy",
        "--json",
    ]
    several = CliRunner().invoke(cli, [*command, "--src", "3,0,7"])
    assert "scipy: measured from vertex 7 alone, the last of 3 sources" in several.stderr
    own, peer = map(json.loads, several.stdout.splitlines())
    assert (own["sources"], set(peer["sources"])) == ([3, 0, 7], {7})
    assert "alone" not in CliRunner().invoke(cli, [*command, "--src", "7"]).stderr
