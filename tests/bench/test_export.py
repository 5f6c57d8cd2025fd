"""Records as other programs' files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from records_helper import make_record, write_records

from gunrock_cli.bench.records.export import github_action_benchmark, not_exported
from gunrock_cli.cli.main import cli


def test_an_entry_for_the_newest_of_each_cell() -> None:
    records = [
        make_record(id="old", runs=(9.0, 9.0), time="2026-01-01T00:00:00+00:00"),
        make_record(id="new", runs=(2.0, 3.0), time="2026-01-02T00:00:00+00:00"),
        make_record("sssp", id="x", runs=(4.0,)),
    ]
    assert github_action_benchmark(records) == [
        {
            "name": "bfs, g, gunrock, Test CPU",
            "unit": "ms",
            "value": 2.5,
            "range": "± 0.7071",
            "extra": "runs: 2\nchecked: pass\nrecord: new",
        },
        {
            "name": "sssp, g, gunrock, Test CPU",
            "unit": "ms",
            "value": 4.0,
            "range": "± 0",
            "extra": "runs: 1\nchecked: pass\nrecord: x",
        },
    ]


def test_options_are_named_where_nothing_else_differs() -> None:
    records = [make_record(options={"advance_mode": mode, "src": 0}) for mode in ("TM", "LB")]
    names = [entry["name"] for entry in github_action_benchmark(records)]
    assert [name.rpartition(" ")[2] for name in names] == ["advance_mode=TM", "advance_mode=LB"]
    assert len({name.rpartition(" ")[0] for name in names}) == 1


def test_statistics_can_be_chosen() -> None:
    for use, value in (("mean", 2.0), ("median", 1.5), ("min", 0.5)):
        (entry,) = github_action_benchmark([make_record(runs=(0.5, 1.0, 2.0, 4.5))], use)
        assert entry["value"] == value


@pytest.mark.parametrize("to_file", [True, False])
def test_the_command(tmp_path: Path, to_file: bool) -> None:
    """Failed cells are left out and named, and the exit code is 1."""
    good = make_record(id="aa11")
    bad = make_record("bc", id="bb22", status="wrong", error="scores differ")
    path = write_records(tmp_path / "r.jsonl", [good, bad])
    target = tmp_path / "b.json"
    done = CliRunner().invoke(
        cli, ["results", "export", str(path), *(["--output", str(target)] if to_file else [])]
    )
    assert done.exit_code == 1
    assert "gunrock: bc on" in done.stderr
    entries = json.loads(target.read_text() if to_file else done.stdout)
    assert entries == github_action_benchmark([good])
    assert not_exported([good, bad]) == [bad]


def test_the_order_of_records_does_not_name_them() -> None:
    records = [make_record(options={"delta": value}) for value in (1, 2, 3)]
    names = [
        {entry["name"] for entry in github_action_benchmark(order)} for order in (records, records[::-1])
    ]
    assert names[0] == names[1]
    assert len(names[0]) == 3
