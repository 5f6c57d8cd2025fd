"""Loaded code that the calls of a process share."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from gunrock_cli.toolchain.shared import MOST, SharedCode


def test_threads_compile_once() -> None:
    """Threads that come while the first compiles wait for it; a failed compilation is tried again."""
    code, begun, may_end, loads = SharedCode[str](), threading.Event(), threading.Event(), []

    def load() -> str:
        loads.append(1)
        begun.set()
        assert may_end.wait(60)
        return "code"

    with ThreadPoolExecutor(3) as pool:
        found = [pool.submit(code.of, "key", load) for _ in range(3)]
        assert begun.wait(60)
        assert code.of("other", lambda: "quick") == "quick"
        may_end.set()
        assert [each.result() for each in found] == ["code"] * 3
    assert len(loads) == 1
    with pytest.raises(ZeroDivisionError):
        code.of("new", lambda: str(1 // 0))
    assert code.of("new", lambda: "now") == "now"


def test_the_oldest_give_way() -> None:
    code = SharedCode[int]()
    for number in range(MOST + 2):
        assert code.of(number, lambda number=number: number + 1) == number + 1
    assert code.of(MOST, lambda: 0) == MOST + 1
    assert code.of(0, lambda: 7) == 7  # loaded again
