"""Records of one commit that differ in only one option: the option's effect, graph by graph."""

from __future__ import annotations

import json
from dataclasses import dataclass

from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.table import device_name, graph_name, options_as_run
from gunrock_cli.jsontypes import Json
from gunrock_cli.report.evidence.plain_runs import build_of


@dataclass(frozen=True)
class OneOption:
    """One graph on one device: the records by the value of the option, all else being equal."""

    graph: str
    device: str
    by_value: dict[str, Record]


def by_option(records: list[Record], primitive: str, option: str) -> list[OneOption]:
    """The set of records with the most values of ``option``, for each graph and device; of several such
    sets the newest. Runs from different sources, or of different code, are not compared."""
    groups: dict[tuple[str, str, str], dict[str, Record]] = {}
    for record in records:
        if (
            record.primitive != primitive
            or record.system != "gunrock"
            or record.status != "ok"
            or record.time_ms is None
            or option not in record.options
        ):
            continue
        options = options_as_run(record)
        rest: dict[str, Json] = {key: value for key, value in options.items() if key != option}
        rest |= {"sources": sorted(set(record.sources)), "commit": build_of(record)}
        key = (graph_name(record), device_name(record), json.dumps(rest, sort_keys=True))
        value = options[option]
        groups.setdefault(key, {})[value if isinstance(value, str) else json.dumps(value)] = record
    best: dict[tuple[str, str], dict[str, Record]] = {}
    for (graph, device, _), by_value in groups.items():
        kept = best.get((graph, device), {})
        if len(by_value) > 1 and _worth(by_value) > _worth(kept):
            best[graph, device] = by_value
    return [OneOption(graph, device, by_value) for (graph, device), by_value in best.items()]


def _worth(by_value: dict[str, Record]) -> tuple[int, str]:
    return len(by_value), max((record.time for record in by_value.values()), default="")
