"""Ctrl-C while modules are imported, before anything can report it: one line, as at any later time.

This module imports next to nothing itself.
"""

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
    """Ctrl-C ends the process here. (An exception might be dropped where it is raised, or wrapped.) If
    Ctrl-C is ignored, or another's to handle, that stays so."""
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
