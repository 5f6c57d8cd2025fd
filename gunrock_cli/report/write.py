"""Writing reports to a folder: one file per table and format, figures as pictures, one page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gunrock_cli.files import atomic_write, check_folder
from gunrock_cli.graph.sources.progress import Progress, silent
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.forms.plot import render
from gunrock_cli.report.registry import Reports
from gunrock_cli.report.render.csv import cells_csv, csv
from gunrock_cli.report.render.html import RECORDS, page, records_script
from gunrock_cli.report.render.latex import latex
from gunrock_cli.report.render.markdown import markdown

PAGE = "index.html"
TEXT_FORMATS: dict[str, dict[str, Callable[[Table], str]]] = {
    "markdown": {".md": markdown},
    "csv": {".csv": csv, "-cells.csv": cells_csv},
    "latex": {".tex": latex},
}


def write(
    folder: Path,
    form: str,
    data: ReportData,
    reports: Reports,
    progress: Progress = silent,
    title: str | None = None,
) -> list[Path]:
    """Write everything in one format; returns the files. ``form`` is one of TEXT_FORMATS or html, whose
    page may have a ``title``.

    Figures are written as SVG, and as PNG too except next to a page, which has them in itself. The points
    behind them are written as tables.
    """
    check_folder(folder)
    written: list[Path] = []

    def put(name: str, content: str | bytes) -> None:
        path = folder / name
        with atomic_write(path) as file:
            file.write(content.encode() if isinstance(content, str) else content)
        written.append(path)

    if form == "html":
        progress(f"writing {PAGE}", None)
        put(PAGE, page(data, reports, title))
        put(RECORDS, records_script(data, reports))
    else:
        for table in [*reports.tables, *(figure.points for figure in reports.figures)]:
            for ending, to_text in TEXT_FORMATS[form].items():
                if table.rows:
                    put(table.name + ending, to_text(table))
    for figure in reports.figures:
        progress(f"drawing {figure.name}", None)
        if figure.draw is not None:
            put(f"{figure.name}.svg", figure.svg)
            if form != "html":
                put(f"{figure.name}.png", render(figure, "png"))
    return written
