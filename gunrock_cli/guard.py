"""Run one program so that nothing of it outlives its time. This script uses only the standard library;
its caller (peers, cells on a cluster) runs it as a process.

It leads the process group (and session) that the program runs in. The caller holds the standard input
open. When that input ends, because time is up or the caller was killed, or when the program ends,
everything left of the program is killed, including processes that have left the group (on Linux, where
orphans become children of this process). Then it writes the outcome to the file with number REPORT, as a
line of JSON, and ends.

    python -I -S guard.py REPORT PROGRAM [ARGUMENT...]
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

SCRIPT = Path(__file__)
"""The script to run, with ``python -I -S``."""
_SET_CHILD_SUBREAPER = 36  # of prctl, Linux
_PATIENCE = 10.0  # seconds for killed processes to end


def main() -> None:
    report, command = int(sys.argv[1]), sys.argv[2:]
    _adopt_orphans()
    # Set handlers, as the program would inherit ignored signals.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE):
        signal.signal(number, lambda *_: None)
    found = _run(command)
    with os.fdopen(report, "w") as file, contextlib.suppress(OSError):
        file.write(json.dumps(found) + "\n")


def _run(command: list[str]) -> dict[str, object]:
    wake, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    begin = time.perf_counter_ns()
    try:
        program = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    except (OSError, ValueError) as error:
        return {"error": getattr(error, "strerror", None) or str(error)}
    code = program.poll()
    while code is None:
        ready, _, _ = select.select([0, wake], [], [])
        code = program.poll()
        took = time.perf_counter_ns() - begin
        if code is None and 0 in ready:
            program.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                program.wait(_PATIENCE)
            break
        if wake in ready:
            os.read(wake, 4096)
    else:
        took = time.perf_counter_ns() - begin
    _kill_rest()
    return {"code": code, "wall_ms": took / 1e6}


def _adopt_orphans() -> None:
    """Make processes that the program leaves behind, wherever they went, children of this one."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _kill_rest() -> None:
    """Kill children until there are none; a killed child's own children become ours, and are next."""
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        for child in _children():
            with contextlib.suppress(OSError):
                os.kill(child, signal.SIGKILL)
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.002)
        except ChildProcessError:
            return


def _children() -> list[int]:
    """The children by Linux's /proc."""
    own, found = os.getpid(), []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # "pid (name) state parent ...", and the name may hold anything
            if int((folder / "stat").read_text(errors="replace").rpartition(")")[2].split()[1]) == own:
                found.append(int(folder.name))
    return found


if __name__ == "__main__":
    main()
