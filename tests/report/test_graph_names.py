"""A graph with several names is one row, and two graphs are two."""

from __future__ import annotations

from typing import Any

import pytest
from records_helper import failed_record, make_record

from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.table import graph_name
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.registry import build

GRID = {"kind": "grid2d", "width": 9, "height": 9, "generator_version": 1, "weights": None}


def named(name: str, content: str, origin: dict[str, Any] | None = None, **fields: Any) -> Record:
    record = make_record(**{"id": f"{name}-{content}", "options": {"as": name}, **fields})
    record.graph |= {"name": "file", "hash": content, "origin": origin or {}}
    record.sweep = {"name": "s", "graph": name}
    return record


def names(*records: Record) -> list[str]:
    return [graph_name(record) for record in ReportData(records).records]


@pytest.mark.parametrize(
    ("one", "other", "shown"),
    [
        (("a", "x", None), ("b", "x", None), ["a", "a"]),
        (("a", "x", None), ("b", "y", None), ["a", "b"]),
        (("a", "x", None), ("b", "x", {"stand_in": True}), ["a", "b (stand-in)"]),
        (("a", "x", GRID), ("b", "y", {**GRID, "weights": "random:1:64"}), ["a", "a"]),
        (("a", "x", GRID), ("b", "x", {**GRID, "width": 8}), ["a", "b"]),
    ],
)
def test_names_of_graphs(one: tuple[Any, ...], other: tuple[Any, ...], shown: list[str]) -> None:
    assert names(named(*one), named(*other)) == shown


def test_a_run_that_never_had_its_graph_goes_by_its_name() -> None:
    early = failed_record("timeout", "took longer than 9 s", sweep={"name": "s", "graph": "b"})
    early.graph = {}
    assert names(named("a", "x"), named("b", "x"), early) == ["a", "a", "a"]
    assert names(named("a", "x"), named("b", "x"), named("b", "y"), early) == ["a", "a", "b", "b"]


def test_one_graph_is_one_row() -> None:
    """The peer's time under one name is shown with ours under the other."""
    ours = named("a", "x", runs=10 * (2.0,))
    theirs = named("b", "x", system="scipy", runs=10 * (8.0,))
    found = build(ReportData([ours, theirs]), ["ppopp16-table3", "beside"])
    assert {row[1] for row in found.tables[0].rows if row[1] in "ab"} == {"a"}
    (row,) = found.tables[1].rows
    assert found.tables[1].cell(row, ("", "Geometric mean")).value == pytest.approx(4.0)
