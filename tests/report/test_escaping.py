"""Names from outside have no meaning in the formats that they are written in."""

from __future__ import annotations

import csv as standard_csv
import io
import re
import xml.etree.ElementTree as ET

import pytest
from markdown_it import MarkdownIt
from records_helper import make_record
from rich.console import Console
from sample_records import GPU

from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.forms.cells import Cell, Mark, Table
from gunrock_cli.report.forms.plot import page_svg, render
from gunrock_cli.report.registry import build
from gunrock_cli.report.render import csv, html, latex, markdown, terminal
from gunrock_cli.visible import visible

NASTY = [
    "[/red]",
    "[link=x]y",
    "a|b",
    "a\nb",
    "a\r\nb",
    "`x`",
    "``",
    "[t](http://e.org)",
    "http://e.org",
    "www.e.org",
    "<b>x</b>",
    "&lt;",
    "*x*",
    "_x_",
    "~~x~~",
    "$x$",
    "$\\frac$",
    "a\\",
    "\\input{x}",
    "%",
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(1)",
    "\t=1",
    "\r=1",
    "\x1b[31m",
    "\x00",
    "\u202eabc",
    "\ud800",
    "# x",
    "{",
    "}",
    '"',
    "'",
    "a,b",
    "[",
    "]",
    "]]>",
    "-->",
    "^",
    "~",
]


def nasty_table(name: str) -> Table:
    table = Table(
        "t", f"Title {name}", (f"Row {name}",), caption=f"Caption {name}", notes=[f"Note {name}"]
    )
    cell = Cell(name, None, "measured", (name,), name, (Mark("?", f"mark {name}."),))
    table.put((name,), ("", f"Column {name}"), cell)
    table.put((name,), (name, "second"), Cell("-1.5", -1.5, "measured", (name,)))
    return table


@pytest.mark.parametrize("name", NASTY)
def test_the_terminal_shows_names_as_they_are(name: str) -> None:
    screen = Console(file=io.StringIO(), width=300, force_terminal=True, color_system="truecolor")
    terminal.print_table(screen, nasty_table(name), ids=True)
    shown = re.sub(r"\x1b\[[\d;]*m", "", screen.file.getvalue())  # type: ignore[attr-defined]
    assert not any(sign in shown for sign in "\x1b\x00\r\t\u202e\ud800")
    printed = {"a\nb": "a\\nb", "\ud800": "\\ud800", "\x1b[31m": "\\x1b[31m"}.get(name, name)
    if printed.isprintable():
        assert shown.count(printed) >= 7


@pytest.mark.parametrize("name", NASTY)
def test_markdown_stays_a_table_without_links(name: str) -> None:
    text = markdown.markdown(nasty_table(name))
    rows = [line for line in text.split("\n") if line.startswith("|")]
    assert len(rows) == 3
    bare = [re.sub(r"\\.", "", line) for line in text.split("\n") if not line.startswith(("- ", "###"))]
    assert {line.count("|") for line in bare if line.startswith("|")} == {4}
    for line in bare:
        if not line.startswith("<"):
            assert not re.search(r"[`*\[\]<>~$&]|://|www\.", line), line


@pytest.mark.parametrize("name", NASTY)
def test_markdown_reads_back_as_the_name(name: str) -> None:
    """A parser reads the cells as the name, and finds no markup in them."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    found = parser.parse(markdown.markdown(nasty_table(name)))
    cells = [token.children or [] for token in found if token.type == "inline"]
    texts = ["".join(part.content for part in cell) for cell in cells]
    assert f"{visible(name)}?" in texts  # the cell, with its mark
    assert visible(name) in texts  # its row
    parts = [part for cell in cells for part in cell]
    assert {part.type for part in parts} <= {"text", "text_special", "code_inline"}
    codes = [part.content for part in parts if part.type == "code_inline"]
    assert codes == [visible(name)] * 2


def test_markdown_leaves_names_of_graphs_readable() -> None:
    assert markdown.escape("rgg_n_2_24_s0, R-MAT 21: 0.5 (50 %)") == "rgg_n_2_24_s0, R-MAT 21: 0.5 (50 %)"
    assert markdown.escape("_x_ a|b") == r"\_x\_ a\|b"
    assert markdown.code("a`b") == "``a`b``"
    assert markdown.code("`") == "`` ` ``"


@pytest.mark.parametrize("name", NASTY)
def test_latex_names_end_no_comment_and_start_no_command(name: str) -> None:
    lines = latex.latex(nasty_table(name)).split("\n")
    comments = [line for line in lines if line.startswith("%")]
    assert len(comments) == 3  # the packages it needs, and one per cell
    body = "\n".join(line for line in lines if not line.startswith("%"))
    assert body.count("{") - body.count(r"\{") == body.count("}") - body.count(r"\}")
    assert not re.search(r"(?<!\\)[%#]", body)
    assert "input{x}" not in body.replace(r"\{", "{").replace(r"\textbackslash{}input", "")
    assert not re.search(r"\\\\\s*[\[*]", body)  # arguments of the row's end
    assert not any(ord(sign) < 32 and sign != "\n" for sign in body)


@pytest.mark.parametrize("name", NASTY)
def test_csv_cells_are_no_formulas(name: str) -> None:
    for text in (csv.csv(nasty_table(name)), csv.cells_csv(nasty_table(name))):
        rows = list(standard_csv.reader(io.StringIO(text)))
        assert len({len(row) for row in rows}) == 1
        for cell in (cell for row in rows for cell in row):
            assert cell == "-1.5" or not cell.startswith(("=", "+", "-", "@", "\t", "\r")), cell


def test_csv_numbers_stay_numbers() -> None:
    assert [csv.safe(text) for text in ("-1.5", "+2", "-1e-05", "3", "-", "-x", "=A1", "@a")] == [
        "-1.5",
        "+2",
        "-1e-05",
        "3",
        "'-",
        "'-x",
        "'=A1",
        "'@a",
    ]


def test_reports_of_records_with_such_names_are_whole() -> None:
    """Make every table, the page and the figures from records in which every text is all of these
    names."""
    name = " ".join(NASTY)
    trace = [{"iteration": 0, "phase": name, "frontier_vertices": 1, "frontier_edges": 2}]
    records = [
        make_record("bfs", name, id=f"{name}{mode}", device={**GPU, "name": name}, warnings=[name],
                    options={"advance_mode": mode, "direction": name}, floor_ms=1.0, over_floor=1.0,
                    gunrock={"version": "0", "commit": name}, trace=trace if mode == "TM" else [])
        for mode in ("TM", "LB")
    ] + [make_record("bfs", name, system=name, id=f"{name} peer", device={**GPU, "name": name}),
         make_record(name, name, id=f"{name} own")]  # fmt: skip
    data = ReportData(records)
    reports = build(data)
    text = html.page(data, reports)
    assert not any(sign in text for sign in "\x1b\x00\r\u202e\ud800")
    assert "<b>x</b>" not in text
    text.encode()
    for figure in reports.figures:
        if figure.draw is not None:
            ET.fromstring(render(figure, "svg"))
            page_svg(figure)
