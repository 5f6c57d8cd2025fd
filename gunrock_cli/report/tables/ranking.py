"""Personalized PageRank, HITS, SALSA and who to follow, for which the papers have no table."""

from __future__ import annotations

from functools import cache
from typing import Any

from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.table import graph_name
from gunrock_cli.primitives import get_primitive, primitive_names
from gunrock_cli.report.evidence.data import (
    ReportData,
    System,
    iteration_ms,
    measured_cell,
    runtime_cell,
    system_of,
)
from gunrock_cli.report.forms.cells import Table

NAME, ORDER = "ranking", 80
RANKING = {"ppr": "Personalized PageRank", "hits": "HITS", "salsa": "SALSA", "wtf": "Who to follow"}
WAYS = ("method", "variant", "batch", "norm", "precision")
"""Options that get their own rows if they are not the default."""


def build(data: ReportData) -> Table:
    table = Table(
        NAME,
        "Ranking primitives (in none of the papers' tables)",
        ("Primitive", "Way", "Dataset"),
        caption="Not one of the papers' tables: they have no such measurements. Milliseconds, "
        "mean of the timed runs, of a whole run and of one iteration. A batch is of so many "
        "seeds or users at once; else a run of who to follow is one user's, from ranks to "
        "recommendations.",
    )
    shown: list[System] = []
    for system in data.systems:
        for primitive, label in RANKING.items():
            rows = dict.fromkeys(
                (way_of(record), graph_name(record))
                for record in data.current
                if record.primitive == primitive and system_of(record) == system
            )
            for way, graph in rows:
                _put(data, table, system, primitive, (label, way, graph))
                shown.append(system)
    if shown:
        table.caption += " " + data.hardware(list(dict.fromkeys(shown)))
    else:
        table.missing = "Not measured yet: scripts/ranking-test.sh."
    return table


def _put(
    data: ReportData, table: Table, system: System, primitive: str, row: tuple[str, str, str]
) -> None:
    _, way, graph = row
    record = data.best(
        primitive, system, lambda r: graph_name(r) == graph and way_of(r) == way, stated=True
    )
    if record is None:
        return
    table.put(row, (system.label, "run"), runtime_cell(record))
    single = single_iteration_ms(record)
    if single is not None and record.status == "ok":
        table.put(row, (system.label, "iteration"), measured_cell(record, single))


def single_iteration_ms(record: Record) -> float | None:
    """The time of one iteration, if the run consists only of iterations."""
    if record.system == "gunrock":
        return record.metric("iteration_ms")
    return iteration_ms(record)


def way_of(record: Record) -> str:
    """The options that make a different way to the answer, or a different answer."""
    usual = _defaults(record.primitive)
    ways = [
        f"{key}={record.options[key]}"
        for key in WAYS
        if record.options.get(key) not in (None, usual.get(key))
    ]
    if record.primitive == "salsa" and record.options.get("seeds"):
        ways.insert(0, "personalized")
    return " ".join(ways)


@cache
def _defaults(primitive: str) -> dict[str, Any]:
    if primitive not in primitive_names():
        return {}
    return {option.key: option.default for option in get_primitive(primitive).options}
