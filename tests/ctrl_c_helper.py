"""Ctrl-C while a program's kernel runs."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Sequence


def check_ctrl_c(command: Sequence[str]) -> None:
    """Check that Ctrl-C interrupts the program, which prints "running" before its kernel begins."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "running\n"
        time.sleep(0.3)  # into the kernel
        run.send_signal(signal.SIGINT)
        try:
            _, words = run.communicate(timeout=200)
        finally:
            run.kill()
    assert run.returncode == 130, words
    assert words.strip().endswith("gunrock: interrupted")
