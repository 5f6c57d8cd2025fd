"""A program on a pseudo-terminal, as progress bars want one."""

from __future__ import annotations

import os
import subprocess
from typing import Any

import pytest


def on_terminal(command: list[str], timeout: float = 60, **how: Any) -> tuple[int, bytes, bytes]:
    """Exit code, stdout (a pipe), and what stderr (a terminal) was sent."""
    pty = pytest.importorskip("pty", reason="needs a pseudo-terminal")
    reader, writer = pty.openpty()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=writer, **how)
    os.close(writer)
    shown = b""
    while True:
        try:
            part = os.read(reader, 65536)
        except OSError:  # the terminal's other end is closed
            break
        if not part:
            break
        shown += part
    os.close(reader)
    stdout, _ = process.communicate(timeout=timeout)
    return process.returncode, stdout, shown
