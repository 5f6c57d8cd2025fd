"""All measurements: one row per configuration, including failures."""

from __future__ import annotations

import json
from dataclasses import replace

from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.table import graph_name
from gunrock_cli.report.evidence.data import ReportData, measured_cell, primitive_label, system_of
from gunrock_cli.report.evidence.rates import counting, edges_inspected, mteps
from gunrock_cli.report.forms.cells import MISSING, Cell, Table

NAME, ORDER = "measured", 90
COLUMNS = (
    "mean ms",
    "runs",
    "median ms",
    "min ms",
    "sd ms",
    "MTEPS",
    "edges inspected",
    "iterations",
    "time / floor",
    "checked",
    "commit",
    "options",
)


def build(data: ReportData) -> Table:
    table = Table(
        NAME,
        "All measured configurations",
        ("Primitive", "Graph", "System", "Record"),
        caption=f"{counting('ppopp16')} {data.hardware()}",
    )
    table.declare(columns=[("", label) for label in COLUMNS])
    order = {name: place for place, name in enumerate(data.primitives)}
    for record in sorted(data.current, key=lambda record: order[record.primitive]):
        row = (
            primitive_label(record.primitive),
            graph_name(record),
            system_of(record).label,
            record.id[:12],
        )
        time = record.time_ms
        if time is None or record.status != "ok":
            text = "profiled" if record.status == "ok" else record.status
            table.put(row, ("", "mean ms"), measured_cell(record, None, text=text))
        else:
            table.put(row, ("", "runs"), plain_cell(record, str(len(record.runs_ms))))
            for label, value in (
                ("mean ms", time.mean),
                ("median ms", time.median),
                ("min ms", time.min),
                ("sd ms", time.stddev),
                ("MTEPS", mteps(record, "ppopp16")),
                ("edges inspected", edges_inspected(record)),
                ("iterations", record.iterations),
                ("time / floor", record.over_floor),
            ):
                if value is not None:
                    cell = measured_cell(record, value)
                    table.put(row, ("", label), cell if label == "mean ms" else replace(cell, note=""))
        options = " ".join(
            f"{key}={value if isinstance(value, str) else json.dumps(value)}"
            for key, value in record.options.items()
            if value is not None
        )
        for label, word in (
            ("checked", record.validation.get("verdict")),
            ("commit", record.gunrock.get("commit")),
            ("options", options),
        ):
            table.put(row, ("", label), plain_cell(record, str(word) if word else MISSING))
    table.drop_empty_columns()
    if not data.records:
        table.missing = "No records: gunrock sweep, or gunrock PRIMITIVE ... --output FILE.jsonl."
    return table


def plain_cell(record: Record, text: str) -> Cell:
    """A cell that is not a figure of merit and needs no mark."""
    return Cell(text, None, "measured", (record.id,))
