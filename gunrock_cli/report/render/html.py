"""One HTML page, the answer first, then tables and figures; and a file of the records behind them."""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib import resources
from typing import Any

from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.table import graph_name
from gunrock_cli.report.evidence.data import ReportData, primitive_label, system_of
from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.forms.plot import page_svg
from gunrock_cli.report.registry import Reports
from gunrock_cli.report.render.facets import Facets, Known
from gunrock_cli.report.render.overview import overview
from gunrock_cli.report.render.picture import picture
from gunrock_cli.report.render.views import BEYOND, SOURCES, table_view
from gunrock_cli.report.tables import beside, measured
from gunrock_cli.version import __version__
from gunrock_cli.visible import visible

RECORDS = "records.js"
"""The file next to the page with its records. It is a script, as a page opened from disk may load no
other data."""


def page(data: ReportData, reports: Reports, title: str | None = None) -> str:
    """The whole page as one string. It needs no network, and no other file except for records."""
    import jinja2

    folder = resources.files("gunrock_cli.report") / "page"
    read = {name: (folder / name).read_text("utf-8") for name in ("page.html.j2", "page.css", "page.js")}
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    known = Known(data)
    sections = section_views(known, reports)
    return environment.from_string(read["page.html.j2"]).render(
        css=read["page.css"],
        js=read["page.js"],
        version=__version__,
        overview=overview(data, title),
        picture=picture(
            data,
            next((table for table in reports.tables if table.name == beside.NAME), None)
            or beside.build(data),
        ),
        choices=known.choices([facets for view in sections for facets in facets_of(view)]),
        groups=grouped(sections),
        count=len(shown_records(data, reports)),
        records_file=RECORDS,
    )


def records_script(data: ReportData, reports: Reports) -> str:
    """The file of records: one per line, by the id that the page's links have."""
    lines = [
        f"{json.dumps(record.id)}: {json.dumps(record_view(record))}"
        for record in shown_records(data, reports)
    ]
    return "var gunrockRecords = {\n" + ",\n".join(lines) + "\n};\n"


def shown_records(data: ReportData, reports: Reports) -> list[Record]:
    """The records behind the cells, each once."""
    used = {record for table in tables_of(reports) for record in table.record_ids}
    return list(
        {record.id: record for record in (*data.records, *data.described) if record.id in used}.values()
    )


def tables_of(reports: Reports) -> list[Table]:
    """All tables, and the points of all figures."""
    return [*reports.tables, *(figure.points for figure in reports.figures)]


def section_views(known: Known, reports: Reports) -> list[dict[str, Any]]:
    """A section per table, and one per figure with its points."""
    views = [{"drawn": False, "svg": "", **table_view(table, known)} for table in reports.tables]
    return views + [
        {
            "drawn": True,
            "svg": page_svg(figure) if figure.draw else "",
            **table_view(figure.points, known),
        }
        for figure in reports.figures
    ]


def facets_of(view: dict[str, Any]) -> list[Facets]:
    """The facets of all rows and columns of a section."""
    parts = [part for part in (view["main"], view["more"]) if part]
    return [each["facets"] for part in parts for each in (*part["heads"], *part["rows"])]


def grouped(sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The reader's own runs, the comparison of systems, then sections by their paper."""
    first = {measured.NAME: "Your runs", beside.NAME: "Beside others"}
    groups = [
        *((title, [view for view in sections if view["name"] == name]) for name, title in first.items()),
        *(
            (
                source,
                [view for view in sections if view["source"] == source and view["name"] not in first],
            )
            for source in (*SOURCES.values(), BEYOND)
        ),
    ]
    return [{"title": title, "sections": views} for title, views in groups if views]


def _shown(value: Any) -> Any:
    """The text that the template prints for a value, with invisible characters escaped. Values marked as
    safe are the page's own (styles, drawings), or already escaped."""
    return visible(value) if type(value) is str else value


def record_view(record: Record) -> dict[str, Any]:
    """A record for the page: a summary line, its command, and all of it except traces."""
    kept = {
        key: value
        for key, value in asdict(record).items()
        if value not in (None, [], {}, "") and key != "trace"
    }
    return {
        "label": f"{primitive_label(record.primitive)} on {graph_name(record)}, "
        f"{system_of(record).label}: {visible(record.status)}",
        "command": visible(" ".join(record.command)),
        "record": kept,
    }
