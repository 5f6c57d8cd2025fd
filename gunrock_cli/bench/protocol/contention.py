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
        self._before: int | None = None

    def during(self, work: Callable[[], Result]) -> Result:
        self.begin()
        result = work()
        after = self._waited()
        if self._before is None or after is None or self._total_ns is None:
            self._total_ns = None
        else:
            self._total_ns += max(0, after - self._before)
        return result

    def begin(self) -> None:
        """Count from now on; called by the work if what it did so far is no part of a run."""
        self._before = self._waited()

    def share(self, runs_ms: float) -> float | None:
        """The share of the runs' time: above 1 if several threads waited at once; None if not counted."""
        if self._total_ns is None or runs_ms <= 0:
            return None
        return self._total_ns / 1e6 / runs_ms
