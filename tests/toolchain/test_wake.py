"""The GPU's context made early: by the driver's own calls in order, and not without a GPU."""

from __future__ import annotations

import ctypes
import sys
import threading
import types
from typing import Any

import pytest

from gunrock_cli.cli.main import may_run_on_gpu
from gunrock_cli.toolchain import available, wake


class Driver:
    """Answers like CUDA's driver: 0, or the code of an error."""

    def __init__(self, **answers: int) -> None:
        self.calls: list[str] = []
        self._answers = answers

    def __getattr__(self, name: str) -> Any:
        def call(*_: Any) -> int:
            self.calls.append(name)
            return self._answers.get(name, 0)

        return call


@pytest.mark.parametrize(
    ("answers", "calls"),
    [
        ({}, ["cuInit", "cuDeviceGet", "cuDevicePrimaryCtxRetain"]),
        ({"cuInit": 100}, ["cuInit"]),  # CUDA_ERROR_NO_DEVICE
    ],
)
def test_the_context_is_made(
    answers: dict[str, int], calls: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = Driver(**answers)
    monkeypatch.setattr(ctypes, "CDLL", lambda _: driver)
    wake.wake_gpu().join()
    assert driver.calls == calls


def test_no_driver_is_no_error(monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    monkeypatch.setattr(wake, "DRIVER", "libnothing-of-this-name.so.1")
    wake.wake_gpu().join()
    assert capfd.readouterr() == ("", "")


def test_whoever_asks_for_the_gpu_waits_until_it_is_awake(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    slow, others = threading.Event(), types.SimpleNamespace()

    class Slow(Driver):
        def cuInit(self, flags: int) -> int:
            slow.wait(30)
            done.append("awake")
            return 100

    def count() -> int:
        done.append("asked")
        return 0

    monkeypatch.setattr(ctypes, "CDLL", lambda _: Slow())
    others.cuda = types.SimpleNamespace(runtime=types.SimpleNamespace(getDeviceCount=count))
    monkeypatch.setitem(sys.modules, "cupy", others)
    monkeypatch.setattr(available, "_why_no_nvrtc", lambda: done.append("compiler") or slow.set())
    wake.wake_gpu()
    assert available.why_no_cuda.__wrapped__() == "no NVIDIA GPU"
    assert done == ["compiler", "awake", "asked"]


@pytest.mark.parametrize(
    ("able", "why"),
    [(1, None), (0, "GPU 3 has no cooperative launches, which all kernels need; use --backend cpu")],
)
def test_a_gpu_is_asked_whether_it_launches_cooperatively(
    able: int, why: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[int, int]] = []
    runtime = types.SimpleNamespace(
        getDeviceCount=lambda: 4, deviceGetAttribute=lambda *what: asked.append(what) or able
    )  # type: ignore[func-returns-value]
    cuda = types.SimpleNamespace(runtime=runtime, Device=lambda: types.SimpleNamespace(id=3))
    monkeypatch.setitem(sys.modules, "cupy", types.SimpleNamespace(cuda=cuda))
    monkeypatch.setattr(available, "_why_no_nvrtc", lambda: None)
    monkeypatch.setattr(available, "wait_until_awake", lambda: None)
    assert available.why_no_cuda.__wrapped__() == why
    assert asked == [(95, 3)]


@pytest.mark.parametrize(
    ("line", "may"),
    [
        ("rmat --scale 9", True),
        ("rmat --backend cuda", True),
        ("rmat --backend auto --threads 2", True),
        ("rmat --backend cpu", False),
        ("rmat --backend=cpu", False),
        ("--help", False),
        ("rmat --help-all", False),
        ("rmat -h", False),
    ],
)
def test_only_what_may_run_on_a_gpu_wakes_it(line: str, may: bool) -> None:
    assert may_run_on_gpu(line.split()) is may
