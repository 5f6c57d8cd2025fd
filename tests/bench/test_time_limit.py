"""The limit on the time of a run."""

from __future__ import annotations

import signal
import time

import pytest

from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.bench.protocol.time_limit import OverLimit, time_limit
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.spec import spec_from_name
from gunrock_cli.primitives import get_primitive


def test_what_takes_longer_is_ended() -> None:
    begun = time.monotonic()
    with pytest.raises(OverLimit, match=r"longer than 0\.05 s"), time_limit(0.05):
        time.sleep(10)
    assert time.monotonic() - begun < 5


def test_what_takes_less_is_not() -> None:
    handler, (left, _) = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)
    with time_limit(0.05):
        pass
    time.sleep(0.1)
    assert signal.getsignal(signal.SIGALRM) == handler
    assert signal.getitimer(signal.ITIMER_REAL)[0] <= left  # an outer test's limit, or 0


def test_the_timer_of_somebody_else_goes_on() -> None:
    heard: list[int] = []
    handler = signal.signal(signal.SIGALRM, lambda number, frame: heard.append(number))
    before = signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with time_limit(10):
            time.sleep(0.1)
        time.sleep(0.05)
        assert heard == [signal.SIGALRM]
    finally:
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, *before)


def test_without_a_limit_nothing_is_set() -> None:
    handler = signal.getsignal(signal.SIGALRM)
    with time_limit(None):
        assert signal.getsignal(signal.SIGALRM) == handler


def test_a_kernel_is_ended() -> None:
    """A kernel is ended between two steps: a breadth-first search down a path has many."""
    backend = choose_backend("cpu", 1)
    graph = load_graph(spec_from_name("path", {"nodes": 3_000_000}), backend.xp)
    bfs = get_primitive("bfs")
    options = {option.key: option.default for option in bfs.options} | {
        "strategy": "quadratic",
        "direction": "push",
    }
    begun = time.monotonic()
    with pytest.raises(OverLimit):
        measure(bfs, graph, options, [0], backend, Protocol(runs=1, warmup=0, limit_s=0.2))
    assert time.monotonic() - begun < 60, "compiling included"
