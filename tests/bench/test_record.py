"""Records follow the schema, and are read back as written."""

from __future__ import annotations

import json
import re
from dataclasses import fields, replace
from datetime import datetime, timedelta
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from jsonschema import Draft202012Validator
from records_helper import failed_record, make_record, write_records

from gunrock_cli import __version__
from gunrock_cli.bench.records.file import parse_record, read_file, read_records, repair_tail
from gunrock_cli.bench.records.record import STATUSES, Record, append_record
from gunrock_cli.errors import InputError

SCHEMA = json.loads((resources.files("gunrock_cli.bench.records") / "record.schema.json").read_text())


def validate(record: Record) -> None:
    jsonschema.validate(json.loads(record.to_json()), SCHEMA)


def test_schema_names_every_field_and_no_other() -> None:
    assert set(SCHEMA["properties"]) == {field.name for field in fields(Record)}
    assert SCHEMA["properties"]["status"]["enum"] == list(STATUSES)


def test_documentation_names_every_field() -> None:
    page = (Path(__file__).parents[2] / "docs" / "records.md").read_text()
    assert [f.name for f in fields(Record) if f"`{f.name}`" not in page] == []


def test_valid_records_pass_the_schema() -> None:
    validate(make_record())
    validate(
        make_record(
            trace=[
                {
                    "iteration": 0,
                    "phase": "push",
                    "mode": "LB",
                    "frontier_vertices": 1,
                    "frontier_edges": 9,
                    "ms": 0.01,
                }
            ]
        )
    )
    validate(failed_record("OOM", "out of memory"))


@pytest.mark.parametrize("change", [
    {"status": "fine"}, {"time": "yesterday"}, {"runs_ms": [-1.0]}, {"graph": {"vertices": -1}},
    {"status": "error"}, {"error": "but it was ok"}, {"trace": [{"phase": "push"}]},
])  # fmt: skip
def test_invalid_records_fail_the_schema(change: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        validate(replace(make_record(), **change))


def test_round_trip(tmp_path: Any) -> None:
    record = make_record(options={"alpha": 15, "idempotence": True}, id="abc")
    path = write_records(tmp_path / "r.jsonl", [record])
    assert read_file(path).records == [record]


def test_unknown_fields_of_a_newer_writer_are_ignored() -> None:
    data = json.loads(make_record(id="x").to_json()) | {"novelty": 1}
    assert parse_record(json.dumps(data)) == make_record(id="x")


def test_missing_ids_are_derived_from_content() -> None:
    first, again = (parse_record(make_record().to_json()) for _ in range(2))
    other = parse_record(make_record(graph="h").to_json())
    assert first.id == again.id != other.id
    assert len(first.id) == 12


def test_torn_last_line_is_reported_and_the_rest_kept(tmp_path: Any) -> None:
    path = write_records(tmp_path / "r.jsonl", [make_record(), make_record(graph="h")])
    path.write_bytes(path.read_bytes()[:-40])
    found = read_file(path)
    assert [record.graph["name"] for record in found.records] == ["g"]
    assert [str(problem) for problem in found.problems] == [
        f"{path}:2: torn last line (its writer was killed)"
    ]


def test_append_after_a_torn_line_loses_nothing_more(tmp_path: Any) -> None:
    path = write_records(tmp_path / "r.jsonl", [make_record(), make_record(graph="h")])
    path.write_bytes(path.read_bytes()[:-40])
    assert repair_tail(path)
    assert not repair_tail(path)
    append_record(path, make_record(graph="i"))
    found = read_file(path)
    assert [record.graph["name"] for record in found.records] == ["g", "i"]
    assert [problem.line for problem in found.problems] == [2]


@pytest.mark.parametrize(("line", "complaint"), [
    ("[]", "not a JSON object"),
    ('{"schema": "gunrock-record/9"}', "schema is 'gunrock-record/9'"),
    ('{"schema": "gunrock-record/1", "status": "ok"}', "missing"),
    ('{"schema": "gunrock-record/1", "status": "good"}', "not one of ok"),
])  # fmt: skip
def test_lines_that_are_no_records_are_named(tmp_path: Any, line: str, complaint: str) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(f"\n{line}\n{make_record().to_json()}\n")
    found = read_file(path)
    assert len(found.records) == 1
    assert found.problems[0].line == 2
    assert complaint in found.problems[0].message


@pytest.mark.parametrize(("change", "complaint"), [
    ({"iterations": "many"}, "iterations must be integer or null"),
    ({"runs_ms": [1.0, "2"]}, "runs_ms[1] must be number"),
    ({"warnings": "noisy"}, "warnings must be array"),
    ({"time_ms": {"mean": 1.0}}, "time_ms must contain"),
    ({"graph": {"name": 3}}, "graph.name must be string"),
    ({"options": {"alpha": [1]}}, "options.alpha must be string or number"),
    ({"trace": [{"iteration": 0, "ms": "a"}]}, "trace[0].ms must be number"),
    ({"graph": {"vertices": 2**63}}, "graph.vertices must be smaller than"),
    ({"metrics": {"warp_execution_efficiency": "high"}}, "must be number"),
])  # fmt: skip
def test_fields_that_are_not_as_the_schema_says_are_named(change: dict[str, Any], complaint: str) -> None:
    data = json.loads(make_record().to_json()) | change
    with pytest.raises(ValueError, match=re.escape(complaint)):
        parse_record(json.dumps(data))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, SCHEMA)


