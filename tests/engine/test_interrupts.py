"""Ctrl-C between launches is seen once, and only there."""

from __future__ import annotations

import signal
import threading

import pytest

from gunrock_cli.engine.interrupts import watched


class Loses:
    """An object in whose destructor Python would raise, and drop, a KeyboardInterrupt."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


def press_in_a_destructor() -> None:
    with watched() as look:
        look()
        loses = Loses()
        del loses
        look()


def test_ctrl_c_in_a_destructor_is_not_lost() -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        press_in_a_destructor()
    assert signal.getsignal(signal.SIGINT) is before


def test_nothing_pressed_nothing_raised() -> None:
    with watched() as look:
        look()


def test_where_it_is_ignored_it_stays_so() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with watched() as look:
            signal.raise_signal(signal.SIGINT)
            look()
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_another_thread_watches_nothing() -> None:
    found: list[object] = []

    def work() -> None:
        with watched() as look:
            look()
            found.append(signal.getsignal(signal.SIGINT))

    before = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [before]
