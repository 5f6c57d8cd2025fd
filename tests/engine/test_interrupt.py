"""Ctrl-C while a kernel runs, on either loop; teams smaller than asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from ctrl_c_helper import check_ctrl_c

from gunrock_cli.engine.cpu import caller
from gunrock_cli.engine.program import GRACE_S

SCRIPT = Path(__file__).with_name("interrupted.py")
BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", ["device", "host"])
@pytest.mark.parametrize("threads", ["1", "3"])
def test_ctrl_c_ends_an_endless_run(threads: str, loop: str, backend: str) -> None:
    command = [sys.executable, str(SCRIPT), "--backend", backend, "--threads", threads, "--loop", loop]
    check_ctrl_c(command)


def test_a_call_that_does_not_end_is_not_waited_for() -> None:
    """The caller's thread stays in the call for ever; the process leaves all the same."""
    program = (
        "import time\nfrom gunrock_cli.engine.program import leave_running\n"
        "from gunrock_cli.engine.cpu import caller\n"
        "caller().submit(lambda: time.sleep(1000))\nleave_running(None)\nprint('left', end='')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=200
    )
    assert (done.returncode, done.stdout) == (130, "left")


def test_calls_are_made_in_order_by_one_thread() -> None:
    import threading

    jobs = [caller().submit(threading.get_ident) for _ in range(20)]
    assert len({job.result(60) for job in jobs}) == 1
    assert GRACE_S < 0.5


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "limits",
    [
        {"OMP_DYNAMIC": "true"},
        {"OMP_THREAD_LIMIT": "1"},
        {"OMP_THREAD_LIMIT": "2"},
        {"OMP_DYNAMIC": "true", "OMP_THREAD_LIMIT": "2"},
        {"OMP_MAX_ACTIVE_LEVELS": "0"},
    ],
    ids=str,
)
@pytest.mark.parametrize("loop", ["device", "host"])
def test_a_smaller_team_is_made_up(loop: str, limits: dict[str, str]) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "gunrock_cli.cli.main",
            "cc",
            "rmat",
            "--scale",
            "8",
            "--backend",
            "cpu",
            "--threads",
            "5",
            "--loop",
            loop,
            "--iterations",
            "2",
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, **limits},
    )
    assert done.returncode == 0, done.stderr
    assert "pass" in done.stdout
