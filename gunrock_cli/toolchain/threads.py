"""The number of threads of the cpu backend if no option gives it."""

from __future__ import annotations

import os

from gunrock_cli.errors import UsageError

MOST_THREADS = 1024
"""The most threads that may be asked for: more than any machine's processors, fewer than a system
refuses."""


def default_threads() -> int:
    """The number in OMP_NUM_THREADS, or else the processors that this process may use."""
    return threads_asked_for() or min(len(os.sched_getaffinity(0)), MOST_THREADS)


def threads_asked_for() -> int | None:
    """OMP_NUM_THREADS (its first number, if it is a list as OpenMP allows), or None if it is not set;
    UsageError if it is not such a number."""
    text = os.environ.get("OMP_NUM_THREADS", "").strip()
    if not text:
        return None
    first = text.split(",")[0].strip()
    # Not isdigit(): it accepts ² as a digit, which int() does not.
    if not (
        first.isascii() and first.isdecimal() and len(first) < 10 and 1 <= int(first) <= MOST_THREADS
    ):
        raise UsageError(
            f"OMP_NUM_THREADS={text}: give a number of threads from 1 to {MOST_THREADS}, or unset it"
        )
    return int(first)
