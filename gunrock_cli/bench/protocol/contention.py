"""The time that other programs held the cores during a measurement on the CPU (counted by Linux's
scheduler)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Result = TypeVar("Result")
_TASKS = Path("/proc/self/task")


def waited_ns() -> int | None:
    """The time that this process's threads were ready to run without a core, summed over all threads;
    None if the system does not report it."""
    total, known = 0, False
    for task in _TASKS.glob("*"):
        try:
            total += int((task / "schedstat").read_text().split()[1])
        except (OSError, IndexError, ValueError):
            continue  # a thread that has ended, or a kernel without these counters
        known = True
    return total if known else None


class CoreWait:
    """The share of some runs' time that their threads waited for a core."""

    def __init__(self, waited: Callable[[], int | None] = waited_ns) -> None:
        self._waited = waited
        self._total_ns: int | None = 0

    def during(self, work: Callable[[], Result]) -> Result:
        before = self._waited()
        result = work()
        after = self._waited()
        if before is None or after is None or self._total_ns is None:
            self._total_ns = None
        else:
            self._total_ns += max(0, after - before)
        return result

    def share(self, runs_ms: float) -> float | None:
        """The share of the runs' time: above 1 if several threads waited at once; None if not counted."""
        if self._total_ns is None or runs_ms <= 0:
            return None
        return self._total_ns / 1e6 / runs_ms
