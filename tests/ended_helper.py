"""Wait for a process to end."""

from __future__ import annotations

import time
from pathlib import Path


def gone(pid: int) -> bool:
    """True if a process ends soon, by itself or killed a moment ago."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":  # dead; its parent has not asked yet
            return True
        time.sleep(0.02)
    return False
