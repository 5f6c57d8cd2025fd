"""Warnings about cores that other programs took."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from gunrock_cli.bench.protocol.contention import CoreWait, waited_ns
from gunrock_cli.bench.records.statistics import wait_warnings

SPIN = """
import os, signal
os.sched_setaffinity(0, {{{core}}})
other = os.fork()
while other == 0 and os.times().user < 10:
    pass
from gunrock_cli.bench.protocol.contention import waited_ns
begin = os.times().user
while os.times().user < begin + 0.3:
    pass
os.kill(other, signal.SIGKILL)
print(waited_ns())
"""


def test_shares_are_of_the_runs_and_of_nothing_between_them() -> None:
    counts = iter([0, 3_000_000, 90_000_000, 91_000_000])
    cores = CoreWait(lambda: next(counts))
    assert [cores.during(lambda: 7), cores.during(lambda: 8)] == [7, 8]
    assert cores.share(8.0) == pytest.approx(0.5)  # 3 + 1 ms of 8


def test_where_nobody_counts_nothing_is_said() -> None:
    cores = CoreWait(lambda: None)
    cores.during(lambda: None)
    assert cores.share(1.0) is None
    assert wait_warnings(None) == wait_warnings(0.01) == []


def test_a_busy_machine_is_named() -> None:
    assert "43% of the runs' time" in wait_warnings(0.43)[0]
    assert "100% of the runs' time" in wait_warnings(2.5)[0]


@pytest.mark.skipif(waited_ns() is None, reason="this kernel does not count")
def test_a_process_that_shares_its_core_has_waited() -> None:
    """Two processes on one core each run for a while, and so wait for a while."""
    script = SPIN.format(core=min(os.sched_getaffinity(0)))
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=200
    )
    assert int(done.stdout) > 50_000_000
