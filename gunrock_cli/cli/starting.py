"""Ctrl-C during the first imports, before anything else can report it: one line, as at any later time.

This module imports almost nothing itself."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from gunrock_cli.errors import EXIT_INTERRUPTED


@contextmanager
def ending_at_once() -> Iterator[None]:
    """End the process here on Ctrl-C. (An exception might be dropped where it is raised, or wrapped.) If
    Ctrl-C is ignored, or handled by other code, that stays so."""
    ours = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    if ours:
        signal.signal(signal.SIGINT, _end)
    try:
        yield
    finally:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(*_: Any) -> NoReturn:
    os.write(2, b"gunrock: interrupted\n")
    os._exit(EXIT_INTERRUPTED)
