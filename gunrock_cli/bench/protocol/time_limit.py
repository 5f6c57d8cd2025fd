"""A limit on the time of one run."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

_AGAIN_S = 5.0
"""Seconds until it is raised again, as an exception that arrives in a destructor is lost."""


class OverLimit(KeyboardInterrupt):
    """Raised if a run takes longer than it may. It is a KeyboardInterrupt, as all code that waits for a
    run stops for one."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise OverLimit after this many seconds, or never for None. In the main thread only, as it uses a
    signal."""
    if seconds is None:
        yield
        return

    def over(*_: object) -> None:
        raise OverLimit(f"took longer than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, over)
    begun = time.monotonic()
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN_S)  # an outer timer
    try:
        yield
    finally:
        left = max(left - (time.monotonic() - begun), 1e-3) if left else 0.0
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, left, interval)
