"""Run a program on a pseudo-terminal, as progress bars need one."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest


def on_terminal(command: list[str], timeout: float = 60, **how: Any) -> tuple[int, bytes, bytes]:
    """Exit code, stdout (a pipe), and the output to stderr (a terminal)."""
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


def stdout_on_terminal(command: list[str], columns: int, **how: Any) -> tuple[int, bytes]:
    """Exit code, and the output to stdout, a terminal of ``columns`` columns."""
    how["env"] = {**(how.get("env") or os.environ), "TERM": "xterm", "COLUMNS": str(columns)}
    script = [
        "import os, subprocess, sys",
        "done = subprocess.run(sys.argv[1:], stdout=sys.stderr, stderr=subprocess.DEVNULL)",
        "sys.exit(done.returncode)",
    ]
    code, _, shown = on_terminal([sys.executable, "-c", "\n".join(script), *command], **how)
    return code, shown
