"""The highest rates of the measured devices."""

from __future__ import annotations

from gunrock_cli.report.evidence.ceiling_rows import ceiling_rows
from gunrock_cli.report.evidence.data import ReportData, short_device, system_of
from gunrock_cli.report.evidence.marks import MODIFIED, modified
from gunrock_cli.report.forms.cells import Cell, Table

NAME, ORDER = "ceilings", 93


def build(data: ReportData) -> Table:
    table = Table(
        NAME,
        "Ceilings of the devices",
        ("Rate",),
        caption="Measured by kernels that do nothing but read, write or gather; floors and "
        "models of the records are reckoned with them.",
    )
    for record in data.current:
        device = short_device(system_of(record).device)
        marks = (MODIFIED,) if modified(record) else ()
        for label, text, value in ceiling_rows(record.ceilings):
            table.put((label,), ("", device), Cell(text, value, "measured", (record.id,), marks=marks))
    if not table.rows:
        table.missing = "No record has them: gunrock PRIMITIVE ..., or gunrock microbench ceilings."
    return table
