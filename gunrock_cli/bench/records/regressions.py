"""Two sets of records side by side: a ratio per cell, and if it is more than noise."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.statistics import (
    NOTICEABLE_WAIT,
    Ratio,
    as_processes,
    level_of_each,
    ratio,
)
from gunrock_cli.bench.records.table import device_name, graph_name, options_given
from gunrock_cli.jsontypes import Json, Scalar

Verdict = Literal["same", "faster", "slower", "ambiguous", "broken", "fixed", "failed", "missing", "new"]
PROTOCOL = ("runs", "warmup", "until_noise")
FEWEST_RUNS = 3
"""A side with fewer runs has no usable spread: nothing is certain about it."""
Key = tuple[str, str, str, str, str]


@dataclass(frozen=True)
class Comparison:
    """One cell of both sets. ``ratio`` is new time over old time, if both have times.

    ``slower`` and ``faster``: the interval excludes 1 and the ratio is past the limit; ``same``: the
    ratio and its interval are within the limit; ``ambiguous``: the runs are too few or too noisy to tell
    (``why``); ``broken``: only the old one was ok; ``fixed``: only the new one is ok; ``failed``: ok in
    neither; ``missing`` and ``new``: in one set only."""

    primitive: str
    graph: str
    system: str
    device: str
    options: str
    verdict: Verdict
    old: Record | None
    new: Record | None
    ratio: Ratio | None = None
    why: str = ""

    @property
    def regression(self) -> bool:
        return self.verdict in ("slower", "broken", "missing")

    def to_dict(self) -> dict[str, Json]:
        return {
            "primitive": self.primitive,
            "graph": self.graph,
            "system": self.system,
            "device": self.device,
            "options": json.loads(self.options),
            "verdict": self.verdict,
            "why": self.why,
            "old": _side(self.old),
            "new": _side(self.new),
            "ratio": self.ratio.value if self.ratio else None,
            "ratio_low": self.ratio.low if self.ratio else None,
            "ratio_high": self.ratio.high if self.ratio and math.isfinite(self.ratio.high) else None,
        }


def _side(record: Record | None) -> dict[str, Scalar] | None:
    if record is None:
        return None
    mean = record.time_ms.mean if record.time_ms else None
    return {"id": record.id, "status": record.status, "mean_ms": mean, "error": record.error}


def cell_key(record: Record, ignore: Iterable[str] = ()) -> Key:
    """The identity of a record's cell: primitive, graph, system, device and options, except how often it
    was run. A mean over several sources is never a single source's cell."""
    left_out = {*PROTOCOL, *ignore}
    options = {key: value for key, value in options_given(record).items() if key not in left_out}
    if (several := len(set(record.sources))) > 1:
        options["num_sources"] = several
    graph = graph_name(record)
    return (
        record.primitive,
        graph,
        record.system,
        device_name(record),
        json.dumps(options, sort_keys=True),
    )


def newest(records: Sequence[Record], ignore: Iterable[str] = ()) -> dict[Key, Record]:
    """The last record of each cell, by time and then by position."""
    found: dict[Key, Record] = {}
    for record in sorted(records, key=lambda record: record.time):
        found[cell_key(record, ignore)] = record
    return found


def compare(
    old: Sequence[Record],
    new: Sequence[Record],
    *,
    limit: float = 0.05,
    use: str = "mean",
    ignore: Iterable[str] = (),
) -> list[Comparison]:
    """All cells of both sets, in the order of the old one; ``limit`` is a share (0.05 is 5%).

    Intervals hold for all cells together: if one build is recorded twice, a false "slower" for any cell
    is no likelier with many cells than with one.
    """
    before, after = newest(old, ignore), newest(new, ignore)
    keys = list(before) + [key for key in after if key not in before]
    level = level_of_each(len(before.keys() & after.keys()))
    return [_compare_cell(key, before.get(key), after.get(key), limit, use, level) for key in keys]


def _compare_cell(
    key: Key, old: Record | None, new: Record | None, limit: float, use: str, level: float
) -> Comparison:
    def result(verdict: Verdict, found: Ratio | None = None, why: str = "") -> Comparison:
        return Comparison(*key, verdict, old, new, found, why)

    if old is None or new is None:
        return result("new" if old is None else "missing")
    if old.status != "ok" or new.status != "ok":
        if old.status == "ok":
            return result("broken")
        return result("fixed" if new.status == "ok" else "failed")
    if min(old.runs_ms, default=0) <= 0 or min(new.runs_ms, default=0) <= 0:
        return result("ambiguous")  # no run, or one too short for its clock: there is no ratio
    found = ratio(old.runs_ms, new.runs_ms, use=use, level=level)
    if min(len(old.runs_ms), len(new.runs_ms)) < FEWEST_RUNS:
        return result("ambiguous", found, f"fewer than {FEWEST_RUNS} runs on a side")
    waits = [old.core_wait or 0.0, new.core_wait or 0.0]
    found = as_processes(found, old.runs_ms, new.runs_ms, *waits)
    verdict = judge(found, limit)
    return result(verdict, found, _doubt(waits) if verdict == "ambiguous" else "")


def _doubt(waits: Sequence[float]) -> str:
    """The reason why a ratio is ambiguous although there are enough runs."""
    if max(waits) > NOTICEABLE_WAIT:
        return f"others had the cores for {min(1.0, max(waits)):.0%} of a side's time"
    return "noise as large as the difference"


def judge(found: Ratio, limit: float) -> Verdict:
    """Past the limit and certain, or within it with the whole interval, or neither."""
    if found.value > 1 + limit and found.low > 1:
        return "slower"
    if found.value < 1 / (1 + limit) and found.high < 1:
        return "faster"
    within = found.high <= 1 + limit and found.low >= 1 / (1 + limit)
    return "same" if within else "ambiguous"
