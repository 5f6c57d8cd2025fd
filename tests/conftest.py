"""Settings of all tests: GPU tests are skipped, with the reason, without a GPU; Ctrl-C is obeyed."""

from __future__ import annotations

import os
import signal
import threading

import pytest


def pytest_configure() -> None:
    """Run small graphs, too, on all cores unless a test says otherwise, as races are between threads.

    A job in the background (`nohup`, some CI) begins with SIGINT ignored, which tests of Ctrl-C and the
    processes that they start would inherit.
    """
    os.environ.setdefault("OMP_NUM_THREADS", str(len(os.sched_getaffinity(0))))
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    if ignored and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    _sample(items)
    if not any(item.get_closest_marker("gpu") for item in items):
        return
    from gunrock_cli.toolchain.available import why_no_cuda

    reason = why_no_cuda()
    if reason is not None:
        for item in items:
            if item.get_closest_marker("gpu"):
                item.add_marker(pytest.mark.skip(reason=reason))


def _sample(items: list[pytest.Item]) -> None:
    """Mark as long what is left out of tests that are sampled: by the order of a test's cases alone, and
    none of those that need a GPU, which CI skips."""
    seen: dict[str, int] = {}
    for item in items:
        sampled = item.get_closest_marker("sampled")
        if sampled is None or item.get_closest_marker("gpu"):
            continue
        test = item.nodeid.partition("[")[0]
        if seen.setdefault(test, 0) % sampled.args[0]:
            item.add_marker(pytest.mark.long)
        seen[test] += 1
