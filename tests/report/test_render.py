"""Every format holds the same cells, and each can be traced to its record."""

from __future__ import annotations

import io
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sample_records import sample_records

from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.forms.plot import Figure, page_svg, render
from gunrock_cli.report.registry import Reports, build
from gunrock_cli.report.render.csv import cells_csv, csv
from gunrock_cli.report.render.html import page, records_script
from gunrock_cli.report.render.latex import escape, latex
from gunrock_cli.report.render.markdown import markdown
from gunrock_cli.report.write import write


@pytest.fixture(scope="module")
def reports() -> Reports:
    return build(ReportData(sample_records()))


def table3(reports: Reports) -> Table:
    return next(table for table in reports.tables if table.name == "ppopp16-table3")


def test_markdown_is_a_rectangle_and_names_records(reports: Reports) -> None:
    found = table3(reports)
    text = markdown(found)
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == len(found.rows) + 2
    assert {line.count("|") for line in rows} == {len(found.columns) + 3}
    assert "- BFS / soc / Runtime (ms) / gunrock, Test GPU: `bfs-soc`" in text


def test_csv_headings_say_where_figures_come_from(reports: Reports) -> None:
    frame = pd.read_csv(io.StringIO(csv(table3(reports))))
    row = frame[(frame["Alg."] == "BFS") & (frame["Dataset"] == "soc")].iloc[0]
    assert row["Runtime (ms): Gunrock (published)"] == "47.23"
    assert row["Runtime (ms): gunrock, Test GPU (measured)"] == "2.1"


def test_long_csv_has_one_line_a_cell_with_its_record(reports: Reports) -> None:
    found = table3(reports)
    frame = pd.read_csv(io.StringIO(cells_csv(found)))
    assert len(frame) == len(found.cells)
    measured = frame[frame["origin"] == "measured"]
    assert measured["records"].notna().all()
    assert frame[frame["origin"] == "published"]["records"].isna().all()


def test_latex_is_balanced_escaped_and_traced(reports: Reports) -> None:
    assert escape("a_b & 5% † {x}") == r"a\_b \& 5\% \textdagger{} \{x\}"
    for found in reports.tables:
        text = latex(found)
        body = re.sub(r"(?m)^%.*$", "", text)
        assert body.count(r"\begin{") == body.count(r"\end{")
        assert not re.search(r"(?<!\\)_", body.replace("tab:", "")), found.name
    assert "% BFS / soc / Runtime (ms) / gunrock, Test GPU: bfs-soc" in latex(table3(reports))


@pytest.mark.parametrize("form", ["svg", "png"])
def test_figures_are_drawn(reports: Reports, form: str) -> None:
    for figure in reports.figures:
        assert figure.draw is not None, figure.name
        content = render(figure, form)
        assert len(content) > 3000
        if form == "svg":
            ET.fromstring(content)
            assert render(figure, form) == content  # the same every time
        else:
            assert content.startswith(b"\x89PNG")


def test_a_figure_is_drawn_once_for_each_form(reports: Reports, tmp_path: Path) -> None:
    drawn = []
    own = next(figure for figure in reports.figures if figure.name == "scalability")

    def noting(canvas: Any) -> None:
        drawn.append(canvas)
        assert own.draw is not None
        own.draw(canvas)

    one = Figure(own.points, noting, own.size)
    files = write(tmp_path, "html", ReportData([]), Reports([], [one]))
    assert {file.name for file in files} == {"index.html", "records.js", "scalability.svg"}
    assert len(drawn) == 1
    files = write(tmp_path, "markdown", ReportData([]), Reports([], [one]))
    assert {file.suffix for file in files} == {".md", ".svg", ".png"}
    assert len(drawn) == 2


def test_figure_points_keep_origins_apart(reports: Reports) -> None:
    points = next(f for f in reports.figures if f.name == "ppopp16-figure7").points
    rows = {row: {cell.origin for r, _, cell in points.each() if r == row} for row in points.rows}
    assert all(len(origins) == 1 for origins in rows.values())
    assert {"published", "measured"} == set.union(*rows.values())
    cell = points.cell(("BFS", "Hardwired GPU"), ("", "soc"))
    assert cell.value == pytest.approx(45.43 / 47.23)


def test_figure8_compares_runs_that_differ_in_one_option(reports: Reports) -> None:
    points = next(f for f in reports.figures if f.name == "ppopp16-figure8").points
    row = ("roadNet-CA, Test GPU", "Workload mapping")
    assert points.cell(row, ("", "advance_mode=TM")).records == ("bfs-road-tm",)
    assert points.cell(row, ("", "advance_mode=AUTO")).records == ("bfs-road",)
    other = ("roadNet-CA, Test GPU", "Idempotent operations")
    assert points.cell(other, ("", "idempotence=false")).records == ("bfs-road-exact",)


def test_svg_for_pages_takes_the_pages_ink_and_unique_ids(reports: Reports) -> None:
    texts = [page_svg(figure) for figure in reports.figures]
    ids = [found for text in texts for found in re.findall(r'\bid="([^"]+)"', text)]
    assert len(ids) == len(set(ids))
    for text in texts:
        assert "#010203" not in text
        assert "currentColor" in text
        references = set(re.findall(r'(?:xlink:href="#|url\(#)([^")]+)', text))
        assert references <= set(re.findall(r'\bid="([^"]+)"', text))


def test_page_needs_nothing_from_outside(data: ReportData, reports: Reports) -> None:
    text = page(data, reports)
    used = re.findall(r'(?:src|href)="([^"]*)"', text)
    assert [link for link in used if not link.startswith(("#", "data:"))] == ["records.js"]
    assert "@import" not in text
    assert not re.search(r"url\((?!#)", text)


def test_page_escapes_what_records_say(data: ReportData) -> None:
    data.records[0].error = "<script>alert(1)</script>"
    data.records[0].graph["name"] = "<b>g</b>"
    text = page(data, build(data))
    assert "<script>alert(1)" not in text
    assert "<b>g</b>" not in text


def test_page_offers_no_table_without_rows() -> None:
    none = ReportData([])
    reports = build(none)
    text = page(none, reports)
    missing = {each.name for each in reports.tables if not each.rows}
    assert {"classics", "ceilings"} <= missing
    for table in reports.tables:
        assert (f'data-table="{table.name}-' in text) == (table.name not in missing)
    assert re.search(r"<tbody>\s*</tbody>", text) is None


def test_every_measured_link_of_the_page_has_its_record(data: ReportData, reports: Reports) -> None:
    text = page(data, reports)
    targets = set(re.findall(r'href="#(r-[^"]+)"', text))
    assert len(targets) >= 14
    script = (
        records_script(data, reports).removeprefix("var gunrockRecords = ").rstrip().removesuffix(";")
    )
    assert targets <= {f"r-{name}" for name in json.loads(script)}


@pytest.mark.parametrize(
    ("form", "ending"), [("markdown", ".md"), ("csv", "-cells.csv"), ("latex", ".tex"), ("html", ".html")]
)
def test_written_files(
    data: ReportData, reports: Reports, tmp_path: Path, form: str, ending: str
) -> None:
    """With two figures: another test draws them all."""
    some = Reports(reports.tables, reports.figures[:2])
    written = write(tmp_path / "out", form, data, some)
    assert all(path.stat().st_size for path in written)
    assert any(path.name.endswith(ending) for path in written)
    assert {path.stem for path in written if path.suffix == ".svg"} == {
        figure.name for figure in some.figures
    }
