"""Plain runs: of a primitive with none of its options set. Also the number of devices that share a run,
and its commit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from gunrock_cli.bench.records.record import Record
from gunrock_cli.primitives import get_primitive, primitive_names
from gunrock_cli.primitives.run_options import RUN_OPTIONS

ALGORITHMS = ("strategy", "variant", "method")
"""Options that choose another algorithm, or another kernel of a microbenchmark."""


def is_plain(record: Record) -> bool:
    """True if its command set none of the primitive's own options, nor how its kernel runs.

    A record of ``compare-modes`` shares its command with all variants: the default's record is the one
    that takes exactly as long as the default."""
    words = {word.partition("=")[0] for word in _words(record.command)}
    return not words & _flags(record.primitive) and record.metrics.get("over_default", 1) == 1


def is_another(record: Record) -> bool:
    """True if it ran an algorithm that is not the primitive's own: a baseline, or a paper's strategy. No
    such run represents this system."""
    defaults = _defaults(record.primitive)
    return record.system == "gunrock" and any(
        name in defaults and record.options.get(name, defaults[name]) != defaults[name]
        for name in ALGORITHMS
    )


def is_cold(record: Record) -> bool:
    """True if the device's caches were flushed before each run. Papers and other systems ran warm."""
    return record.options.get("cold") is True


def settings(record: Record) -> dict[str, str]:
    """The options that its command sets to other values than the default, as flags with their values."""
    defaults, found = _defaults(record.primitive), {}
    for word in _words(record.command):
        flag = word.partition("=")[0]
        name = flag.removeprefix("--").removeprefix("no-").replace("-", "_")
        if flag in _flags(record.primitive) and record.options.get(name, flag) != defaults.get(name):
            value = record.options.get(name)
            found[flag] = flag if value is None or isinstance(value, bool) else f"{flag} {value}"
    return found


def devices_of(record: Record) -> int:
    """The number of devices that shared the run, or should have: a failed run may have ended before it
    said so."""
    wanted = str(record.options.get("devices"))
    if record.status != "ok" and wanted.isdecimal():
        return max(1, int(wanted))
    return max(1, len(record.device.get("devices") or ()))


def build_of(record: Record) -> str:
    """The code that ran, if its record says so."""
    return str(record.gunrock.get("commit"))


def _words(command: Sequence[str]) -> list[str]:
    return [word.replace("_", "-") for word in command if word.startswith("--")]


@cache
def _flags(primitive: str) -> frozenset[str]:
    """The flags as written on a command line, with and without ``no-``."""
    names = [name.replace("_", "-") for name in _defaults(primitive)]
    return frozenset(f"--{prefix}{name}" for name in names for prefix in ("", "no-"))


@cache
def _defaults(primitive: str) -> Mapping[str, Any]:
    """The options, by key, and their defaults; for a primitive in a user's file, only its run options are
    known."""
    own = get_primitive(primitive).options if primitive in primitive_names() else ()
    return {"max_steps": None, **{option.key: option.default for option in (*own, *RUN_OPTIONS)}}
