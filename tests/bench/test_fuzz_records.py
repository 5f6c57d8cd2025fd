"""Record files with mutated lines: a bad line is named and left out, and never changes the other lines'
records, which can be listed, compared and put into every report."""

from __future__ import annotations

import copy
import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fuzzing import cases
from records_helper import make_record

from gunrock_cli.bench.records.file import read_file
from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.regressions import compare
from gunrock_cli.bench.records.table import row
from gunrock_cli.bench.sweeps.texts import describe
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.evidence.papers import Papers
from gunrock_cli.report.registry import build
from gunrock_cli.report.render.csv import cells_csv

STRANGE: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1.5,
    -0.0,
    2**63,
    2**64,
    10**400,
    1e308,
    5e-324,
    float("nan"),
    float("inf"),
    "",
    "x",
    "[/red]",
    "\0",
    "\x1b[2J",
    "a\nb",
    "\ud800",
    "=1+1",
    "ok",
    "9" * 300,
    [],
    {},
    [[]],
    [1, "2"],
    [None],
    ["a", 2],
    {"": {}},
    {"mean": 1},
    {"mean": "1"},
    "2026-01-02T03:04:05Z",
]


PAPERS = Papers()
LINES = 40
"""The number of mutated lines of a file: the reports of a file take longer than its lines."""


@cache
def whole() -> str:
    """A line of a record with no empty field."""
    return make_record(
        id="whole",
        options={"alpha": 15.0, "idempotence": True, "direction": "push", "runs": 3},
        sources=[0, 0, 0],
        libraries={"numpy": "2"},
        phases_ms={"load": 1.0},
        warnings=["noisy"],
        depth=3,
        vertices_visited=90,
        edges_visited=1000,
        floor_ms=0.5,
        over_floor=2.0,
        peak_device_bytes=1,
        metrics={"over_default": 1.0, "iterations": 3},
        trace=[
            {
                "iteration": i,
                "phase": "push",
                "mode": "LB",
                "one_block": False,
                "frontier_vertices": 1,
                "frontier_edges": 9,
                "ms": 0.01,
            }
            for i in range(3)
        ],
        sweep={"name": "s", "cell": "c", "graph": "g"},
    ).to_json()


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths to all values within a value."""
    inner = (
        value.items()
        if isinstance(value, dict)
        else (enumerate(value) if isinstance(value, list) else ())
    )
    return [path, *(place for key, one in inner for place in places(one, (*path, key)))]


def mutated(chance: random.Random) -> bytes:
    """A line in which one to three values, keys or bytes are changed."""
    data: Any = json.loads(whole())
    data["id"] = f"m{chance.random()}"
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        path = chance.choice([place for place in places(data) if place])
        holder = data
        for key in path[:-1]:
            holder = holder[key]
        action = chance.choice(("replace", "replace", "replace", "delete", "rename", "grow"))
        if action == "delete":
            del holder[path[-1]]
        elif action == "rename" and isinstance(holder, dict):
            holder[str(chance.choice(STRANGE))] = holder.pop(path[-1])
        elif action == "grow" and isinstance(holder, dict):
            holder[str(chance.choice(STRANGE))] = copy.deepcopy(chance.choice(STRANGE))
        else:
            holder[path[-1]] = copy.deepcopy(chance.choice(STRANGE))
    line = bytearray(json.dumps(data).encode())
    if chance.random() < 0.2:
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(line))
            line[place : place + chance.randint(0, 2)] = chance.choice(
                (
                    b"",
                    b"\0",
                    b"\xff",
                    b"{",
                    b"]",
                    b'"',
                    b"e9999",
                    b"[" * 50,
                    b"\\ud800",
                    b":",
                    b"-",
                    b"\xe2\x80\xae",
                )
            )
    return bytes(line).replace(b"\n", b" ")


def use(records: list[Record]) -> None:
    """Run the commands' code on records, except the drawing of figures."""
    for record in records:
        row(record)
        json.loads(record.to_json())
        describe(record)
    compare(records, records[::-1])
    reports = build(ReportData(records, PAPERS), ())
    for table in [*reports.tables, *(figure.points for figure in reports.figures)]:
        table.cells = {place: cell for place, cell in table.cells.items() if cell.origin != "published"}
        cells_csv(table)


@pytest.mark.fuzz
def test_mutated_records(tmp_path: Path) -> None:
    chance, path = random.Random(14), tmp_path / "r.jsonl"
    good = make_record(id="good")
    read, left_out = 0, 0
    for _ in range(cases(400) // LINES):
        lines = [mutated(chance) for _ in range(LINES)]
        chance.shuffle(lines)
        path.write_bytes(b"\n".join([good.to_json().encode(), *lines, good.to_json().encode(), b""]))
        found = read_file(path)
        assert [record for record in found.records if record.id == "good"] == [good, good]
        blank = sum(not line.strip() for line in lines)
        assert len(found.records) + len(found.problems) == LINES + 2 - blank
        for problem in found.problems:
            assert str(problem).isprintable(), str(problem)
            assert 2 <= problem.line <= LINES + 1
        use(found.records)
        read, left_out = read + len(found.records) - 2, left_out + len(found.problems)
    assert min(read, left_out) > 0  # the mutations are neither all harmless nor all fatal


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 1_000_000,
        b'{"a":' * 100_000,
        b"9" * 100_000,
        b"-" + b"9" * 5000,
        b"1e400",
        b"NaN",
        b"\xff\xfe",
        b"null",
        b"\0",
        b'"' + b"x" * 100_000 + b'"',
        b"{}",
        b'{"schema": NaN}',
        b'{"schema": "gunrock-record/1", "status": []}',
        b'{"schema": "gunrock-record/1", "status": {}}',
    ],
    ids=range(14),
)
def test_strange_lines(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(line + b"\n" + make_record(id="good").to_json().encode() + b"\n")
    found = read_file(path)
    assert [record.id for record in found.records] == ["good"]
    assert [problem.line for problem in found.problems] == [1]
    assert str(found.problems[0]).isprintable()
    assert len(found.problems[0].message) < 300
