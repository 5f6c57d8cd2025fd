"""Records as rows of a table: one column per figure that tables ask for."""

from __future__ import annotations

from gunrock_cli.bench.records.record import Record
from gunrock_cli.jsontypes import Scalar
from gunrock_cli.primitives.run_options import RUN_OPTIONS
from gunrock_cli.visible import visible

_UNSET = {option.key: option.unset for option in RUN_OPTIONS if option.unset is not None}


def device_name(record: Record) -> str:
    """The hardware's name, or the backend's if the record does not say, escaped for display."""
    return visible(str(record.device.get("name") or record.backend or "unknown device"))


def graph_name(record: Record) -> str:
    """The graph's name in the sweep, or its own name, escaped for display; a stand-in is marked as
    one."""
    name = visible(str(record.sweep.get("graph") or record.graph.get("name") or "unnamed"))
    stand_in = (record.graph.get("origin") or {}).get("stand_in")
    return f"{name} (stand-in)" if stand_in else name


def options_as_run(record: Record) -> dict[str, Scalar]:
    """The record's options, with the direction that BFS took: with an alpha of 0 ``optimized`` never
    pulls, and runs the code of ``push``. (Newer records say so themselves.)"""
    options = options_given(record)
    if options.get("direction") == "optimized" and options.get("alpha") == 0:
        return {**options, "direction": "push"}
    return options


def options_given(record: Record) -> dict[str, Scalar]:
    """The record's options, with defaults for those of every run that are null because they have no
    effect. (Older records hold the default.)"""
    return {
        key: _UNSET[key] if value is None and key in _UNSET else value
        for key, value in record.options.items()
    }


def row(record: Record) -> dict[str, Scalar]:
    """The columns of one record; missing ones are None."""
    time = record.time_ms
    return {
        "id": record.id,
        "time": record.time,
        "primitive": record.primitive,
        "graph": graph_name(record),
        "system": record.system,
        "backend": record.backend,
        "device": device_name(record),
        "status": record.status,
        "verdict": record.validation.get("verdict"),
        "mean_ms": time.mean if time else None,
        "median_ms": time.median if time else None,
        "min_ms": time.min if time else None,
        "stddev_ms": time.stddev if time else None,
        "runs": len(record.runs_ms),
        "mteps": record.mteps,
        "iterations": record.iterations,
        "over_floor": record.over_floor,
    }
