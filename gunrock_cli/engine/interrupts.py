"""Raise Ctrl-C while the host drives a run launch by launch."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def watched() -> Iterator[Callable[[], None]]:
    """Yield a function to call between two launches: it raises KeyboardInterrupt if Ctrl-C was pressed
    since.

    Python raises it wherever the program is at the time, and drops it in a destructor (of an event, an
    array), so that one in many was lost. If Ctrl-C is ignored, or belongs to another thread, nothing
    changes.
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield lambda: None
        return
    pressed = threading.Event()

    def remember(*_: Any) -> None:
        pressed.set()

    def check() -> None:
        if pressed.is_set():
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, remember)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, handler)
