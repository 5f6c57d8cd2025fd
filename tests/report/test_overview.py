"""The beginning of a page, and its filters."""

from __future__ import annotations

from typing import Any

import pytest
from records_helper import failed_record, make_record
from sample_records import sample_records

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.forms.cells import Cell, Table
from gunrock_cli.report.registry import Reports, build
from gunrock_cli.report.render.facets import Known
from gunrock_cli.report.render.html import page, records_script
from gunrock_cli.report.render.overview import overview
from gunrock_cli.report.render.picture import LEFT, RIGHT, picture
from gunrock_cli.report.render.views import split, table_view
from gunrock_cli.report.tables import beside


def facts(*records: Record) -> dict[str, str]:
    return dict(overview(ReportData(list(records))).facts)


def drawn_panels(*records: Record) -> list[dict[str, Any]]:
    data = ReportData(list(records))
    panels: list[dict[str, Any]] = picture(data, beside.build(data))["panels"]
    return panels


def test_a_run_in_four_facts() -> None:
    found = facts(
        make_record(gunrock={"commit": "abc-dirty"}, time="2026-01-03T00:00:00Z"),
        make_record("sssp", "h", system="scipy", gunrock={"commit": "def"}),
        failed_record("OOM", "x", "cc", "h"),
    )
    assert found == {
        "What": "BFS, SSSP, CC on 2 graphs by 2 systems: 3 configurations, 2 ok, 1 OOM.",
        "On": "gunrock, SciPy on Test CPU (2 threads).",
        "When": "2026-01-02 to 2026-01-03",
        "Commit": "abc-dirty, def, not recorded",
    }


def test_the_title_is_the_runs_name() -> None:
    named = [make_record("bfs", name, sweep={"name": name}) for name in "abcdef"]
    assert overview(ReportData(named[:2])).title == "gunrock: a, b"
    assert overview(ReportData(named)).title == "gunrock: a, b, c, d and 2 more"
    assert overview(ReportData([make_record()])).title == "gunrock: Test CPU"
    assert overview(ReportData([])).title == "gunrock: the papers' tables and figures"
    assert {overview(ReportData(some), "Mine").title for some in (named, [])} == {"Mine"}


def test_a_line_of_the_picture_knows_the_ratio_on_each_graph() -> None:
    records = [
        make_record("bfs", name, system, runs=(ms,))
        for name, times in (("a", (1.0, 8.0, 4.0)), ("b", (2.0, 2.0, 6.0)))
        for system, ms in zip(("gunrock", "scipy", "igraph"), times, strict=True)
    ]
    (panel,) = drawn_panels(*records)
    assert [line["ratios"] for line in panel["lines"]] == [
        {"a": 8.0, "b": 1.0},
        {"a": 4.0, "b": 3.0},
        {"a": 4.0, "b": 1.0},  # the fastest of them
    ]
    assert panel["facets"]["primitive"] == ["BFS"]
    assert panel["lines"][0]["facets"]["system"] == ["gunrock, Test", "SciPy, Test"]


def test_only_what_was_measured_is_shown_unless_all_is_asked_for() -> None:
    data = ReportData([make_record("bfs", "a")])
    names = [table.name for table in build(data, everything=False).tables]
    assert "measured" in names
    assert "ppopp16-table4" not in names
    assert "ppopp16-table4" in [table.name for table in build(data).tables]
    assert [table.name for table in build(data, ["ppopp16-table4"], everything=False).tables]
    assert len(build(ReportData([]), everything=False).tables) == len(build(data).tables)


def test_own_columns_come_first(data: ReportData) -> None:
    table = build(data, ["ppopp16-table3"]).tables[0]
    columns = [label for group, label in table.columns if group == "Runtime (ms)"]
    assert columns[:2] == ["gunrock, Test GPU", "CuSha"]
    claims = build(data, ["ppopp16-claims"]).tables[0]
    assert next(iter(claims.columns)) == ("", "Verdict")


def test_the_picture_is_of_checked_runs_only() -> None:
    def drawn(**fields: object) -> list[str]:
        records = [
            make_record(runs=(1.0,)),
            make_record(system="scipy", runs=(2.0,)),
            make_record(system="igraph", runs=(4.0,), **fields),
        ]
        return [line["name"] for panel in drawn_panels(*records) for line in panel["lines"]]

    assert drawn() == ["SciPy, Test", "igraph, Test", "the fastest of them"]
    assert drawn(validation={"verdict": "skipped"}) == ["SciPy, Test"]
    assert drawn_panels() == []


