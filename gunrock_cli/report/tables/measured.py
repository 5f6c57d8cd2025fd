"""Everything that was measured: one row a configuration, failures among them."""

from __future__ import annotations

import json

from gunrock_cli.bench.recordtable import graph_name
from gunrock_cli.report.cells import Cell, Table
from gunrock_cli.report.data import ReportData, measured_cell, primitive_label, system_of

NAME, ORDER = "measured", 90


def build(data: ReportData) -> Table:
    table = Table(NAME, "All measured configurations", ("Primitive", "Graph", "System", "Record"),
                  caption=data.hardware())
    for record in data.current:
        row = (primitive_label(record.primitive), graph_name(record), system_of(record).label,
               record.id[:12])
        time = record.time_ms
        if time is None or record.status != "ok":
            text = "profiled" if record.status == "ok" else record.status
            table.put(row, ("", "mean ms"), measured_cell(record, None, text=text))
        else:
            for label, value in (("mean ms", time.mean), ("median ms", time.median),
                                 ("min ms", time.min), ("sd ms", time.stddev),
                                 ("MTEPS", record.mteps), ("iterations", record.iterations),
                                 ("time / floor", record.over_floor)):
                if value is not None:
                    table.put(row, ("", label), measured_cell(record, value))
        options = " ".join(f"{key}={value if isinstance(value, str) else json.dumps(value)}"
                           for key, value in record.options.items() if value is not None)
        for label, word in (("checked", record.validation.get("verdict")), ("options", options)):
            table.put(row, ("", label), Cell(word or "—", None, "measured", (record.id,)))
    if not data.records:
        table.missing = "No records: gunrock sweep, or gunrock PRIMITIVE ... --output FILE.jsonl."
    return table
