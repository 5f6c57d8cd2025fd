"""``gunrock results`` on real files."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from records_helper import failed_record, make_record, write_records
from terminal import stdout_on_terminal

from gunrock_cli.cli.main import cli
from gunrock_cli.errors import InputError


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["results", *arguments], catch_exceptions=True)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_records(
        tmp_path / "r.jsonl",
        [
            make_record(id="aa11"),
            make_record(graph="h", system="scipy", id="ab22"),
            failed_record("OOM", "no memory", id="cc33"),
        ],
    )


def test_list_filters_and_prints_json(file: Path) -> None:
    rows = json.loads(run("list", str(file), "--json").stdout)
    assert [row["id"] for row in rows] == ["aa11", "ab22", "cc33"]
    rows = json.loads(run("list", str(file), "--json", "--system", "scipy").stdout)
    assert [row["graph"] for row in rows] == ["h"]
    rows = json.loads(run("list", str(file), "--json", "--status", "OOM").stdout)
    assert [row["mean_ms"] for row in rows] == [None]


def test_list_prints_a_table(file: Path) -> None:
    result = run("list", str(file))
    assert result.exit_code == 0
    assert "3 records" in result.stdout
    assert "OOM" in result.stdout


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_list_shows_what_tells_runs_apart(columns: int, tmp_path: Path) -> None:
    records = [
        make_record(id=f"{mode}{src}", options={"mode": mode, "loop": "device"}, sources=[src])
        for mode in ("TM", "LB")
        for src in (3, 4)
    ]
    file = write_records(tmp_path / "r.jsonl", records)
    command = [sys.executable, "-m", "gunrock_cli.cli.main", "results", "list", str(file)]
    code, shown = stdout_on_terminal(command, columns)
    text = shown.decode()
    assert code == 0
    for record in records:
        assert f"mode={record.options['mode']} src={record.sources[0]}" in text
    assert "loop" not in text
    assert ("in every row: " in text) == (columns < 200)


def test_torn_lines_are_reported_on_stderr(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-5])
    result = run("list", str(file), "--json")
    assert len(json.loads(result.stdout)) == 2
    assert f"{file}:3: torn last line" in result.stderr


def test_of_very_many_bad_lines_only_some_are_named(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b"none\n" * 50)
    result = run("list", str(file), "--json")
    assert len(json.loads(result.stdout)) == 3
    assert result.stderr.count("no record") == 20
    assert "gunrock: 30 more bad lines; left out\n" in result.stderr


def test_show_by_prefix(file: Path) -> None:
    assert json.loads(run("show", "c", str(file), "--json").stdout)["error"] == "no memory"
    assert '"system": "scipy"' in run("show", "ab", str(file)).stdout


def test_show_refuses_ambiguous_and_unknown_ids(file: Path) -> None:
    ambiguous, unknown = run("show", "a", str(file)), run("show", "zz", str(file))
    assert isinstance(ambiguous.exception, InputError)
    assert "2 records" in str(ambiguous.exception)
    assert "no record" in str(unknown.exception)


def test_merge_keeps_each_record_once_in_order_of_time(file: Path, tmp_path: Path) -> None:
    early = make_record(graph="early", time="2020-01-01T00:00:00Z", id="ee")
    other = write_records(tmp_path / "o.jsonl", [early, make_record(id="aa11")])
    merged = tmp_path / "new" / "all.jsonl"
    assert run("merge", str(file), str(other), "-o", str(merged)).exit_code == 0
    ids = [json.loads(line)["id"] for line in merged.read_text().splitlines()]
    assert ids == ["ee", "aa11", "ab22", "cc33"]
    assert list(merged.parent.iterdir()) == [merged]


def test_a_narrow_terminal_keeps_the_time_and_what_tells_records_apart(tmp_path: Path) -> None:
    records = [
        make_record(
            "bfs",
            "a-graph-with-a-long-name",
            id=f"{name}-0123456789",
            options={"advance_mode": "AUTO", "idempotence": name == "a", "strategy": "fused"},
            device={"name": device},
        )
        for name, device in (("a", "NVIDIA H200"), ("b", "NVIDIA H200"), ("c", "NVIDIA H100"))
    ]
    file = write_records(tmp_path / "r.jsonl", records)
    command = [sys.executable, "-m", "gunrock_cli.cli.main", "results", "list", str(file)]
    code, shown = stdout_on_terminal(command, 80)
    lines = re.sub(r"\x1b\[[\d;]*m", "", shown.decode()).splitlines()
    assert code == 0
    assert max(map(len, lines)) <= 80
    text = "\n".join(lines)
    for word in ("mean", "idempotence=true", "idempotence=false", "H200", "H100"):
        assert word in text, text
