"""The limits that ended a record's runs, in words."""

from __future__ import annotations

from gunrock_cli.bench.records.record import Record


def limits_reached(record: Record) -> str:
    """The options whose limit ended a run, or a part of it, early; with several sources, how many of
    them. Empty if there were none, or if not known."""
    sources = len(set(record.sources))
    return ", ".join(
        f"--{key.replace('_', '-')} {record.options.get(key, '')}".rstrip()
        + (f" (from {count} of {sources} sources)" if sources > 1 else "")
        for key, count in (record.limited_by or {}).items()
    )
