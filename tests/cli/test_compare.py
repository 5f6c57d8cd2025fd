"""``gunrock compare`` as a gate: its output and its exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from records_helper import make_record, write_records

from gunrock_cli.cli.main import cli
from gunrock_cli.errors import UsageError

STEADY = (1.0, 1.01, 0.99, 1.0)


@pytest.fixture
def sides(tmp_path: Path) -> tuple[str, str]:
    slower = [run * 1.5 for run in STEADY]
    old = write_records(
        tmp_path / "old.jsonl", [make_record(runs=STEADY), make_record(graph="h", runs=STEADY)]
    )
    new = write_records(
        tmp_path / "new.jsonl", [make_record(runs=STEADY), make_record(graph="h", runs=slower)]
    )
    return str(old), str(new)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["compare", *arguments])


def test_prints_the_ratio_and_passes_without_a_gate(sides: tuple[str, str]) -> None:
    result = run(*sides, "--json")
    assert result.exit_code == 0
    cells = json.loads(result.stdout)
    assert [(cell["graph"], cell["verdict"]) for cell in cells] == [("g", "same"), ("h", "slower")]
    assert cells[1]["ratio"] == pytest.approx(1.5)
    assert cells[1]["ratio_low"] > 1.4


@pytest.mark.parametrize(("limit", "code"), [("5%", 1), ("0.05", 1), ("60%", 0)])
def test_exit_code_of_the_gate(sides: tuple[str, str], limit: str, code: int) -> None:
    result = run(*sides, "--fail-over", limit)
    assert result.exit_code == code
    assert ("1 of 2 cells regressed" in result.stderr) == bool(code)


def test_the_other_direction_is_no_regression(sides: tuple[str, str]) -> None:
    assert run(sides[1], sides[0], "--fail-over", "5%").exit_code == 0


def test_the_table_names_the_options_that_tell_cells_apart(tmp_path: Path) -> None:
    path = str(
        write_records(
            tmp_path / "r.jsonl",
            [make_record(options={"advance_mode": mode, "loop": "device"}) for mode in ("TM", "LB")],
        )
    )
    result = run(path, path)
    assert "advance_mode=TM" in result.stdout
    assert "loop" not in result.stdout


@pytest.mark.parametrize("limit", ["five", "-5%", "nan"])
def test_bad_limits_are_refused(sides: tuple[str, str], limit: str) -> None:
    done = run(*sides, "--fail-over", limit)
    assert done.exit_code == 2
    assert limit in done.stderr


def test_the_gate_fails_as_a_process(sides: tuple[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gunrock_cli.cli.main", "compare", *sides, "--fail-over", "5%"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1


def test_as_a_process_with_a_missing_file(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gunrock_cli.cli.main", "compare", "none.jsonl", "none.jsonl"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("gunrock: none.jsonl: No such file")


def test_too_few_runs_pass_the_gate_and_are_named(tmp_path: Path) -> None:
    old = write_records(tmp_path / "old.jsonl", [make_record(runs=(1.0,))])
    new = write_records(tmp_path / "new.jsonl", [make_record(runs=(1.059,))])
    result = run(str(old), str(new), "--fail-over", "5%")
    assert result.exit_code == 0
    assert "ambiguous: fewer than 3 runs on a side" in result.stdout


def test_nothing_in_common_is_no_success(sides: tuple[str, str], tmp_path: Path) -> None:
    other = str(write_records(tmp_path / "other.jsonl", [make_record(graph="elsewhere", runs=STEADY)]))
    result = run(sides[0], other)
    assert isinstance(result.exception, UsageError)
    assert "nothing was compared" in str(result.exception)
    assert "elsewhere" in result.stdout
    assert run(sides[0], other, "--fail-over", "5%").exit_code == 1


@pytest.mark.parametrize("text", ["", "\n", " \n\n"])
def test_a_file_without_records_is_refused(text: str, sides: tuple[str, str], tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text(text)
    for pair in ((sides[0], str(empty)), (str(empty), sides[0])):
        assert "empty.jsonl: holds no record" in str(run(*pair).exception)
