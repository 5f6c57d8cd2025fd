"""One self-contained HTML page: tables to sort and filter, figures, and every record used."""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib import resources
from itertools import groupby
from typing import Any

from gunrock_cli.bench.record import Record
from gunrock_cli.bench.recordtable import graph_name
from gunrock_cli.report.cells import Cell, Column, Table
from gunrock_cli.report.data import ReportData, primitive_label, system_of
from gunrock_cli.report.figure import page_svg
from gunrock_cli.report.registry import Reports
from gunrock_cli.version import __version__
from gunrock_cli.visible import visible


def page(data: ReportData, reports: Reports) -> str:
    """The whole page as one string: no file beside it, no network."""
    import jinja2

    folder = resources.files("gunrock_cli.report") / "page"
    read = {name: (folder / name).read_text() for name in ("page.html.j2", "page.css", "page.js")}
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined,
                                     trim_blocks=True, lstrip_blocks=True, finalize=_shown)
    used = {record for table in reports.tables for record in table.record_ids}
    used |= {record for figure in reports.figures for record in figure.points.record_ids}
    return environment.from_string(read["page.html.j2"]).render(
        css=read["page.css"], js=read["page.js"], version=__version__,
        tables=[table_view(table) for table in reports.tables],
        figures=[{"svg": page_svg(figure) if figure.draw else "",
                  "table": table_view(figure.points)} for figure in reports.figures],
        records=[record_view(record) for record in data.records if record.id in used],
    )


def _shown(value: Any) -> Any:
    """What the template prints of a value: of text, what does not show is written out. What is marked as
    safe is the page's own (styles, drawings), or escaped already."""
    return visible(value) if type(value) is str else value


def table_view(table: Table) -> dict[str, Any]:
    """What the template needs of a table: headings in up to two rows, rows of cells."""
    columns = list(table.columns)
    groups = [(name, len(list(members))) for name, members in groupby(c[0] for c in columns)]
    return {
        "name": table.name,
        "title": table.title,
        "caption": table.caption,
        "notes": table.all_notes,
        "row_labels": table.row_labels,
        "groups": groups if any(name for name, _ in groups) else [],
        "heads": [{"label": table.heading(column)[1], "origin": table.column_origin(column)}
                  for column in columns],
        "rows": [{"labels": row, "cells": [cell_view(table, row, column) for column in columns]}
                 for row in table.rows],
    }


def cell_view(table: Table, row: tuple[str, ...], column: Column) -> dict[str, Any]:
    cell: Cell = table.cell(row, column)
    return {
        "text": table.text(row, column),
        "value": "" if cell.value is None else repr(float(cell.value)),
        "origin": cell.origin,
        "records": cell.records,
        "note": cell.note,
    }


def record_view(record: Record) -> dict[str, Any]:
    """A record for the appendix: a summary line, and all of it (traces left out) as JSON."""
    from markupsafe import escape

    shown = {key: value for key, value in asdict(record).items()
             if value not in (None, [], {}, "") and key != "trace"}
    return {
        "id": record.id,
        "label": f"{primitive_label(record.primitive)} on {graph_name(record)}, "
                 f"{system_of(record).label}: {record.status}",
        "command": " ".join(record.command),
        "json": escape(json.dumps(shown, indent=1)),  # its own line breaks stay
    }