def test_the_picture_has_the_tables_means_and_marks() -> None:
    records = [make_record("bfs", "a", runs=(1.0,)), make_record("bfs", "a", "scipy", runs=(0.5,))]
    line = drawn_panels(*records)[0]["lines"][0]
    assert line["mean"] == "0.5¶"
    assert line["behind"]
    assert line["tip"] == (
        "BFS, gunrock, Test over SciPy, Test: geometric mean 0.5¶ on 1 graph, "
        "worst 0.5 (a)¶, best 0.5 (a)¶"
    )
    assert line["from"] == line["at"] == line["to"]


@pytest.mark.parametrize(
    ("slow", "ticks"),
    [(2.0, ["1", "10"]), (5e5, ["1", "100", "10000"]), (2e-3, ["0.01", "0.1", "1", "10"])],
)
def test_the_pictures_axis_has_room_for_its_numbers(slow: float, ticks: list[str]) -> None:
    records = [make_record(runs=(1.0,)), make_record(system="scipy", runs=(slow,))]
    found = drawn_panels(*records)[0]
    assert [text for _, text in found["ticks"]] == ticks
    assert all(
        LEFT <= float(line[end]) <= RIGHT for line in found["lines"] for end in ("from", "at", "to")
    )


@pytest.mark.parametrize(
    ("name", "papers", "others"),
    [("ppopp16-table3", 30, 3), ("ppopp16-table1", 6, None), ("beside", 0, None)],
)
def test_papers_rows_stand_apart(data: ReportData, name: str, papers: int, others: int | None) -> None:
    table = build(data, [name]).tables[0]
    first, rest = split(table)
    assert len(first) == papers
    for some in (first, rest):
        assert some == [row for row in table.rows if row in some]  # in the table's order
    assert len(first) + len(rest) == len(table.rows)
    if others is not None:
        assert len(rest) == others


def test_measured_rows_of_a_papers_data_set_stay_beside_its_own() -> None:
    table = Table("t", "T", ("Dataset", "System"))
    for row, origin in (
        (("kron", "paper"), "published"),
        (("kron", "ours"), "measured"),
        (("g", "ours"), "measured"),
    ):
        table.put(row, ("", "x"), Cell("1", 1, origin))  # type: ignore[arg-type]
    assert split(table) == ([("kron", "paper"), ("kron", "ours")], [("g", "ours")])


def test_parts_leave_out_columns_that_say_nothing_of_them(data: ReportData) -> None:
    table = build(data, ["ppopp16-table3"]).tables[0]
    view = table_view(table, Known(data))
    further = [(head["group"], head["label"]) for head in view["more"]["heads"]]
    assert ("Runtime (ms)", "gunrock, Test GPU") in further
    assert not any("†" in label for _, label in further)
    cells = [cell["text"] for row in view["main"]["rows"] for cell in row["cells"]]
    assert "" in cells
    assert cells.count("—") == 0


def test_a_long_table_of_our_own_is_folded_whole() -> None:
    records = [make_record("bfs", f"g{number}", id=f"r{number}") for number in range(61)]
    data = ReportData(records)
    view = table_view(build(data, ["measured"]).tables[0], Known(data))
    assert view["main"] is None
    assert (view["more"]["id"], view["folded"]) == ("measured-table", "All 61 rows")


def test_rows_and_columns_say_what_they_are_of(data: ReportData) -> None:
    known = Known(data)
    table = build(data, ["ppopp16-table2"]).tables[0]
    assert known.of_row(table, ("BFS",)) == {"primitive": ["BFS"]}
    assert known.of_column(("", "gunrock, Test GPU over SciPy, Test")) == {
        "system": ["gunrock, Test GPU", "SciPy, Test"]
    }
    assert known.of_column(("", "gunrock, Test GPU, distances")) == {"system": ["gunrock, Test GPU"]}
    assert known.of_column(("", "mean ms")) == {}
    points = build(data, ["ppopp16-figure8"]).figures[0].points
    assert known.of_row(points, ("roadNet-CA, Test GPU", "Workload mapping")) == {"graph": ["roadNet-CA"]}
    chosen = known.choices([{"primitive": ["CC", "BFS"]}])
    assert chosen == {"primitive": ["BFS", "CC"], "graph": [], "system": []}


def test_a_record_that_is_given_twice_stands_once() -> None:
    data = ReportData([*sample_records(), *sample_records()])
    text = records_script(data, Reports(build(data).tables, []))
    assert text.count('"bfs-soc": {') == 1


def test_a_page_of_one_figure_or_of_nothing_is_whole() -> None:
    for records, only in (([], []), (sample_records(), ["ppopp16-figure7"])):
        data = ReportData(records)
        text = page(data, build(data, only))
        assert "<h1>" in text
        assert ('class="panel"' in text) == bool(records)
