"""PPoPP'16, Table 4: average warp execution efficiency."""

from __future__ import annotations

from gunrock_cli.bench.records.record import ACTIVE, Record
from gunrock_cli.bench.records.table import graph_name
from gunrock_cli.report.evidence.data import (
    PRIMITIVES,
    PROFILE_METRIC,
    ReportData,
    System,
    measured_cell,
    system_of,
)
from gunrock_cli.report.evidence.plain_runs import settings
from gunrock_cli.report.forms.cells import Table

NAME, ORDER = "ppopp16-table4", 40
LANES = "lanes with an edge"
LANES_NOTE = (
    f"{LANES}: counted by the operators in runs of their own (--count), the share of a warp's lanes that "
    "have an edge as the warp looks at edges. Nsight's share is over all instructions."
)


def build(data: ReportData) -> Table:
    table = Table(
        NAME,
        "PPoPP'16 Table 4: average warp execution efficiency",
        ("Alg.", "Framework"),
        caption="Share of a warp's threads that are active as instructions execute.",
    )
    printed = data.papers.table("ppopp16", "table4")
    datasets = list(dict.fromkeys(dataset for _, dataset, _, _ in printed))
    profiled = [record for record in data.profiled if not record.primitive.startswith("microbench")]
    systems = list(dict.fromkeys(system_of(record) for record in profiled))
    for primitive in dict.fromkeys(primitive for primitive, _, _, _ in printed):
        for (name, dataset, framework, _), value in printed.items():
            if name == primitive:
                table.put((PRIMITIVES[primitive], framework), ("", dataset), value.cell(percent=True))
        for record in profiled:
            if record.primitive == primitive:
                _put(data, table, record, datasets)
    for record in profiled:
        if record.primitive not in {name for name, _, _, _ in printed}:
            _put(data, table, record, datasets)
    counted = [record for record in data.active_lanes if record.primitive in PRIMITIVES]
    for record in sorted(counted, key=lambda each: (-len(settings(each)), each.time)):
        _put_lanes(data, table, record, datasets)  # the run that sets least, of several the newest, stays
    table.caption += " " + data.papers.hardware("ppopp16", ["Gunrock", "MapGraph", "CuSha"])
    if profiled:
        table.caption += " " + data.hardware(systems)
        table.notes.append(
            "Measured by Nsight Compute (gunrock profile), weighted by the warp "
            "instructions of each kernel."
        )
    if counted:
        table.notes.append(LANES_NOTE)
        table.caption += " " + data.hardware(list(dict.fromkeys(map(system_of, counted))))
    if not profiled and not counted:
        table.missing = (
            "Nothing profiled yet: gunrock profile, where Nsight Compute is installed, or --count."
        )
    return table


def _put_lanes(data: ReportData, table: Table, record: Record, datasets: list[str]) -> None:
    found = data.identity(record, "ppopp16", datasets)
    share = 100 * record.counts[ACTIVE]
    table.put(
        (PRIMITIVES[record.primitive], f"{system_of(record).label}, {LANES}"),
        ("", found.dataset if found else graph_name(record)),
        measured_cell(record, share, found, text=f"{share:.2f}%"),
    )


def _put(data: ReportData, table: Table, record: Record, datasets: list[str]) -> None:
    found = data.identity(record, "ppopp16", datasets)
    column = found.dataset if found else graph_name(record)
    share = record.metric(PROFILE_METRIC) or 0.0
    system: System = system_of(record)
    table.put(
        (PRIMITIVES.get(record.primitive, record.primitive), system.label),
        ("", column),
        measured_cell(record, 100 * share, found, text=f"{100 * share:.2f}%"),
    )
