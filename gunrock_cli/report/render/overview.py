"""The beginning of a page: what was run, on what, when, and at which commit."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from gunrock_cli.report.evidence.data import ReportData, primitive_label
from gunrock_cli.visible import visible

NAMED = 4
"""This many names are listed; the rest are counted."""


@dataclass(frozen=True)
class Overview:
    """The page's title, and its facts: each with its name."""

    title: str
    facts: tuple[tuple[str, str], ...]


def overview(data: ReportData, title: str | None = None) -> Overview:
    """The overview from the records alone; without records, the papers stand alone."""
    if not data.records:
        return Overview(
            title or "gunrock: the papers' tables and figures", (("What", "Nothing was measured."),)
        )
    facts = (
        ("What", _what(data)),
        ("On", data.hardware().removeprefix("Measured: ")),
        ("When", _when(data)),
        ("Commit", _commits(data)),
    )
    return Overview(title or f"gunrock: {_name(data)}", facts)


def listed(names: list[str], most: int = NAMED) -> str:
    """A few names; beyond ``most``, the rest are counted."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def _name(data: ReportData) -> str:
    """The run's name: its sweeps', or else what it ran on."""
    sweeps = dict.fromkeys(
        visible(str(record.sweep["name"])) for record in data.records if record.sweep.get("name")
    )
    return listed(list(sweeps) or list(dict.fromkeys(system.device for system in data.systems)))


def _what(data: ReportData) -> str:
    measured = list(dict.fromkeys(primitive_label(record.primitive) for record in data.current))
    graphs, systems = data.graphs(), list(dict.fromkeys(system.name for system in data.systems))
    ends = Counter(visible(record.status) for record in data.current)
    failed = ", ".join(f"{count} {status}" for status, count in ends.items() if status != "ok")
    return (
        f"{listed(measured, 12)} on {_counted(len(graphs), 'graph')} by "
        f"{_counted(len(systems), 'system')}: {_counted(len(data.current), 'configuration')}, "
        f"{ends['ok']} ok" + (f", {failed}" if failed else "") + "."
    )


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _when(data: ReportData) -> str:
    days = sorted(visible(str(record.time))[:10] for record in data.records)
    return days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"


def _commits(data: ReportData) -> str:
    found = dict.fromkeys(
        visible(str(record.gunrock.get("commit") or "not recorded")) for record in data.records
    )
    return listed(list(found))
