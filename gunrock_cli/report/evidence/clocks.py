"""The clock behind a record's times: around the algorithm alone, or around the call."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.data import ReportData, System, system_of
from gunrock_cli.report.evidence.systems import system_title

_TIMED_BY_CALLS = frozenset({"cugraph", "graphblas", "igraph", "networkit", "scipy"})
"""Systems whose clock covered the whole call, for older records that do not say what their clock
covers."""


def timed_by_call(record: Record) -> bool:
    """True if the record's time is that of the call around the algorithm."""
    return record.clock == "call" or (not record.clock and record.system in _TIMED_BY_CALLS)


def call_ms(record: Record) -> float | None:
    """The mean wall time of the call around each run, as seen by its caller; None if not known."""
    if record.call_ms:
        return fmean(record.call_ms)
    return record.time_ms.mean if record.time_ms and timed_by_call(record) else None


def told_clocks(data: ReportData, systems: Sequence[System]) -> str:
    """One sentence: the systems that are timed around their calls; empty if there are none."""
    by_call = {system_of(record) for record in data.records if record.time_ms and timed_by_call(record)}
    names = list(dict.fromkeys(system_title(system.name) for system in systems if system in by_call))
    if not names:
        return ""
    return f" By the clock around the call, where ours runs around the kernel: {', '.join(names)}."
