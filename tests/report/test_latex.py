"""LaTeX: its form, and, if there is a compiler, that it compiles."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from sample_records import sample_records

from gunrock_cli.report.evidence import identity, marks, merrill
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.forms.cells import Cell, Mark, Table
from gunrock_cli.report.registry import build
from gunrock_cli.report.render.latex import MOST_CAPTION, captioned, escape, latex

PDFLATEX = shutil.which("pdflatex")
DOCUMENT = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{booktabs,multirow,textcomp}
\begin{document}
%s
\end{document}
"""


@pytest.fixture(scope="module")
def tables() -> list[Table]:
    reports = build(ReportData(sample_records()))
    found = [*reports.tables, *(figure.points for figure in reports.figures)]
    return [table for table in found if table.rows]


def test_rows_have_a_cell_for_each_column(tables: list[Table]) -> None:
    for table in tables:
        text = latex(table)
        (columns,) = re.findall(r"\\begin\{tabular\}\{([lr]+)\}", text)
        assert len(columns) == len(table.row_labels) + len(table.columns)
        body = text.partition(r"\midrule")[2].partition(r"\bottomrule")[0]
        rows = [line for line in body.splitlines() if line.endswith(r"\\")]
        assert len(rows) == len(table.rows)
        assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {len(columns) - 1}, table.name


def test_numbers_stand_at_the_right_and_words_at_the_left() -> None:
    table = Table("t", "T", ("Graph",))
    table.put(("g",), ("", "ms"), Cell("1.5", 1.5, "measured"))
    table.put(("g",), ("", "verdict"), Cell("holds"))
    assert r"\begin{tabular}{lrl}" in latex(table)


def test_captions_are_short_and_nothing_is_lost(tables: list[Table]) -> None:
    for table in tables:
        text = latex(table)
        (caption,) = re.findall(r"\\caption\{(.*)\}\n", text)
        assert len(caption) < MOST_CAPTION, table.name
        kept, rest = captioned(f"{table.title}. {table.caption}".strip())
        assert kept == caption
        assert f"{kept} {escape(rest)}".strip() == escape(f"{table.title}. {table.caption}".strip())
        assert escape(rest) in text
        assert all(escape(note) in text for note in table.all_notes)


def test_every_mark_has_a_sign_in_latex(tables: list[Table]) -> None:
    known = [
        each
        for module in (identity, marks, merrill)
        for value in vars(module).values()
        for each in ([value] if isinstance(value, Mark) else [])
    ]
    assert len(known) > 8
    signs = {mark.sign for mark in known} | {marks.VARIANT, marks.OTHER_EDGES, "†", "—", "…"}
    assert all(escape(sign).isascii() for sign in signs)
    for table in tables:
        body = [line for line in latex(table).splitlines() if not line.startswith("%")]
        assert "\n".join(body).isascii(), table.name


@pytest.mark.skipif(PDFLATEX is None, reason="pdflatex is missing: apt-get install texlive-latex-extra")
def test_every_table_compiles(tables: list[Table], tmp_path: Path) -> None:
    assert PDFLATEX is not None
    (tmp_path / "all.tex").write_text(DOCUMENT % "\n\\clearpage\n".join(map(latex, tables)))
    done = subprocess.run(
        [PDFLATEX, "-draftmode", "-interaction=nonstopmode", "-halt-on-error", "all.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "all.aux").read_text().count(r"\newlabel") == len(tables)
