"""``gunrock report``: the papers' tables and figures, from records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gunrock_cli.cli.messages import notice
from gunrock_cli.errors import UsageError

if TYPE_CHECKING:
    from gunrock_cli.report.registry import Reports

FORMATS = ("table", "markdown", "csv", "latex", "html")


@click.command(
    epilog="""\b
Examples:
  gunrock report --records sweep.jsonl
  gunrock report --records sweep.jsonl --format html --output report
  gunrock report --list

The papers' own figures ship with the tool, so that it also works without records.
"""
)
@click.argument("files", nargs=-1, type=click.Path())
@click.option(
    "--records",
    multiple=True,
    type=click.Path(),
    help="Record files or folders (several: --records A B, or repeated).",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="table",
    help="How to write tables; html is one page with all figures, and a file of its records.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the files; figures become SVG there, and PNG except with html. Without it "
    "tables go to stdout, and html to ./gunrock-report.",
)
@click.option("--only", multiple=True, metavar="NAME", help="Only this report (repeatable, see --list).")
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Also reports of which nothing was measured: the papers' own.",
)
@click.option("--title", metavar="TEXT", help="The page's title. Default: the names of the sweeps.")
@click.option("--list", "list_names", is_flag=True, help="List the reports and stop.")
@click.option("--ids", is_flag=True, help="With tables on the terminal: the record of each cell.")
@click.option("--json", "as_json", is_flag=True, help="Every cell as a JSON array on stdout.")
def command(
    files: tuple[str, ...],
    records: tuple[str, ...],
    form: str,
    output: Path | None,
    only: tuple[str, ...],
    everything: bool,
    title: str | None,
    list_names: bool,
    ids: bool,
    as_json: bool,
) -> None:
    """Rebuild the papers' tables and figures beside what the records say.

    FILES are record files or folders (JSON lines), as with --records. What a paper printed is
    marked (†) and never mixed with what was measured; captions name the hardware of both.
    """
    from gunrock_cli.cli.commands.results import load
    from gunrock_cli.cli.graph_progress import graph_progress
    from gunrock_cli.report.evidence.data import ReportData
    from gunrock_cli.report.registry import build, report_names

    if list_names:
        click.echo("\n".join(report_names()))
        return
    names = (*records, *files)
    if title is not None and form != "html":
        raise UsageError("--title is of the page: give --format html")
    if output is not None and form == "table" and not as_json:
        raise UsageError("--output needs a --format other than table")
    folder = output or (Path("gunrock-report") if form == "html" and not as_json else None)
    if folder is not None:
        from gunrock_cli.files import check_folder

        check_folder(folder)
    found = load(names).records if names else []
    with graph_progress() as progress:
        data = ReportData(found)
        reports = build(data, only, progress, everything=everything)
        if folder is not None and not as_json:
            from gunrock_cli.report.write import write

            written = write(folder, form, data, reports, progress, title)
    if as_json:
        click.echo(json.dumps(cells(reports)))
    elif folder is not None:
        for path in written:
            click.echo(path)
    else:
        show(reports, form, ids)


def cells(reports: Reports) -> list[dict[str, object]]:
    """Every cell of every table, and every point of every figure, as plain objects."""
    found: list[dict[str, object]] = []
    for table in [*reports.tables, *(figure.points for figure in reports.figures)]:
        found += [
            {"report": table.name, "row": list(row), "group": column[0], "column": column[1],
             "value": cell.value, "text": cell.text, "origin": cell.origin,
             "records": list(cell.records), "note": cell.note}
            for row, column, cell in table.each()
        ]  # fmt: skip
    return found


def show(reports: Reports, form: str, ids: bool) -> None:
    """Print tables on stdout; a line on stderr says that figures need a folder."""
    from gunrock_cli.cli.console import console, shows_everything
    from gunrock_cli.report.render.terminal import print_table
    from gunrock_cli.report.write import TEXT_FORMATS

    target = console()
    for table in reports.tables:
        if form == "table":
            print_table(target, table, ids=ids, everything=shows_everything())
        else:
            click.echo(next(iter(TEXT_FORMATS[form].values()))(table))
    if reports.figures:
        names = ", ".join(figure.name for figure in reports.figures)
        notice(f"figures not shown ({names}): give --output DIR with a --format")
