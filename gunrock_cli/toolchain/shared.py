"""Loaded code that all calls of a process share, from any thread."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Loaded = TypeVar("Loaded")

MOST = 128
"""The number of binaries kept loaded, besides those in use."""


class SharedCode(Generic[Loaded]):
    """Code by its key, loaded by the first thread that asks; others wait for it. If it fails, the next
    one tries again."""

    def __init__(self) -> None:
        self._loaded: dict[Hashable, Loaded] = {}
        self._new_locks()
        os.register_at_fork(after_in_child=self._new_locks)  # threads that held some stay behind

    def of(self, key: Hashable, load: Callable[[], Loaded]) -> Loaded:
        """The code loaded for the key, or else the result of ``load``."""
        with self._lock:
            one = self._locks.setdefault(key, threading.Lock())
        with one:
            found = self._loaded.get(key)
            if found is None:
                found = load()
                self._keep(key, found)
            return found

    def _keep(self, key: Hashable, found: Loaded) -> None:
        """Keep code; if there are many, as in a sweep, drop the oldest, as they all take GPU memory."""
        with self._lock:
            self._loaded[key] = found
            if len(self._loaded) > MOST:
                oldest = next(iter(self._loaded))
                del self._loaded[oldest]
                self._locks.pop(oldest, None)

    def _new_locks(self) -> None:
        self._lock = threading.Lock()
        self._locks: dict[Hashable, threading.Lock] = {}
