"""Running a program that a description names: without a shell, in its own process group, with limits on
its time and output. None of its processes is left when ``start`` returns or raises."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from gunrock_cli.guard import SCRIPT as guard_script

MOST_OUTPUT = 1 << 24
"""Bytes that a program may print."""
_PIECE = 1 << 16
_PATIENCE = 20.0  # seconds for the guard to end its program


@dataclass(frozen=True)
class Ended:
    """The end of a program. ``code`` is its exit code (negative: the signal that killed it), None if it
    did not end on its own; ``stopped`` is why it was ended: "", "time" or "output"; ``error`` is why it
    could not be started. ``wall_ms`` is the time from its start to its end."""

    code: int | None
    wall_ms: float
    stdout: bytes
    stderr: bytes
    stopped: str = ""
    error: str = ""


def start(command: Sequence[str], env: Mapping[str, str], folder: Path, timeout: float) -> Ended:
    """Run a program in ``folder``, with ``env`` added to the environment."""
    receiving, reporting = os.pipe()
    guard = None
    try:
        guard = subprocess.Popen(
            [sys.executable, "-I", "-S", str(guard_script), str(reporting), *command],
            cwd=folder,
            env={**os.environ, **env},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(reporting,),
            start_new_session=True,
        )
        os.close(reporting)
        reporting = -1
        return _Listener(guard, receiving, timeout).listen()
    finally:
        if reporting >= 0:
            os.close(reporting)
        os.close(receiving)
        if guard is not None:
            _end(guard)


class _Listener:
    """Collects the output of guard and program until the guard is done."""

    def __init__(self, guard: subprocess.Popen[bytes], receiving: int, timeout: float) -> None:
        assert guard.stdin is not None
        assert guard.stdout is not None
        assert guard.stderr is not None
        self.lifeline: IO[bytes] = guard.stdin
        self.receiving = receiving
        self.heard = {
            receiving: bytearray(),
            guard.stdout.fileno(): bytearray(),
            guard.stderr.fileno(): bytearray(),
        }
        self.timeout = timeout
        self.stopped = ""

    def listen(self) -> Ended:
        begin = time.monotonic()
        end = begin + self.timeout
        with selectors.DefaultSelector() as selector:
            for number in self.heard:
                os.set_blocking(number, False)
                selector.register(number, selectors.EVENT_READ)
            while self.receiving in selector.get_map():
                left = end - time.monotonic()
                if left <= 0 and self.stopped:  # the guard itself hangs
                    break
                if left <= 0:
                    self.stop("time")
                    end = time.monotonic() + _PATIENCE
                for key, _ in selector.select(max(left, 0)):
                    if not self.take(key.fd):
                        selector.unregister(key.fd)
            for number in list(self.heard):  # the rest of the pipes
                while self.take(number):
                    pass
        return self.ended((time.monotonic() - begin) * 1e3)

    def take(self, number: int) -> bool:
        """Read the available output; False if there is no more."""
        try:
            data = os.read(number, _PIECE)
        except BlockingIOError:
            return False
        if not self.stopped:
            self.heard[number] += data
            if len(self.heard[number]) > MOST_OUTPUT:
                self.stop("output")
        elif number == self.receiving:
            self.heard[number] += data
        return bool(data)

    def stop(self, why: str) -> None:
        self.stopped = self.stopped or why
        with suppress(OSError):
            self.lifeline.close()

    def ended(self, elapsed_ms: float) -> Ended:
        report, stdout, stderr = (bytes(part) for part in self.heard.values())
        try:
            said = json.loads(report)
        except ValueError:  # the program killed its group, including the guard
            said = {"code": None if self.stopped else -signal.SIGKILL}
        return Ended(
            said.get("code"),
            float(said.get("wall_ms", elapsed_ms)),
            stdout,
            stderr,
            self.stopped,
            str(said.get("error", "")),
        )


def _end(guard: subprocess.Popen[bytes]) -> None:
    """Drop the lifeline, so that the guard ends its program; if it does not, end the guard too."""
    for file in (guard.stdin, guard.stdout, guard.stderr):
        if file is not None:
            with suppress(OSError):
                file.close()
    with suppress(subprocess.TimeoutExpired):
        try:
            guard.wait(_PATIENCE)
        finally:
            if guard.returncode != 0:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(guard.pid, signal.SIGKILL)
                guard.wait(1)
