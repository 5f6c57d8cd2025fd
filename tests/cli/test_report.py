"""``gunrock report`` as a user runs it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from records_helper import write_records
from sample_records import sample_records
from terminal import stdout_on_terminal

from gunrock_cli.cli.main import cli
from gunrock_cli.errors import InputError, UsageError


@pytest.fixture
def record_file(tmp_path: Path) -> str:
    return str(write_records(tmp_path / "records.jsonl", sample_records()))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["report", *arguments])


def test_terminal_table(record_file: str) -> None:
    result = run("--records", record_file, "--only", "ppopp16-table3", "--ids")
    assert result.exit_code == 0
    assert "Gunrock†" in result.stdout
    assert "BFS / soc / Runtime (ms) / gunrock, Test GPU: bfs-soc" in result.stdout
    assert "\x1b" not in result.stdout


def test_several_files_after_one_records_option(record_file: str, tmp_path: Path) -> None:
    other = str(write_records(tmp_path / "other.jsonl", sample_records()[:1]))
    result = run("--records", record_file, other, "--only", "measured", "--format", "csv")
    assert result.exit_code == 0
    assert result.stdout.count("bfs-soc") == 1


def test_json_holds_every_cell(record_file: str) -> None:
    cells = json.loads(run("--records", record_file, "--json").stdout)
    ours = [
        cell
        for cell in cells
        if cell["report"] == "ppopp16-table3"
        and cell["row"] == ["BFS", "soc"]
        and cell["origin"] == "measured"
    ]
    assert {cell["column"] for cell in ours} == {"gunrock, Test GPU", "SciPy, Test"}


def test_figures_without_a_folder_are_announced(record_file: str) -> None:
    result = run("--records", record_file, "--format", "markdown")
    assert "### PPoPP'16 Table 3" in result.stdout
    assert "figures not shown (ppopp16-figure7" in result.stderr


def test_html_page_is_written(record_file: str, tmp_path: Path) -> None:
    result = run("--records", record_file, "--format", "html", "--output", str(tmp_path / "o"))
    assert result.stdout.splitlines()[0] == str(tmp_path / "o" / "index.html")


def test_html_page_where_the_locale_is_not_utf8(record_file: str, tmp_path: Path) -> None:
    """The page's parts and the papers' names of systems have characters beyond ASCII."""
    environment = {**os.environ, "LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [
        sys.executable,
        "-m",
        "gunrock_cli.cli.main",
        "report",
        record_file,
        "--format",
        "html",
        "--only",
        "ppopp16-table2",
        "--output",
        str(tmp_path / "o"),
    ]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "†" in (tmp_path / "o" / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--only", "table99"], UsageError),
        (["--output", "x"], UsageError),
        (["--records", "/nowhere/none.jsonl"], InputError),
    ],
)
def test_bad_usage(arguments: list[str], error: type[Exception]) -> None:
    assert isinstance(run(*arguments).exception, error)


def test_narrow_terminals_get_whole_columns(record_file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    result = run("--records", record_file, "--only", "ppopp16-table3")
    lines = result.stdout.splitlines()
    assert sum("Hardwired GPU†" in line for line in lines) == 2  # times, then rates
    assert any("47.23" in line and "45.43" in line and "2.1" in line for line in lines)


def test_all_configurations_fit_a_terminal(record_file: str) -> None:
    command = [sys.executable, "-m", "gunrock_cli.cli.main"]
    words = ["report", record_file, "--only", "measured"]
    code, shown = stdout_on_terminal([*command, *words], 80)
    lines = re.sub(r"\x1b\[[\d;]*m", "", shown.decode()).splitlines()
    assert code == 0
    assert max(map(len, lines)) <= 80
    assert any("mean ms" in line for line in lines)
    assert "options (--wide shows all)" in " ".join(" ".join(lines).split())
    _, shown = stdout_on_terminal([*command, "--wide", *words], 80)
    assert b"left out" not in shown
