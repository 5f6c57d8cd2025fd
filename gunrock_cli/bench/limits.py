"""What a record says in words of the limits that ended its runs."""

from __future__ import annotations

from gunrock_cli.bench.record import Record


def limits_reached(record: Record) -> str:
    """The options whose limit ended a run, or a part of it, that would have gone on; with several
    sources, from how many of them. Empty where none did, or where that is not known."""
    sources = len(set(record.sources))
    return ", ".join(
        f"--{key.replace('_', '-')} {record.options.get(key, '')}".rstrip()
        + (f" (from {count} of {sources} sources)" if sources > 1 else "")
        for key, count in (record.limited_by or {}).items()
    )
