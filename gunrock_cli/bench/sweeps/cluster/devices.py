"""Locks on devices, so that no two cells are timed on one device at once, whether they belong to one
sweep, to two, or to a killed worker.

A cell on a GPU holds that GPU, and shares the host with cells on other GPUs; a cell that measures on the
processor (the cpu backend, peers) holds the host alone. Locks are file locks on files in the host's
folder for temporary files: a lock ends with the last process that has its file open."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

_HOST = "host"


@contextmanager
def held(gpus: tuple[str, ...], alone: bool, wait: Callable[[], None]) -> Iterator[list[int]]:
    """Yield open files that hold the devices, for the processes that use them. While a device is taken,
    ``wait`` is called, which sleeps for a moment, or raises to give up."""
    wanted = [(_HOST, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)]
    wanted += [(gpu, fcntl.LOCK_EX) for gpu in sorted(gpus)]  # in the same order everywhere
    with ExitStack() as stack:
        files = []
        for device, kind in wanted:
            files.append(stack.enter_context(_open(device)))
            _take(files[-1], kind, wait)
        yield files


def _take(file: int, kind: int, wait: Callable[[], None]) -> None:
    while True:
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            wait()


@contextmanager
def _open(device: str) -> Iterator[int]:
    path = Path(tempfile.gettempdir()) / f"gunrock-{os.getuid()}-{device}.lock"
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        yield file
    finally:
        os.close(file)
