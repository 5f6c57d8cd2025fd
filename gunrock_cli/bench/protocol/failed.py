"""The record of a measurement that broke off after some of its runs."""

from __future__ import annotations

from gunrock_cli.bench.records import statistics
from gunrock_cli.bench.records.record import Record
from gunrock_cli.errors import GunrockError
from gunrock_cli.primitives.base import Validation


def record_failure(record: Record, error: BaseException) -> None:
    """Note the error, the times so far, and that the answer was not checked (unless it was)."""
    record.status = error.status if isinstance(error, GunrockError) else "error"
    record.error = describe(error)
    record.time_ms = statistics.timing(record.runs_ms)
    if not record.validation:
        record.validation = Validation("skipped", "", record.error).to_dict()


def describe(error: BaseException) -> str:
    """Describe the error in one line."""
    if isinstance(error, KeyboardInterrupt):
        return "interrupted before the answer was checked"
    words = str(error) if isinstance(error, GunrockError) else f"{type(error).__name__}: {error}"
    return " ".join(words.split())
