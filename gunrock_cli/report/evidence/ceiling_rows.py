"""A device's ceilings in a record, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gunrock_cli.report.forms.numbers import figure

RATES = {
    "memory_read": "memory, read",
    "memory_write": "memory, written",
    "copy": "memory, copied (read plus written)",
    "cache_read": "cache, read",
    "cache_write": "cache, written",
}


def ceiling_rows(ceilings: Mapping[str, Any]) -> Iterator[tuple[str, str, float]]:
    """The name, the text with a unit, and the number of each ceiling."""
    for key, label in RATES.items():
        if key in ceilings:
            yield label, f"{figure(ceilings[key] / 1e9)} GB/s", ceilings[key]
    for size, rate in sorted(ceilings.get("gathers", {}).items(), key=lambda each: int(each[0])):
        yield (
            f"random words of a table of {int(size) >> 20} MiB",
            f"{figure(rate / 1e9)} billion/s",
            rate,
        )
    size = ceilings.get("cache_bytes")
    if size is not None:
        yield "size of the cache", f"{figure(size / 2**20)} MiB", size