@pytest.mark.parametrize(("old", "new", "complaint"), [
    ('"iterations":4', '"iterations":4,"iterations":5', "'iterations' is there twice"),
    ('"mean_degree":10.0', '"mean_degree":NaN', "NaN is not a JSON number"),
    ('"mean_degree":10.0', '"mean_degree":1e999', "1e999 is out of range"),
    ('"mean_degree":10.0', '"mean_degree":1e-999', "1e-999 is out of range"),
    ('"vertices":100', '"vertices":1' + "0" * 5000, "is out of range"),
    ('"test"', r'"\ud800"', "surrogate"),
    ('"origin":{}', '"origin":' + '{"a":' * 40 + "1" + "}" * 40, "nested more than 32 deep"),
    ('"origin":{}', '"origin":' + "[" * 100_000, "nested too deeply"),
])  # fmt: skip
def test_json_that_is_no_good_is_refused(old: str, new: str, complaint: str) -> None:
    line = make_record().to_json()
    assert old in line
    with pytest.raises(ValueError, match=complaint):
        parse_record(line.replace(old, new))


def test_names_that_are_no_text_are_written_out() -> None:
    """A record with bytes of a file's name that are not UTF-8 was once refused when it was read.
    Characters of four bytes stay as they are."""
    record = make_record(graph='bad\udcff \U0001f600 \\ "', command=["gunrock", "\udcff\udc80.mtx"])
    found = parse_record(record.to_json())
    assert found.graph["name"] == 'bad\\udcff \U0001f600 \\ "'
    assert found.command[1] == r"\udcff\udc80.mtx"
    assert parse_record(found.to_json()) == found


@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.long)])
def test_the_schema_is_compiled_from_the_file(every: int) -> None:
    """Both readers of the schema agree: the tool's on all records in the tree, the library's, which is
    slow, on one of ``every`` so many, the first of each file among them."""
    checked, validator = 0, Draft202012Validator(SCHEMA)
    for path in sorted((Path(__file__).parents[2] / "results").rglob("*.jsonl")):
        for place, line in enumerate(path.read_text().splitlines()):
            if place % every == 0:
                validator.validate(json.loads(line))
            checked += bool(parse_record(line))
    assert checked > 400


def test_a_named_file_without_any_record_is_an_input_error(tmp_path: Any) -> None:
    good = write_records(tmp_path / "d" / "good.jsonl", [make_record()])
    other = tmp_path / "d" / "other.jsonl"
    other.write_text("# Notes\n\nnone\n")
    with pytest.raises(
        InputError,
        match=r"other.jsonl:1: holds no record; the first of 2 bad lines: "
        r"no record: not JSON",
    ):
        read_records([str(good), f"{tmp_path}/d/./other.jsonl"])
    found = read_records([str(tmp_path / "d")])  # a file in a folder may be next to records
    assert len(found.records) == 1
    assert len(found.problems) == 2


def test_folders_patterns_and_overlaps(tmp_path: Any) -> None:
    one = write_records(tmp_path / "a" / "one.jsonl", [make_record()])
    write_records(tmp_path / "a" / "two.jsonl", [make_record(), make_record(graph="h")])
    names = [record.graph["name"] for record in read_records([str(tmp_path)]).records]
    assert sorted(names) == ["g", "h"]
    assert len(read_records([str(tmp_path / "a" / "o*.jsonl"), str(one)]).records) == 1


def test_missing_files_are_input_errors(tmp_path: Any) -> None:
    with pytest.raises(InputError, match="No such file"):
        read_records([str(tmp_path / "none.jsonl")])
    with pytest.raises(InputError, match="no record files"):
        read_records([str(tmp_path)])


def test_each_record_begins_alike() -> None:
    first, second = Record.new("bfs"), Record.new("bfs", "scipy", "OOM", error="no memory")
    assert first.id != second.id
    assert (first.system, first.status) == ("gunrock", "ok")
    assert (second.system, second.status, second.error) == ("scipy", "OOM", "no memory")
    assert first.gunrock["version"] == __version__
    assert datetime.fromisoformat(first.time).utcoffset() == timedelta(0)


def test_records_are_born_in_one_place() -> None:
    root = Path(__file__).parents[2] / "gunrock_cli"
    born = [
        str(path.relative_to(root))
        for path in root.rglob("*.py")
        if re.search(r"\bRecord\(|uuid4", path.read_text())
    ]
    assert born == ["bench/records/record.py"]
