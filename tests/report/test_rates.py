"""MTEPS as each paper counts edges."""

from __future__ import annotations

import pytest
from records_helper import make_record

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.evidence.rates import counting, mteps
from gunrock_cli.report.registry import build

EDGES = 1000
KRON = {
    "kind": "rmat",
    "scale": 20,
    "edge_factor": 48,
    "edges": 48 << 20,
    "a": 0.57,
    "b": 0.19,
    "c": 0.19,
    "undirected": True,
}


def bc() -> Record:
    """A record with 2 ms per run; ``mteps`` counts BC's edges twice."""
    return make_record("bc", "g", runs=10 * (2.0,), edges_visited=EDGES, mteps=2 * EDGES / 2.0 / 1e3)


def test_bc_is_counted_once_or_twice_as_the_paper_does() -> None:
    assert mteps(bc(), "arxiv15") == pytest.approx(0.5)
    assert mteps(bc(), "ppopp16") == pytest.approx(1.0)


@pytest.mark.parametrize("source", ["arxiv15", "ppopp16"])
def test_other_primitives_count_once_everywhere(source: str) -> None:
    record = make_record("sssp", "g", runs=(2.0,), edges_visited=EDGES, mteps=0.5)
    assert mteps(record, source) == 0.5


def test_each_table_counts_as_its_paper_and_says_so() -> None:
    record = bc()
    record.graph["origin"] = KRON
    reports = build(ReportData([record]))
    tables = {table.name: table for table in reports.tables}
    ours = "gunrock, Test"
    for name, row, rate in (
        ("arxiv15-table2", ("BC", "kron"), 0.5),
        ("arxiv15-table3", ("kron_g500-logn20", ours), 0.5),
        ("ppopp16-table3", ("BC", "g"), 1.0),
    ):
        column = ("MTEPS", "BC" if name == "arxiv15-table3" else ours)
        assert tables[name].cell(row, column).value == pytest.approx(rate), name
        assert counting(name.partition("-")[0]) in tables[name].caption
    assert "BC once" in tables["arxiv15-table3"].caption
    assert "BC twice" in tables["ppopp16-table3"].caption
    assert "credited with the edges that it skipped" in tables["ppopp16-table3"].caption


def test_edges_inspected_stand_beside_the_rate_where_they_were_counted() -> None:
    plain, counted = make_record("bfs", "a"), make_record("bfs", "b")
    assert not [
        group
        for group, _ in build(ReportData([plain]), ["ppopp16-table3"]).tables[0].columns
        if group == "Edges inspected"
    ]
    counted.edges_inspected = 77  # type: ignore[attr-defined, unused-ignore]
    found = build(ReportData([plain, counted]), ["ppopp16-table3"]).tables[0]
    assert found.cell(("BFS", "b"), ("Edges inspected", "gunrock, Test")).value == 77
    assert found.text(("BFS", "a"), ("Edges inspected", "gunrock, Test")) == "—"
