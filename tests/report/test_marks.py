"""Marks of measured cells that say how they were measured."""

from __future__ import annotations

from typing import Any

import pytest
from records_helper import failed_record, make_record

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.evidence.marks import marks_of
from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.registry import build

TEN = 10 * (1.0,)
MODIFIED = {"version": "0", "commit": "865d2cf1441b-dirty"}


def signs(record: Record, runs: int | None = 10) -> str:
    return "".join(mark.sign for mark in marks_of(record, runs))


def test_a_checked_run_of_ten_from_a_clean_tree_has_no_mark() -> None:
    assert signs(make_record(runs=TEN)) == ""


@pytest.mark.parametrize(("record", "expected"), [
    (make_record(runs=TEN, validation={"verdict": "skipped"}), "?"),
    (make_record(runs=TEN, validation={}), "?"),
    (make_record(runs=TEN, validation={"verdict": "pass", "extent": "number"}), "≈"),
    (make_record(runs=TEN, validation={"verdict": "skipped", "extent": "self"}), "※"),
    (make_record(runs=TEN, status="wrong", error="x", validation={"verdict": "fail"}), ""),
    (make_record(runs=9 * (1.0,)), "¶"),
    (make_record(runs=TEN, gunrock=MODIFIED), "°"),
    (make_record(runs=TEN, gunrock={"version": "0", "modified": True}), "°"),
    (make_record("sssp", runs=TEN, system="cugraph"), "‖"),
    (make_record("bfs", runs=TEN, system="cugraph"), ""),
    (make_record("sssp", runs=(1.0,), system="cugraph", gunrock=MODIFIED, validation={}), "‖?¶°"),
    (make_record(runs=TEN, command=["gunrock", "bfs", "g", "--direction", "push"]), "◊"),
    (make_record(runs=TEN, command=["gunrock", "bfs", "g", "--direction", "push"], system="bgl"), ""),
    (make_record("pagerank", runs=TEN, metrics={"iterations": 13, "renumber_ms": 5.0}), "⇅"),
    (failed_record("OOM", "x"), ""),
])  # fmt: skip
def test_marks(record: Record, expected: str) -> None:
    assert signs(record) == expected


def test_runs_count_only_where_a_paper_says_how_many() -> None:
    assert signs(make_record(runs=(1.0,)), runs=None) == ""


def test_a_peer_says_itself_what_more_it_does() -> None:
    record = make_record("bfs", runs=TEN, system="other")
    record.more_work = "sorting"  # type: ignore[attr-defined, unused-ignore]
    assert "sorting" in marks_of(record)[0].note


def test_every_table_that_shows_a_record_marks_it() -> None:
    """Every such table also explains the mark below."""
    rmat = {"kind": "rmat", "edge_factor": 48, "a": 0.57, "b": 0.19, "c": 0.19, "undirected": True}
    how: dict[str, Any] = {"gunrock": MODIFIED, "validation": {"verdict": "skipped"}}
    records = []
    for scale in (20, 21):
        for system in ("gunrock", "scipy"):
            for options in (
                {"direction": "push", "idempotence": True},
                {"direction": "push", "idempotence": False},
            ):
                record = make_record(
                    "bfs",
                    f"rmat-{scale}",
                    system=system,
                    runs=TEN,
                    options=options,
                    sources=list(range(10)),
                    **how,
                )
                record.graph["origin"] = {**rmat, "scale": scale, "edges": 48 << scale}
                records.append(record)
    records.append(
        make_record("bfs", "p", runs=(), gunrock=MODIFIED, metrics={"warp_execution_efficiency": 0.5})
    )
    for number, record in enumerate(records):
        record.id = f"r{number}"
    reports = build(ReportData(records))
    tables: list[Table] = [*reports.tables, *(figure.points for figure in reports.figures)]
    shown = [table for table in tables if table.record_ids]
    assert {table.name for table in shown} >= {
        "ppopp16-table1",
        "ppopp16-table2",
        "ppopp16-table3",
        "ppopp16-table4",
        "arxiv15-table2",
        "arxiv15-table3",
        "merrill12-table2",
        "measured",
        "ppopp16-figure7",
        "ppopp16-figure8",
    }
    for table in shown:
        cells = [cell for _, _, cell in table.each() if cell.records and cell.value is not None]
        assert cells, table.name
        assert all("°" in cell.flag for cell in cells), table.name
        assert any(note.startswith("° ") for note in table.all_notes), table.name


def test_an_unchecked_cell_of_table_3_is_marked() -> None:
    record = make_record("sssp", "rgg_n_2_24_s0", runs=TEN, validation={"verdict": "skipped"})
    found = build(ReportData([record]), ["ppopp16-table3"]).tables[0]
    assert found.text(("SSSP", "rgg"), ("Runtime (ms)", "gunrock, Test")) == "1?"
    assert "? the answer of this run was not checked." in found.all_notes


def test_a_speedup_has_the_marks_of_both_sides() -> None:
    ours = make_record("sssp", "g", runs=TEN, gunrock=MODIFIED, id="ours")
    theirs = make_record("sssp", "g", system="cugraph", runs=TEN, id="theirs")
    reports = build(ReportData([ours, theirs]), ["ppopp16-table2", "ppopp16-figure7"])
    for table in (reports.tables[0], reports.figures[0].points):
        measured = [cell for _, _, cell in table.each() if cell.origin == "measured"]
        assert [cell.flag for cell in measured] == ["°‖"]
        assert measured[0].records == ("ours", "theirs")
