"""Records in other programs' formats for measurements."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.regressions import Key, newest
from gunrock_cli.jsontypes import Scalar

Statistic = Literal["mean", "median", "min"]


def github_action_benchmark(
    records: Sequence[Record], use: Statistic = "mean"
) -> list[dict[str, Scalar]]:
    """Entries that github-action-benchmark reads as ``customSmallerIsBetter``: one for the newest record
    of each cell, if it is ok and timed. Cells are those of ``compare``."""
    cells = newest(records)
    names = _names(list(cells))
    return [
        {
            "name": names[key],
            "unit": "ms",
            "value": getattr(record.time_ms, use),
            "range": f"± {record.time_ms.stddev:.4g}",
            "extra": _extra(record),
        }
        for key, record in cells.items()
        if record.time_ms is not None and record.status == "ok"
    ]


def not_exported(records: Sequence[Record]) -> list[Record]:
    """The newest records of cells that have no time to export."""
    return [
        record for record in newest(records).values() if record.time_ms is None or record.status != "ok"
    ]


def _names(keys: Sequence[Key]) -> dict[Key, str]:
    """The names of cells: primitive, graph, system and device; if cells differ in nothing else, the
    options in which they do."""
    groups: dict[tuple[str, ...], list[Key]] = defaultdict(list)
    for key in keys:
        groups[key[:-1]].append(key)
    found = {}
    for shared, members in groups.items():
        options = [json.loads(key[-1]) for key in members]
        for key, own in zip(members, options, strict=True):
            settings = [f"{name}={own.get(name)}" for name in _differing(options)]
            found[key] = " ".join(filter(None, (", ".join(filter(None, shared)), *settings)))
    return found


def _differing(options: Sequence[Mapping[str, Any]]) -> list[str]:
    names = sorted({name for each in options for name in each})
    return [name for name in names if any(each.get(name) != options[0].get(name) for each in options)]


def _extra(record: Record) -> str:
    """The text that a chart shows next to the value."""
    lines = {
        "runs": len(record.runs_ms),
        "commit": record.gunrock.get("commit", ""),
        "checked": record.validation.get("verdict", "no"),
        "record": record.id,
    }
    return "\n".join(f"{name}: {value}" for name, value in lines.items() if value not in ("", None))
